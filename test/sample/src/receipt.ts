import { rowTotal, shipping, subtotal, taxIn, total } from './cart.ts';
import type { CartItem, Coupon } from './cart.ts';
import { formatMoney } from './money.ts';

const width = 32;

function row(label: string, amount: string): string {
  return label.padEnd(width - amount.length, '.') + amount;
}

/** The receipt as it comes out of the printer, one string a line. */
export function receipt(items: readonly CartItem[], coupon?: Coupon): string[] {
  const lines = ['CORNER SHOP'.padStart(21)];
  for (const item of items) {
    lines.push(row(`${item.quantity} x ${item.name}`, formatMoney(rowTotal(item))));
  }
  if (coupon) {
    lines.push(row(`Coupon ${coupon.code}`, `-${coupon.percent}%`));
  }
  lines.push(row('Shipping', formatMoney(shipping(subtotal(items, coupon)))));
  lines.push(row('TOTAL', formatMoney(total(items, coupon))));
  lines.push(row('incl. 19% tax', formatMoney(taxIn(items, coupon))));
  return lines;
}
