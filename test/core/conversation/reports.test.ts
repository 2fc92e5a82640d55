/** What a model is still to be told. */
import assert from 'node:assert/strict';

import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import { isUntold } from '../../../src/core/conversation/reports.ts';

const turn = (id: string, removed?: true): Turn => ({
  id,
  question: { text: 'q', attachments: [] },
  model: 'kimi-k3',
  effort: 'max',
  startedAt: 1,
  parts: [],
  requests: [],
  ...(removed !== undefined && { removed }),
});
const conversation: Conversation = { id: 'c', turns: [turn('a'), turn('b', true), turn('c')] };

describe('reports', () => {
  it('are told once, again when where they were told is gone, and not about what is not seen', () => {
    const untold = isUntold(conversation);
    assert.equal(untold({ text: 'x' }), true);
    assert.equal(untold({ text: 'x', about: 'a' }), true);
    assert.equal(untold({ text: 'x', about: 'a', told: 'c' }), false);
    assert.equal(untold({ text: 'x', about: 'a', told: 'b' }), true);
    assert.equal(untold({ text: 'x', about: 'a', told: 'left behind' }), true);
    assert.equal(untold({ text: 'x', about: 'b' }), false);
    assert.equal(untold({ text: 'x', told: 'c' }), false);
  });
});
