/** What is said of sending what stands in the composer. */
import assert from 'node:assert/strict';
import type { Approval } from '../../src/core/conversation/conversation.ts';
import { momentOf, sendTitle, whyNot } from '../../src/webview/sendingText.ts';

describe('sending', () => {
  it('is said to be what it does at the moment', () => {
    const approval: Approval = {
      askedAt: 1,
      id: 'a',
      request: { kind: 'command', command: 'ls', folder: '.', seconds: 10 },
    };
    const moments = [
      momentOf(undefined, false),
      momentOf({ kind: 'answering' }, false),
      momentOf({ kind: 'asking', approval, count: 1 }, true),
      momentOf({ kind: 'waiting', since: 0 }, true),
    ];
    assert.deepEqual(moments, ['idle', 'running', 'asking', 'reviewing']);
    assert.deepEqual(
      moments.map((moment) => sendTitle(moment, 'Enter', undefined)),
      [
        'Send (Enter)',
        'Send when the answer is complete (Enter)',
        'Send, and allow nothing of what the model asks (Enter)',
        'Send, and decide on the patch later (Enter)',
      ],
    );
  });

  it('is not possible without a text, which needs no words', () => {
    assert.equal(whyNot({ key: 'missing', elsewhere: 'open' }, ' \n', false), '');
  });

  it('is not possible without a key, but a question can wait for one in the queue', () => {
    assert.match(whyNot({ key: 'missing' }, 'Why?', false) ?? '', /^Set the API key/);
    assert.equal(whyNot({ key: 'missing' }, 'Why?', true), undefined);
    assert.equal(whyNot({ key: 'present' }, 'Why?', false), undefined);
  });

  it('is not possible where another window has the conversation, whatever else is the matter', () => {
    assert.match(whyNot({ key: 'missing', elsewhere: 'open' }, 'Why?', true) ?? '', /open in another window/);
    assert.match(
      whyNot({ key: 'present', elsewhere: 'deleted' }, 'Why?', false) ?? '',
      /was deleted in another/,
    );
  });
});
