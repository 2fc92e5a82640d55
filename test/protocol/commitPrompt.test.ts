import assert from 'node:assert/strict';

import { asksForCommit } from '../../src/protocol/commitPrompt.ts';

describe('a question for the message of a commit', () => {
  it('is known by its prompt', () => {
    assert.ok(
      asksForCommit([
        { kind: 'diff', id: 'd' },
        { kind: 'prompt', id: 'prompt-commit' },
      ]),
    );
    assert.ok(!asksForCommit([{ kind: 'prompt', id: 'prompt-fix' }]));
    assert.ok(!asksForCommit([{ kind: 'file', id: 'prompt-commit' }]));
    assert.ok(!asksForCommit([]));
  });
});
