import assert from 'node:assert/strict';

import { maxImageLength, maxTextLength, mostPlaces, readIntent } from '../../src/protocol/toHost.ts';

describe('readIntent', () => {
  it('reads an intent and drops fields that it does not have', () => {
    assert.deepEqual(readIntent({ kind: 'accept', proposal: 'p', file: 2, all: true }), {
      kind: 'accept',
      proposal: 'p',
      file: 2,
    });
  });

  it('refuses what is not an intent', () => {
    for (const message of [
      undefined,
      null,
      'send',
      {},
      { kind: 'applyEdit' },
      { kind: 'send', id: 'q' },
      { kind: 'send', text: 'Why?' },
      { kind: 'send', id: 'q', text: 1 },
      { kind: 'send', id: 'q', text: 'Why?', agreed: -1 },
      { kind: 'send', id: 'q', text: 'Why?', agreed: '1' },
      { kind: 'showSent', turn: 't' },
      { kind: 'showSent', turn: 't', request: -1 },
      { kind: 'makeRoom', what: 'everything' },
      { kind: 'leaveOutFile', turn: 't' },
      { kind: 'leaveOutFile', turn: 't', file: -1 },
      { kind: 'takeBackCut' },
      { kind: 'edit', id: 'e', turn: 't', text: 'x'.repeat(maxTextLength + 1), attachments: [] },
      { kind: 'edit', id: 'e', turn: 't', text: 'Why?' },
      { kind: 'edit', id: 'e', turn: 't', text: 'Why?', attachments: Array(1001).fill('a') },
      { kind: 'answerAgain', id: 'a', turn: 't', model: 'kimi-k3' },
      { kind: 'showVersion', turn: 't' },
      { kind: 'complete', list: 1, trigger: '#', query: '' },
      { kind: 'complete', list: 1, trigger: '@', query: 'x'.repeat(201) },
      { kind: 'complete', list: 1.5, trigger: '@', query: '' },
      { kind: 'complete', list: -1, trigger: '@', query: '' },
      { kind: 'takeCompletion', list: 1 },
      { kind: 'attachImage', name: 'a.svg', mime: 'image/svg+xml', data: 'AA==' },
      { kind: 'attachImage', name: 'a.png', mime: 'image/png', data: '' },
      { kind: 'attachImage', name: 'a.png', mime: 'image/png', data: 'x'.repeat(maxImageLength + 1) },
      { kind: 'attachPlaces', uris: [] },
      { kind: 'attachPlaces', uris: ['x'.repeat(8193)] },
      { kind: 'attachPlaces', uris: Array(mostPlaces + 1).fill('file:///a') },
      { kind: 'attachText', name: 'x'.repeat(1001), text: '' },
      { kind: 'accept', proposal: '' },
      { kind: 'accept', proposal: 'p', file: -1 },
      { kind: 'accept', proposal: 'p', file: 1.5 },
      { kind: 'send', id: 'q', text: 'x'.repeat(maxTextLength + 1) },
    ]) {
      assert.equal(readIntent(message), undefined);
    }
  });
});
