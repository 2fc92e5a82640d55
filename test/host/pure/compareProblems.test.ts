/** Which problems a patch fixed and which it introduced: old ones that only moved are neither. */
import assert from 'node:assert/strict';

import fc from 'fast-check';

import {
  changeAt,
  compareProblems,
  type Comparison,
  type PatchedFile,
  type Problem,
  type Snapshot,
} from '../../../src/host/problems/compareProblems.ts';
import { lineChanges, withoutChange } from '../../../src/host/edits/files/lineChanges.ts';

const a = 'file:///w/a.ts';
const b = 'file:///w/b.ts';

function problem(line: number, message: string, more: Partial<Problem> = {}): Problem {
  return { uri: a, line, column: 0, severity: 'error', message, source: 'ts 1', ...more };
}

function snapshot(problems: readonly Problem[], looked: readonly string[] = [a]): Snapshot {
  return { problems, looked: new Set(looked) };
}

function patched(
  before: string | undefined,
  after: string | undefined,
  more: Partial<PatchedFile> = {},
): PatchedFile {
  return {
    uri: a,
    now: a,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...more,
  };
}

/** `fixed/introduced/unknown` in short. */
function told({ fixed, introduced, unknown }: Comparison): string {
  const words = (problems: readonly Problem[]): string =>
    problems.map(({ line, message }) => `${line} ${message}`).join(', ');
  return `fixed: ${words(fixed)}; introduced: ${words(introduced)}${unknown.length > 0 ? `; unknown: ${unknown.join()}` : ''}`;
}

describe('thousands of problems of one kind', () => {
  it('are the same ones, wherever in a file that the patch left alone they moved', () => {
    const at = (shift: number): readonly Problem[] =>
      Array.from({ length: 20_000 }, (_, index) => problem(index + shift, 'Missing semicolon.', { uri: b }));
    assert.equal(told(compareProblems(snapshot(at(0)), snapshot(at(0)), [])), 'fixed: ; introduced: ');
    assert.equal(told(compareProblems(snapshot(at(0)), snapshot(at(3)), [])), 'fixed: ; introduced: ');
    const [, ...fewer] = at(7).filter(({ line }) => line !== 5_000);
    const { fixed, introduced } = compareProblems(snapshot(at(0), [b]), snapshot(fewer, [b]), []);
    assert.deepEqual([fixed.length, introduced.length], [2, 0]);
  });
});

