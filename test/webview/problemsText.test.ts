/** What is said of the problems after a patch: nothing better than is known. */
import assert from 'node:assert/strict';

import { problemsText, uncheckedText } from '../../src/webview/problemsText.ts';

const none = { checking: false, fixed: 0, introduced: 0, unknown: 0, shown: [] };

describe('the problems after a patch, in words', () => {
  it('are counted by what the patch did', () => {
    assert.equal(problemsText({ ...none, fixed: 3, introduced: 1 }), 'Problems: fixed 3, introduced 1');
    assert.equal(problemsText({ ...none, fixed: 3 }), 'Problems: fixed 3');
    assert.equal(problemsText({ ...none, introduced: 2, unknown: 1 }), 'Problems: introduced 2');
  });

  it('are not said to be none where nobody looked', () => {
    assert.equal(problemsText(none), 'No new problems reported');
    assert.equal(problemsText({ ...none, unknown: 1 }), 'Problems: not known');
    assert.equal(problemsText({ ...none, checking: true }), 'Looking for problems');
  });

  it('name how many files nobody looked at', () => {
    assert.match(uncheckedText(1), /^One changed file is in no editor/);
    assert.match(uncheckedText(3), /^3 changed files are in no editor/);
  });
});
