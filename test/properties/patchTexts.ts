/** Generators for the patch properties, and the seed they run with. */
import fc from 'fast-check';

/** The seed of this run: `FC_SEED` repeats one. */
export const seed = Number(process.env['FC_SEED'] ?? Date.now() & 0x7f_ff_ff_ff);

/** Runs a property with the seed of this run; a failure prints it together with the smallest example. */
export function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void, numRuns = 500): void {
  fc.assert(
    fc.property(arbitrary, (value) => predicate(value)),
    { seed, numRuns },
  );
}

const words = [
  'a',
  'b',
  '',
  '}',
  '  x',
  '\tif (a) {',
  'it’s – ok',
  '漢字',
  '*** End Patch',
  '@@ x',
  '-y',
  '+z',
  ' ',
];

/** A line as it may stand in a file: no line end in it. Few different ones, so that they repeat. */
export const repeatingLine = fc.constantFrom(...words);
export const anyLine = fc.oneof(
  repeatingLine,
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(withoutLineEnds),
);

export function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n\uFEFF]/g, '_');
}

export const terminator = fc.constantFrom('\n', '\r\n', '\r');

/** A text of lines, each with an end of its own, the last perhaps without. */
export function textOfLines(line: fc.Arbitrary<string>, maxLength = 30): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(line, terminator), { maxLength }), fc.boolean(), fc.boolean())
    .map(([lines, bom, open]) => {
      const text = lines.map(([content, end]) => content + end).join('');
      return (bom ? '\uFEFF' : '') + (open ? text.replace(/(?:\r\n|\n|\r)$/, '') : text);
    });
}
