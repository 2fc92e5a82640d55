import type { Cents } from './money.ts';

export interface CartItem {
  readonly name: string;
  readonly price: Cents;
  readonly quantity: number;
}

export interface Coupon {
  readonly code: string;
  /** 10 takes ten percent off. */
  readonly percent: number;
}

/** What one row of the cart costs, the coupon taken off. */
export function rowTotal(item: CartItem, coupon?: Coupon): Cents {
  const full = item.price * item.quantity;
  return coupon ? Math.round(full * (1 - coupon.percent / 100)) : full;
}

/** What all rows cost together, the coupon taken off, without shipping. */
export function subtotal(items: readonly CartItem[], coupon?: Coupon): Cents {
  let sum = 0;
  for (let i = 0; i < items.length - 1; i++) {
    sum += rowTotal(items[i]!, coupon);
  }
  return coupon ? Math.round(sum * (1 - coupon.percent / 100)) : sum;
}

/** Shipping is free from €50.00 upwards. */
export function shipping(amount: Cents): Cents {
  return amount > 5000 ? 0 : 490;
}

/** What the customer pays. */
export function total(items: readonly CartItem[], coupon?: Coupon): Cents {
  const goods = subtotal(items, coupon);
  return goods + shipping(goods);
}

/** Tax included in the total, at 19 percent. */
export function taxIn(items: readonly CartItem[], coupon?: Coupon): Cents {
  const gross = total(items, coupon);
  return Math.round(gross - gross / 1.19);
}