describe('problems before and after a patch', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n';

  it('are the same when lines above them came or went', () => {
    const after = 'zero\none\ntwo\nnew\nthree\nfour\nfive\n';
    assert.equal(
      told(
        compareProblems(
          snapshot([problem(1, 'x'), problem(4, 'y')]),
          snapshot([problem(2, 'x'), problem(6, 'y')]),
          [patched(before, after)],
        ),
      ),
      'fixed: ; introduced: ',
    );
  });

  it('are fixed and introduced where they are', () => {
    const after = 'one\nTWO\nthree\nfour\nfive\n';
    assert.equal(
      told(
        compareProblems(
          snapshot([problem(1, 'old'), problem(3, 'stays')]),
          snapshot([problem(1, 'new'), problem(3, 'stays')]),
          [patched(before, after)],
        ),
      ),
      'fixed: 1 old; introduced: 1 new',
    );
  });

  it('are counted one by one, also where several say the same', () => {
    const same = (line: number, column: number): Problem => problem(line, 'same', { column });
    assert.equal(
      told(
        compareProblems(snapshot([same(1, 0), same(1, 9)]), snapshot([same(1, 9)]), [
          patched(before, before),
        ]),
      ),
      'fixed: 1 same; introduced: ',
    );
    assert.equal(
      told(
        compareProblems(snapshot([same(1, 0)]), snapshot([same(1, 0), same(4, 0)]), [
          patched(before, before),
        ]),
      ),
      'fixed: ; introduced: 4 same',
    );
  });

  it('may have moved within the lines that were written anew', () => {
    const after = 'one\nTWO\n2.5\nthree\nfour\nfive\n';
    assert.equal(
      told(
        compareProblems(snapshot([problem(1, 'x')]), snapshot([problem(2, 'x')]), [patched(before, after)]),
      ),
      'fixed: ; introduced: ',
    );
    assert.equal(
      told(
        compareProblems(snapshot([problem(1, 'x')]), snapshot([problem(4, 'x')]), [patched(before, after)]),
      ),
      'fixed: 1 x; introduced: 4 x',
    );
  });

  it('differ by message and by source', () => {
    assert.equal(
      told(
        compareProblems(snapshot([problem(1, 'x')]), snapshot([problem(1, 'x', { source: 'lint' })]), [
          patched(before, before),
        ]),
      ),
      'fixed: 1 x; introduced: 1 x',
    );
  });

  it('may stand anywhere in a file that the patch left alone: somebody else moved them', () => {
    const other = (line: number, message: string): Problem => problem(line, message, { uri: b });
    assert.equal(
      told(
        compareProblems(
          snapshot([other(1, 'x'), other(5, 'x'), other(6, 'y')], [a, b]),
          snapshot([other(3, 'x'), other(7, 'x'), other(8, 'z')], [a, b]),
          [patched(before, before)],
        ),
      ),
      'fixed: 6 y; introduced: 8 z',
    );
  });

  it('are known of other files too, and follow a file that was moved', () => {
    const other = problem(7, 'broken call', { uri: b });
    assert.equal(
      told(compareProblems(snapshot([], [a, b]), snapshot([other], [a, b]), [patched(before, before)])),
      'fixed: ; introduced: 7 broken call',
    );
    assert.equal(
      told(
        compareProblems(snapshot([problem(1, 'x')]), snapshot([problem(1, 'x', { uri: b })], [b]), [
          patched(before, before, { now: b }),
        ]),
      ),
      'fixed: ; introduced: ',
    );
  });

  it('are not known of a file that no editor shows any more', () => {
    assert.equal(
      told(compareProblems(snapshot([problem(1, 'x')]), snapshot([], []), [patched(before, before)])),
      `fixed: ; introduced: ; unknown: ${a}`,
    );
    // Another file that was closed meanwhile is nobody's business.
    const other = problem(1, 'x', { uri: b });
    assert.equal(
      told(compareProblems(snapshot([other], [a, b]), snapshot([], [a]), [patched(before, before)])),
      'fixed: ; introduced: ',
    );
    // Who told of it without an editor looks at all files.
    assert.equal(
      told(compareProblems(snapshot([problem(1, 'x')], []), snapshot([], []), [patched(before, before)])),
      'fixed: 1 x; introduced: ',
    );
  });

  it('are the patch’s doing only in its own lines, when nobody had looked at the file before', () => {
    const after = 'one\nTWO\nthree\nfour\nfive\n';
    assert.equal(
      told(
        compareProblems(snapshot([], []), snapshot([problem(1, 'new'), problem(4, 'perhaps old')]), [
          patched(before, after),
        ]),
      ),
      'fixed: ; introduced: 1 new',
    );
    // Opened only afterwards, and not changed by the patch.
    assert.equal(
      told(
        compareProblems(snapshot([], [a]), snapshot([problem(1, 'x', { uri: b })], [a, b]), [
          patched(before, before),
        ]),
      ),
      'fixed: ; introduced: ',
    );
  });

  it('all came with a file that is new, and went with one that was deleted', () => {
    assert.equal(
      told(compareProblems(snapshot([], []), snapshot([problem(3, 'x')]), [patched(undefined, before)])),
      'fixed: ; introduced: 3 x',
    );
    assert.equal(
      told(compareProblems(snapshot([problem(3, 'x')]), snapshot([], []), [patched(before, undefined)])),
      'fixed: ; introduced: ',
    );
  });

  it('do not depend on line ends', () => {
    const crlf = before.replaceAll('\n', '\r\n');
    assert.equal(
      told(
        compareProblems(snapshot([problem(4, 'x')]), snapshot([problem(5, 'x')]), [
          patched(before, `0\r\n${crlf}`),
        ]),
      ),
      'fixed: ; introduced: ',
    );
  });

  it('are none when nothing changed, whatever stands where', () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const problems = fc.array(
      fc.record({ line: fc.nat(8), column: fc.nat(3), message: fc.constantFrom('x', 'y') }),
      { maxLength: 20 },
    );
    const lines = fc.array(fc.constantFrom('one', 'two', 'three', ''), { maxLength: 12 });
    fc.assert(
      fc.property(problems, lines, lines, (some, text, above) => {
        const was = some.map(({ line, column, message }) => problem(line, message, { column }));
        const unique = `start ${'!'.repeat(3)}`;
        const old = [unique, ...text].join('\n');
        const shifted = [...above, ...old.split('\n')].join('\n');
        const moved = was.map((each) => ({ ...each, line: each.line + above.length }));
        const comparison = compareProblems(snapshot(was), snapshot(moved), [patched(old, shifted)]);
        assert.equal(told(comparison), 'fixed: ; introduced: ');
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('one change of a patch', () => {
  const before = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n';
  const after = 'ONE\r\ntwo\r\nthree\r\nfive\r\nsix\r\n';

  it('is found by a line in it, also after the file was changed', () => {
    assert.equal(lineChanges(before, after).length, 3);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((line) => changeAt(line, { before, after, now: after })),
      [0, undefined, undefined, 1, 2],
    );
    const now = `typed\r\n${after}`;
    assert.equal(changeAt(1, { before, after, now }), 0);
    assert.equal(changeAt(5, { before, after, now }), 2);
  });

  it('is undone without the others', () => {
    assert.equal(withoutChange(before, after, 0), 'one\r\ntwo\r\nthree\r\nfive\r\nsix\r\n');
    assert.equal(withoutChange(before, after, 1), 'ONE\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\n');
    assert.equal(withoutChange(before, after, 2), 'ONE\r\ntwo\r\nthree\r\nfive\r\n');
    assert.equal(withoutChange(before, after, 3), undefined);
  });
});
