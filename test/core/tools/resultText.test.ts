import assert from 'node:assert/strict';

import { shownName } from '../../../src/core/shownName.ts';
import { capped, count, excerpt, fitting, shortLine, sizeText } from '../../../src/core/tools/resultText.ts';

describe('the text of a result', () => {
  it('has as many entries as fit, and one at least', () => {
    assert.deepEqual(fitting(['ab', 'cd', 'ef'], 6), ['ab', 'cd']);
    assert.deepEqual(fitting(['ab', 'cd'], 100), ['ab', 'cd']);
    assert.deepEqual(fitting(['abcdef'], 2), ['abcdef']);
    assert.deepEqual(fitting([], 2), []);
  });

  it('is cut in the middle, with how much is missing', () => {
    assert.equal(capped('0123456789', 10), '0123456789');
    assert.equal(capped('0123456789A', 10), '0123456\n[1 character left out here]\n89A');
  });

  it('cuts a long line and says how much of it follows', () => {
    assert.equal(shortLine('abc', 3), 'abc');
    assert.equal(shortLine('abcd', 3), 'abc… [1 more character in this line]');
    assert.equal(shortLine('ab😀d', 3), 'ab… [3 more characters in this line]');
  });

  it('shows of a long line what is around the place', () => {
    const line = `${'x'.repeat(50)}HERE${'y'.repeat(50)}`;
    assert.equal(excerpt('  short  ', 2), 'short');
    assert.match(excerpt(line, 50, 20), /^…x{5}HEREy{11}…$/);
    assert.match(excerpt(line, 0, 20), /^x{20}…$/);
    assert.match(excerpt(line, 103, 20), /^…y{20}$/);
  });

  it('keeps a name on one line', () => {
    assert.equal(shownName('a b$(x).ts'), 'a b$(x).ts');
    assert.equal(shownName('a\nb'), '"a\\nb"');
    assert.equal(shownName('"a'), '"\\"a"');
  });

  it('counts and measures', () => {
    assert.deepEqual([count(1, 'file'), count(2_000, 'file')], ['1 file', '2,000 files']);
    assert.deepEqual(
      [sizeText(1), sizeText(1_536), sizeText(2 ** 30), sizeText(5 * 2 ** 20)],
      [...['1 byte', '1.5 KB', '1 GB', '5 MB']],
    );
  });
});
