/** Questions that can be recalled: each once, the newest last, and not without bounds. */
import assert from 'node:assert/strict';
import { longestRemembered, mostRemembered, remembered } from '../../src/protocol/remembered.ts';

describe('questions that were asked before', () => {
  const all = (texts: readonly string[]): readonly string[] =>
    texts.reduce(remembered, [] as readonly string[]);

  it('are there once, the newest last, without blanks around them', () => {
    assert.deepEqual(all(['one', 'two', ' one\n']), ['two', 'one']);
    assert.deepEqual(all(['one', 'two', 'two']), ['one', 'two']);
    assert.deepEqual(all(['one', '  \n']), ['one']);
  });

  it('are as many as can be looked through', () => {
    const many = all(Array.from({ length: 300 }, (_, index) => `question ${index}`));
    assert.equal(many.length, mostRemembered);
    assert.equal(many.at(-1), 'question 299');
  });

  it('are not too long together', () => {
    const piece = 'x'.repeat(longestRemembered / 4 - 2);
    const long = all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => one + piece));
    assert.deepEqual(
      long.map((one) => one[0]),
      ['c', 'd', 'e', 'f'],
    );
    assert.deepEqual(all(['short', 'x'.repeat(longestRemembered / 4 + 1)]), ['short']);
  });
});
