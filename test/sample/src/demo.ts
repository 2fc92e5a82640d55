// Run me: npm run demo
import { shipping, subtotal, total } from './cart.ts';
import { formatMoney } from './money.ts';
import { receipt } from './receipt.ts';

const tea = { name: 'Green tea', price: 450, quantity: 2 };
const pot = { name: 'Teapot', price: 2605, quantity: 1 };
const mug = { name: 'Mug', price: 795, quantity: 2 };
const coupon = { code: 'TEATIME', percent: 10 };

console.log(receipt([tea, pot, mug], coupon).join('\n'));

function check(what: string, actual: number | string, expected: number | string): void {
  const verdict = actual === expected ? 'right' : `WRONG, expected ${expected}`;
  console.log(`${what}: ${actual} (${verdict})`);
}

console.log('');
check('Tea and a pot', subtotal([tea, pot]), 3505);
check('With the coupon', subtotal([tea, pot], coupon), 3155);
check('Shipping at exactly €50.00', shipping(5000), 0);
check('Tea, pot and mugs', total([tea, pot, mug]), 5095);
check('Five cents', formatMoney(5), '€0.05');
