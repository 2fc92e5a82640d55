/** What is said of the problems after a patch: nothing better than is known. */
import assert from 'node:assert/strict';

import { problemsText, uncheckedText } from '../../src/webview/problemsText.ts';

const none = { checking: false, fixed: 0, introduced: 0, shown: [] };

describe('the problems after a patch, in words', () => {
  it('are counted by what the patch did', () => {
    assert.equal(problemsText({ ...none, fixed: 3, introduced: 1 }), 'Problems: fixed 3, introduced 1');
    assert.equal(problemsText({ ...none, fixed: 3 }), 'Problems: fixed 3');
    assert.equal(problemsText({ ...none, introduced: 2 }), 'Problems: introduced 2');
  });

  it('are only said to be none when the looking is over', () => {
    assert.equal(problemsText(none), 'No new problems reported');
    assert.equal(problemsText({ ...none, checking: true }), 'Looking for problems');
  });

  it('name how many files nobody looked at', () => {
    assert.match(uncheckedText(1), /: the file is in no editor/);
    assert.match(uncheckedText(3), /: 3 files are in no editor/);
  });
});
