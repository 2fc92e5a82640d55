/** Amounts and counts as the host says them, in the language of the editor. */
import * as vscode from 'vscode';

/** US dollars: three digits that matter below one dollar, cents above. A little is never nothing: `$0.00012`. */
export function money(dollars: number): string {
  const isLittle = dollars > 0 && dollars < 0.0005;
  return new Intl.NumberFormat(vscode.env.language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...(isLittle
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: Math.abs(dollars) < 1 ? 3 : 2 }),
  }).format(dollars);
}

export function count(number: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(number);
}
