/** Amounts are whole cents. Only here do they become text. */
export type Cents = number;

/** `1999` becomes `€19.99`. */
export function formatMoney(amount: Cents): string {
  const euros = Math.floor(amount / 100);
  const cents = amount % 100;
  return `€${euros}.${cents}`;
}

/** The tax inside a gross amount, rounded to the cent. */
export function taxWithin(gross: Cents): Cents {
  return Math.round(gross - gross / 1.19);
}
