/** Where a text is cut that is too long for its place. */
import assert from 'node:assert/strict';

import { cutAt } from '../../src/core/cutAt.ts';

const family = '👩🏽‍👩🏿‍👧🏻‍👦🏾';

describe('cutAt', () => {
  it('leaves what is short enough as it is', () => {
    assert.equal(cutAt('', 0), '');
    assert.equal(cutAt(family, family.length), family);
  });

  it('cuts between characters as people see them, wherever the limit falls', () => {
    for (let most = 1; most < 3 + family.length; most += 1)
      assert.equal(cutAt(`abc${family}d`, most), 'abc'.slice(0, most), `at ${most}`);
    assert.equal(cutAt(`abc${family}d`, 3 + family.length), `abc${family}`);
    assert.equal(cutAt('ae\u0301o', 2), 'a');
    assert.equal(cutAt('a\r\nb', 2), 'a');
    assert.equal(cutAt('abc', 0), '');
  });

  it('cuts within a character that is longer than all there is room for, and leaves no half of a pair', () => {
    assert.equal(cutAt(family, 1), '');
    assert.equal(cutAt(family, 3), '👩');
    assert.equal(cutAt(`e${'\u0301'.repeat(5_000)}`, 100), `e${'\u0301'.repeat(99)}`);
  });

  it('looks at no more of a long text than it keeps', () => {
    assert.equal(cutAt('x'.repeat(50_000_000), 300), 'x'.repeat(300));
  });
});
