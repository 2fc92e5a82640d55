/** Three-way merge and line differences: nobody's line is lost, and large texts stay cheap. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { diffLines, lineReplacements, splitLines } from '../../../src/core/patch/lineDiff.ts';
import type { Replacement } from '../../../src/core/patch/editPlan.ts';
import { rebase } from '../../../src/core/patch/rebase.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

function replaced(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: inserted } of replacements) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

const lines = fc.array(fc.constantFrom('a', 'b', '', '}', 'x y', 'é'), { maxLength: 30 });
const ends = fc.constantFrom('\n', '\r\n', '\r');
const texts = fc
  .tuple(lines, ends, fc.boolean())
  .map(([some, end, last]) => some.join(end) + (last ? end : ''));

describe('the lines of a text', () => {
  it('end at CRLF, LF and CR, and joined again are the text', () => {
    assert.deepEqual(splitLines('a\r\n\nb\rc\u2028d'), ['a\r\n', '\n', 'b\r', 'c\u2028d']);
    assert.deepEqual(splitLines(''), []);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\r', '\n') }), (text) => {
        assert.equal(splitLines(text).join(''), text);
      }),
      { seed },
    );
  });
});

describe('what differs between two texts', () => {
  it('names the changed lines alone', () => {
    assert.deepEqual(lineReplacements('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n'), [
      { start: 2, end: 4, text: 'B\n' },
      { start: 8, end: 8, text: 'e\n' },
    ]);
    assert.deepEqual(lineReplacements('same\n', 'same\n'), []);
    assert.deepEqual(lineReplacements('', 'new'), [{ start: 0, end: 0, text: 'new' }]);
    assert.deepEqual(lineReplacements('old', ''), [{ start: 0, end: 3, text: '' }]);
  });

  it('takes lines that moved for removed and added, never for both places', () => {
    assert.deepEqual(lineReplacements('1\n2\n3\n4\n', '4\n1\n2\n3\n'), [
      { start: 0, end: 0, text: '4\n' },
      { start: 6, end: 8, text: '' },
    ]);
  });

  it('gives the second text when put in place of the ranges of the first', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const changes = lineReplacements(before, after);
        assert.equal(replaced(before, changes), after);
        for (const [index, change] of changes.entries()) {
          const previous = changes[index - 1];
          assert.ok(previous === undefined || previous.end < change.start);
        }
      }),
      { seed, numRuns: 500 },
    );
  });

  it('calls a long stretch without any line to hold on to rewritten instead of comparing all pairs', () => {
    const before = Array.from({ length: 3000 }, (_, n) => (n % 2 === 0 ? 'x\n' : 'y\n'));
    const after = Array.from({ length: 3000 }, (_, n) => (n % 3 === 1 ? 'x\n' : 'z\n'));
    assert.deepEqual(diffLines(['top\n', ...before], ['top\n', ...after, 'end\n']), [
      { from: 1, to: 3001, newFrom: 1, newTo: 3002 },
    ]);
  });

  it('stays narrow in 100,000 lines that mostly repeat', () => {
    const before = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? `line ${n}\n` : '}\n'));
    const after = before.with(10, 'first\n').with(99_990, 'last\n');
    assert.deepEqual(diffLines(before, after), [
      { from: 10, to: 11, newFrom: 10, newTo: 11 },
      { from: 99_990, to: 99_991, newFrom: 99_990, newTo: 99_991 },
    ]);
  });
});

describe('rebasing a proposal', () => {
  const base = 'one\ntwo\nthree\nfour\nfive\nsix\n';

  it('joins edits in different places', () => {
    const current = base.replace('one', 'ONE\nand more');
    const proposed = base.replace('five', 'FIVE');
    assert.deepEqual(rebase(base, current, proposed), {
      kind: 'merged',
      text: 'ONE\nand more\ntwo\nthree\nfour\nFIVE\nsix\n',
    });
  });

  it('takes what is there already for merged', () => {
    const proposed = base.replace('two', 'TWO');
    const current = proposed.replace('six', 'SIX');
    assert.deepEqual(rebase(base, current, proposed), { kind: 'merged', text: current });
    assert.deepEqual(rebase(base, proposed, proposed), { kind: 'merged', text: proposed });
    assert.deepEqual(rebase(base, current, base), { kind: 'merged', text: current });
  });

  it('refuses when both changed the same lines, and names them as they are now', () => {
    const current = `zero\n${base}`.replace('three', 'mine');
    assert.deepEqual(rebase(base, current, base.replace('three', 'theirs')), {
      kind: 'conflict',
      from: 4,
      to: 4,
    });
  });

  it('refuses when the changes touch', () => {
    const current = base.replace('three', 'mine');
    assert.equal(rebase(base, current, base.replace('four', 'theirs')).kind, 'conflict');
  });

  it('refuses two different insertions at one place', () => {
    const current = base.replace('two\n', 'two\nmine\n');
    assert.equal(rebase(base, current, base.replace('two\n', 'two\ntheirs\n')).kind, 'conflict');
  });

  it('names no line where the lines were removed', () => {
    const current = base.replace('three\n', '');
    assert.deepEqual(rebase(base, current, base.replace('three', 'theirs')), {
      kind: 'conflict',
      from: 3,
      to: 2,
    });
  });

  it('names lines behind an insertion where they stand now', () => {
    const current = base.replace('one\n', '1\n1\n1\n').replace('two\nthree', 'two\nmine');
    assert.deepEqual(rebase(base, current, base.replace('three\nfour', 'theirs\nfour!')), {
      kind: 'conflict',
      from: 5,
      to: 6,
    });
  });

  it('is the other side when one side changed nothing', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        assert.deepEqual(rebase(one, one, other), { kind: 'merged', text: other });
        assert.deepEqual(rebase(one, other, one), { kind: 'merged', text: other });
        assert.deepEqual(rebase(one, other, other), { kind: 'merged', text: other });
      }),
      { seed },
    );
  });

  it('has both edits, in place, whenever an untouched line lies between them', () => {
    const edit = fc.array(fc.constantFrom('p\n', 'q\n', 'same\n'), { maxLength: 4 });
    fc.assert(
      fc.property(edit, edit, edit, edit, (mine, mineWas, theirs, theirsWas) => {
        // Lines that occur once fence the edits off, so that there is just one right answer.
        const text = (first: readonly string[], second: readonly string[]): string =>
          ['top\n', ...first, 'between\n', ...second, 'end\n'].join('');
        assert.deepEqual(rebase(text(mineWas, theirsWas), text(mine, theirsWas), text(mineWas, theirs)), {
          kind: 'merged',
          text: text(mine, theirs),
        });
      }),
      { seed },
    );
  });

  it('does not care which side is which', () => {
    fc.assert(
      fc.property(texts, texts, texts, (start, one, other) => {
        const forward = rebase(start, one, other);
        const backward = rebase(start, other, one);
        assert.equal(forward.kind, backward.kind);
        if (forward.kind === 'merged' && backward.kind === 'merged') {
          assert.equal(forward.text, backward.text);
        }
      }),
      { seed, numRuns: 500 },
    );
  });
});
