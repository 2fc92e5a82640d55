import assert from 'node:assert/strict';

import type { Part } from '../../../src/core/conversation/conversation.ts';
import { commitText } from '../../../src/host/prompts/commitText.ts';

const answer = (...sections: readonly string[]): { readonly parts: readonly Part[] } => ({
  parts: [
    { kind: 'reasoning', id: '0', sections: ['```\nnot this\n```'], openedAt: 0 },
    { kind: 'answer', id: '1', sections, openedAt: 0 },
  ],
});

describe('the message for a commit', () => {
  it('stands in the first block of code', () => {
    assert.equal(
      commitText(answer('Here:\n\n```text\nAdd a cart\n\nWhy.\n```\n\nAnd:\n```\nno\n```')),
      'Add a cart\n\nWhy.',
    );
    assert.equal(commitText(answer('~~~\r\nFix it\r\n~~~')), 'Fix it');
    assert.equal(commitText(answer('````\nUse ```\n````')), 'Use ```');
    assert.equal(commitText(answer('  ```\n  Indent\n  ```')), 'Indent');
  });

  it('is the whole answer where there is none', () => {
    assert.equal(commitText(answer(' Fix the total \n')), 'Fix the total');
    assert.equal(commitText(answer('```\nnever ends')), '```\nnever ends');
    assert.equal(commitText(answer()), '');
    assert.equal(commitText({ parts: [] }), '');
  });
});
