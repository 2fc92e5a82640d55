/** Numbers of lists have room, however many figures they have. */
import assert from 'node:assert/strict';
import { roomForNumbers } from '../../src/webview/markdown/listNumbers.ts';

describe('the room for the numbers of a list', () => {
  it('is that of two figures, unless the last number has more', () => {
    assert.equal(roomForNumbers(1), undefined);
    assert.equal(roomForNumbers(99), undefined);
    assert.deepEqual(roomForNumbers(100), { '--figures': '3' });
    assert.deepEqual(roomForNumbers(999_999_999), { '--figures': '9' });
  });
});
