/** Where a text that is selected stands when there is more text in front of it, or less. */
import assert from 'node:assert/strict';
import { movedBy } from '../../src/webview/selectedText.ts';

describe('text that is selected', () => {
  const cases: readonly (readonly [name: string, whole: string, part: string, at: number, moved: number])[] =
    [
      ['stays where only more came behind it', 'one two three', 'two', 4, 0],
      ['moves on with what came in front of it', 'Apply… one two', 'one', 0, 7],
      ['moves back with marks that went', 'one bold two', 'two', 13, -4],
      ['is the nearest of those that read the same', 'ab ab ab ab', 'ab', 7, -1],
      ['is the nearest also behind it', 'ab ab ab ab', 'ab', 5, 1],
      ['is taken where it stood when nothing reads so any more', 'other', 'two', 4, 0],
      ['is taken where it stood when that is elsewhere', 'two', 'two', NaN, 0],
    ];
  for (const [name, whole, part, at, moved] of cases) {
    it(name, () => {
      assert.equal(movedBy(whole, part, at), moved);
    });
  }
});
