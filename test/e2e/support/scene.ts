/** A conversation about the sample shop, as pictures show it: what is asked, thought, answered and proposed. Knows no workbench. */
import { applyPatch, reasoning, text } from '../../simulator/main.ts';
import type { CustomCallScript, Piece, ReasoningScript, TextScript } from '../../simulator/main.ts';

/** The function `subtotal` with its comment. */
export const selected = { file: 'src/cart.ts', from: 21, to: 28 } as const;

export const question = 'Why is the total wrong? Please fix it.';

/** `at` is put into the second part, where the thought is half done. */
export function thoughts(...at: readonly Piece[]): ReasoningScript {
  return reasoning(
    'The person asks about `subtotal`. It adds up `rowTotal` for each row, and **the loop stops at `items.length - 1`**, so the last row never counts.',
    [
      'There is a second one: `rowTotal` already takes the coupon off, ',
      ...at,
      'and `subtotal` takes it off once more at the end. Ten percent become nineteen.',
    ],
  );
}

/** `at` is put in front of the code. */
export function explanation(...at: readonly Piece[]): TextScript {
  return text(
    'Two mistakes in `subtotal` make the total too small:\n\n',
    '1. **The last row is left out.** The loop ends at `items.length - 1`.\n',
    '2. **The coupon counts twice.** `rowTotal` has taken it off already:\n\n',
    ...at,
    '```ts\nreturn coupon ? Math.round(sum * (1 - coupon.percent / 100)) : sum;\n```\n\n',
    '| Tea and a pot | now | right |\n| --- | ---: | ---: |\n| without a coupon | €9.00 | €35.05 |\n| with TEATIME | €7.29 | €31.55 |\n\n',
    'Also, `formatMoney(5)` gives `€0.5`. The patch mends all three.',
  );
}

/** `at` is put between the first file and the second. */
export function patch(...at: readonly Piece[]): CustomCallScript {
  return applyPatch(
    `*** Begin Patch
*** Update File: src/cart.ts
@@ export function subtotal(items: readonly CartItem[], coupon?: Coupon): Cents {
   let sum = 0;
-  for (let i = 0; i < items.length - 1; i++) {
-    sum += rowTotal(items[i]!, coupon);
+  for (const item of items) {
+    sum += rowTotal(item, coupon);
   }
-  return coupon ? Math.round(sum * (1 - coupon.percent / 100)) : sum;
+  return sum;
 }
`,
    ...at,
    `*** Update File: src/money.ts
@@ export function formatMoney(amount: Cents): string {
   const euros = Math.floor(amount / 100);
-  const cents = amount % 100;
+  const cents = String(amount % 100).padStart(2, '0');
   return \`€\${euros}.\${cents}\`;
*** End Patch
`,
  );
}

export function conclusion(): TextScript {
  return text(
    'Both files are changed. `npm run demo` should now print four right lines; *Shipping at exactly €50.00* is a mistake of its own.',
  );
}
