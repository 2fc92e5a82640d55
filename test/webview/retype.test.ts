/** Where two texts of a field differ, so that only that is typed in. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { difference } from '../../src/webview/retype.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

describe('the difference of two texts', () => {
  it('is what was typed, in its place', () => {
    assert.deepEqual(difference('Why @c wrong?', 'Why @cart.ts wrong?'), { from: 6, to: 6, text: 'art.ts' });
    assert.deepEqual(difference('Why @mon', 'Why @money.ts '), { from: 8, to: 8, text: 'ey.ts ' });
    assert.deepEqual(difference('same', 'same'), { from: 4, to: 4, text: '' });
    assert.deepEqual(difference('aa', 'aaa'), { from: 2, to: 2, text: 'a' });
    assert.deepEqual(difference('aaa', 'aa'), { from: 2, to: 3, text: '' });
  });

  it('cuts through no letter, and makes the one of the other', () => {
    const texts = fc.array(fc.constantFrom('a', '@', '😀', '😁', '🀀', '\n', 'é')).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { from, to, text } = difference(before, after);
        assert.ok(from <= to);
        assert.equal(before.slice(0, from) + text + before.slice(to), after);
        for (const piece of [before.slice(0, from), before.slice(from, to), before.slice(to), text])
          assert.ok(piece.isWellFormed(), JSON.stringify([before, after]));
      }),
      { seed, numRuns: 2_000 },
    );
  });
});
