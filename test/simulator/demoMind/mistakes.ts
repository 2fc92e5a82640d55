/**
 * The mistakes the demo mind knows, each a pattern over lines. The first ones fit any code, the others only the sample shop. It
 * matches text and understands nothing: what it says about a line is true for the lines these patterns were made for.
 */
import type { Edit } from './edits.ts';

export interface Mistake {
  readonly title: string;
  /** For the table: what goes wrong. */
  readonly effect: string;
  /** One sentence or two, in Markdown. */
  readonly why: string;
  readonly edit: Edit;
}

interface Pattern {
  readonly title: string;
  readonly effect: string;
  readonly why: string;
  /** Edits for every place; `text` is all lines joined. */
  readonly find: (lines: readonly string[], text: string) => readonly Edit[];
}

/** Rewrites single lines; lines that come out unchanged are no find. */
function lineByLine(rewrite: (line: string, text: string) => string): Pattern['find'] {
  return (lines, text) =>
    lines.flatMap((line, at) => {
      const better = rewrite(line, text);
      return better === line ? [] : [{ at, count: 1, lines: [better] }];
    });
}

const patterns: readonly Pattern[] = [
  {
    title: 'The loop stops one short',
    effect: 'the last element is never counted',
    why: 'With `<` the bound is already exclusive; the `- 1` leaves the last element out.',
    find: lineByLine((line) => line.replace(/(for \(.*<\s*[\w.]+\.length) - 1(?=;)/, '$1')),
  },
  {
    title: 'The default list is shared between calls',
    effect: 'a second call starts with the rows of the first',
    why: 'Python makes a default value once, when the function is defined. Every call without that argument fills the same list.',
    find: (lines) =>
      lines.flatMap((line, at) => {
        const match = /^(\s*)def \w+\(.*?\b(\w+)=\[\]/.exec(line);
        if (match === null) return [];
        const [, indent = '', name = ''] = match;
        const docstring = /^\s*""".*"""\s*$/.test(lines[at + 1] ?? '') ? 1 : 0;
        const header = line.replace(`${name}=[]`, `${name}=None`);
        return [
          {
            at,
            count: 1 + docstring,
            lines: [
              header,
              ...lines.slice(at + 1, at + 1 + docstring),
              `${indent}    if ${name} is None:`,
              `${indent}        ${name} = []`,
            ],
          },
        ];
      }),
  },
  {
    title: 'The coupon is taken off twice',
    effect: 'customers with a coupon pay too little',
    why: '`rowTotal` has already taken the coupon off each row, so the sum must not be reduced again.',
    find: lineByLine((line, text) =>
      text.includes('rowTotal(')
        ? line.replace(/return coupon \? Math\.round\(sum \* .*\) : sum;/, 'return sum;')
        : line,
    ),
  },
  {
    title: 'Exactly €50.00 still pays shipping',
    effect: 'an order of exactly €50.00 is charged €4.90',
    why: 'The comment says *from €50.00 upwards*, so the limit itself is free: `>=` instead of `>`.',
    find: lineByLine((line) => line.replace(/amount > 5000 \? 0/, 'amount >= 5000 ? 0')),
  },
  {
    title: 'Cents below ten lose their zero',
    effect: '5 cents print as `€0.5`',
    why: 'The cents are a number, so `05` becomes `5`. They have to be filled up to two digits.',
    find: lineByLine((line) =>
      line.replace('€${euros}.${cents}`', "€${euros}.${String(cents).padStart(2, '0')}`"),
    ),
  },
  {
    title: 'The average divides by one day too few',
    effect: 'the average comes out too high, and one single day fails',
    why: 'There are `len(days)` days; with one day `len(days) - 1` is zero and the division fails.',
    find: lineByLine((line) => line.replace('/ (len(days) - 1)', '/ len(days)')),
  },
  {
    title: 'The best day is the worst',
    effect: 'the report names the day that earned least',
    why: '`min` picks the smallest income; the docstring wants the day that earned most.',
    find: lineByLine((line) => line.replace('min(days, key=days.get)', 'max(days, key=days.get)')),
  },
  {
    title: 'Units are sorted as text',
    effect: '`9` ranks above `13`',
    why: '`str(...)` compares digit by digit. Without it the numbers themselves are compared.',
    find: lineByLine((line) =>
      line.replace(/lambda product: str\(units\[product\]\)/, 'lambda product: units[product]'),
    ),
  },
];

/** By rising line. */
export function findMistakes(lines: readonly string[]): readonly Mistake[] {
  const text = lines.join('\n');
  return patterns
    .flatMap(({ find, ...said }) => find(lines, text).map((edit) => ({ ...said, edit })))
    .toSorted((one, other) => one.edit.at - other.edit.at);
}
