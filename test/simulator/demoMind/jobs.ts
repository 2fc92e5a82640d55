/** The patches the demo mind can make beyond repairing mistakes: one that touches three files, one that adds a file. */
import { addFileText, indexOfLines, patchText, type Edit, type FileEdits, type Lines } from './edits.ts';

interface Change {
  readonly path: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

const taxRate: readonly Change[] = [
  {
    path: 'src/money.ts',
    from: ['export type Cents = number;'],
    to: [
      'export type Cents = number;',
      '',
      '/** The tax that is part of every price, in percent. */',
      'export const taxPercent = 19;',
    ],
  },
  {
    path: 'src/money.ts',
    from: ['  return Math.round(gross - gross / 1.19);'],
    to: ['  return Math.round(gross - gross / (1 + taxPercent / 100));'],
  },
  {
    path: 'src/cart.ts',
    from: ["import type { Cents } from './money.ts';"],
    to: ["import { taxWithin, type Cents } from './money.ts';"],
  },
  {
    path: 'src/cart.ts',
    from: ['/** Tax included in the total, at 19 percent. */'],
    to: ['/** Tax included in the total. */'],
  },
  {
    path: 'src/cart.ts',
    from: ['  const gross = total(items, coupon);', '  return Math.round(gross - gross / 1.19);'],
    to: ['  return taxWithin(total(items, coupon));'],
  },
  {
    path: 'src/receipt.ts',
    from: ["import { formatMoney } from './money.ts';"],
    to: ["import { formatMoney, taxPercent } from './money.ts';"],
  },
  {
    path: 'src/receipt.ts',
    from: ["  lines.push(row('incl. 19% tax', formatMoney(taxIn(items, coupon))));"],
    to: ['  lines.push(row(`incl. ${taxPercent}% tax`, formatMoney(taxIn(items, coupon))));'],
  },
];

/** Undefined when the files no longer hold what is to be changed. */
export function taxRatePatch(files: readonly Lines[]): string | undefined {
  const changes: FileEdits[] = [];
  for (const file of files) {
    const edits: Edit[] = [];
    for (const { path, from, to } of taxRate) {
      if (path !== file.path) continue;
      const at = indexOfLines(file.lines, from);
      if (at < 0) return undefined;
      edits.push({ at, count: from.length, lines: to });
    }
    if (edits.length > 0) changes.push({ file, edits });
  }
  return patchText(changes);
}

export const testPath = 'src/cart.test.ts';

/** Right for the shop as it should be, so some of it fails until the mistakes are repaired. */
export function testsPatch(): string {
  return addFileText(
    testPath,
    `// Run me: node --test src/cart.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipping, subtotal, total } from './cart.ts';

const tea = { name: 'Green tea', price: 450, quantity: 2 };
const pot = { name: 'Teapot', price: 2605, quantity: 1 };

test('the subtotal counts every row', () => {
  assert.equal(subtotal([tea, pot]), 3505);
  assert.equal(subtotal([]), 0);
});

test('a coupon is taken off once', () => {
  assert.equal(subtotal([tea], { code: 'TEATIME', percent: 10 }), 810);
});

test('shipping is free from 50 euros upwards', () => {
  assert.equal(shipping(4999), 490);
  assert.equal(shipping(5000), 0);
});

test('the total has the shipping in it', () => {
  assert.equal(total([tea, pot]), 3505 + 490);
});
`,
  );
}
