/** The algebra of edits: inverse, composition, offsets, and the lines under them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bomLength,
  firstTerminator,
  indexLines,
  isTerminated,
  lineAt,
  lineStart,
  lineText,
  splitLines,
} from '../../src/core/lines.ts';
import type { Replacement } from '../../src/core/patch/editPlan.ts';
import {
  applyReplacements,
  composeReplacements,
  editedRange,
  invertReplacements,
  originalOffset,
} from '../../src/core/patch/replacements.ts';
import { anyLine, check, seed, textOfLines } from './patchTexts.ts';

/** Edits of a text of this length: ascending and apart, as cuts of it. */
function editsOf(length: number): fc.Arbitrary<readonly Replacement[]> {
  return fc
    .tuple(
      fc.uniqueArray(fc.nat(length), { maxLength: 8 }),
      fc.array(fc.string({ maxLength: 4 }), { minLength: 4, maxLength: 4 }),
    )
    .map(([cuts, texts]) => {
      const sorted = cuts.toSorted((one, other) => one - other);
      return Array.from({ length: Math.floor(sorted.length / 2) }, (_, at) => ({
        start: sorted[2 * at] as number,
        end: sorted[2 * at + 1] as number,
        text: texts[at] ?? '',
      }));
    });
}

const edited = fc
  .string({ maxLength: 40 })
  .chain((text) =>
    editsOf(text.length).map((first) => ({ text, first, middle: applyReplacements(text, first) })),
  );

describe(`patch edits (seed ${seed})`, () => {
  it('are taken back by their inverse', () => {
    check(edited, ({ text, first, middle }) => {
      assert.equal(applyReplacements(middle, invertReplacements(text, first)), text);
    });
  });

  it('compose to the effect of one after the other', () => {
    const twice = edited.chain((sample) =>
      editsOf(sample.middle.length).map((second) => ({ ...sample, second })),
    );
    check(
      twice,
      ({ text, first, middle, second }) => {
        const composed = composeReplacements(first, second);
        assert.equal(applyReplacements(text, composed), applyReplacements(middle, second));
        let end = -1;
        for (const each of composed) {
          assert.ok(each.start > end && each.end >= each.start && each.end <= text.length);
          end = each.end;
        }
      },
      2_000,
    );
  });

  it('lead kept characters back to where they came from', () => {
    check(edited, ({ text, first, middle }) => {
      let shift = 0;
      const isNew = new Set<number>();
      for (const { start, end, text: put } of first) {
        for (let at = 0; at < put.length; at += 1) isNew.add(start + shift + at);
        shift += put.length - (end - start);
      }
      for (let at = 0; at < middle.length; at += 1) {
        const origin = originalOffset(first, at);
        assert.ok(origin >= 0 && origin <= text.length);
        if (!isNew.has(at)) assert.equal(text[origin], middle[at]);
      }
    });
  });

  it('give a range of the text together with what was put into it', () => {
    check(
      edited.chain((sample) =>
        fc.tuple(fc.nat(sample.text.length), fc.nat(sample.text.length)).map(([one, other]) => ({
          ...sample,
          start: Math.min(one, other),
          end: Math.max(one, other),
        })),
      ),
      ({ text, first, middle, start, end }) => {
        // Only ranges that no edit crosses have a clear counterpart.
        if (
          first.some((each) => each.start < end && each.end > start && (each.start < start || each.end > end))
        )
          return;
        const inside = first.filter((each) => each.start >= start && each.end <= end);
        const want = applyReplacements(
          text.slice(start, end),
          inside.map((each) => ({ ...each, start: each.start - start, end: each.end - start })),
        );
        const range = editedRange(first, { start, end });
        assert.equal(middle.slice(range.start, range.end), want);
      },
    );
  });
});

describe(`lines (seed ${seed})`, () => {
  it('together are the text, each with its own end', () => {
    check(textOfLines(anyLine), (text) => {
      const lines = indexLines(text);
      let joined = text.slice(0, bomLength(text));
      for (let line = 0; line < lines.count; line += 1) {
        joined += text.slice(lineStart(lines, line), lineStart(lines, line + 1));
        assert.doesNotMatch(lineText(lines, line), /[\r\n]/);
        assert.ok(line === lines.count - 1 || isTerminated(lines, line));
        assert.equal(lineAt(lines, lineStart(lines, line)), line);
      }
      assert.equal(joined, text);
      assert.deepEqual(splitLines(text), plainLines(text));
    });
  });

  it('give new ones the first end of the text', () => {
    check(textOfLines(anyLine), (text) => {
      assert.equal(firstTerminator(text), /\r\n|\n|\r/.exec(text)?.[0] ?? '\n');
    });
  });
});

function plainLines(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
