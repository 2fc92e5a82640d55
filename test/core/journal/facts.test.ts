import assert from 'node:assert/strict';

import * as v from 'valibot';

import type { Part, Turn } from '../../../src/core/conversation/conversation.ts';
import { factsOf, factsShape, factsTextLength } from '../../../src/core/journal/facts.ts';

const usage = { input: 10, cached: 4, cacheWrite: 1, output: 3, reasoning: 2 };
const request = {
  round: 0,
  model: 'kimi-k3',
  effort: 'max',
  sentAt: 3,
  beginning: { kind: 'first' },
} as const;
const turn: Turn = {
  id: 't',
  question: { text: 'Why?', attachments: [] },
  model: 'kimi-k3',
  effort: 'max',
  startedAt: 3,
  endedAt: 9,
  parts: [],
  requests: [
    { ...request, usage },
    { ...request, usage: null },
    { ...request, model: 'kimi-k3.1-pro' },
  ],
  end: { kind: 'completed' },
};

describe('what a list shows of a conversation', () => {
  it('is little of an empty one', () => {
    const facts = factsOf({ conversation: { id: 'c', turns: [] }, createdAt: 5 });
    assert.deepEqual(facts, { id: 'c', createdAt: 5, changedAt: 5, question: '', turns: 0, usage: [] });
  });

  it('has times that can be shown, whatever was damaged', () => {
    const facts = factsOf({ conversation: { id: 'c', turns: [{ ...turn, endedAt: 1e17 }] }, createdAt: -5 });
    assert.deepEqual([facts.createdAt, new Date(facts.changedAt).getTime()], [0, facts.changedAt]);
  });

  it('counts the request that named it', () => {
    const named: Turn = { ...turn, requests: [], naming: { ...request, usage } };
    const { usage: used } = factsOf({ conversation: { id: 'c', turns: [named] }, createdAt: 5 });
    assert.deepEqual(used, [{ model: 'kimi-k3', requests: 1, ...usage }]);
  });

  it('says whether there is an answer', () => {
    const unanswered = (last: Turn) =>
      factsOf({ conversation: { id: 'c', turns: [last] }, createdAt: 1 }).unanswered;
    assert.equal(unanswered(turn), undefined);
    assert.equal(unanswered({ ...turn, end: { kind: 'stopped', by: 'reload' } }), true);
  });

  it('is its first question, when it changed, what it took, and what a person made of it', () => {
    const { endedAt: _endedAt, end: _end, ...running } = turn;
    const file = {
      ...({ index: 0, path: 'a', change: 'add', added: 1, removed: 0 } as const),
      ...{ seen: false, amended: false },
    };
    const waiting = (id: string, state: 'pending' | 'accepted'): Part => ({
      ...{ kind: 'tool', id: `0.${id}`, name: 'apply_patch', input: '', openedAt: 3 },
      proposal: { id, files: [{ ...file, state }] },
    });
    const parent = { conversation: 'b', turn: 't', kind: 'version' } as const;
    const facts = factsOf({
      conversation: {
        id: 'c',
        turns: [
          { ...turn, removed: true, question: { text: '', attachments: [] } },
          { ...turn, requests: [], question: { text: 'x'.repeat(2 * factsTextLength), attachments: [] } },
          {
            ...{ ...running, id: 'u', startedAt: 12, requests: [] },
            parts: [
              waiting('p', 'pending'),
              waiting('q', 'accepted'),
              { kind: 'answer', id: '0.2', sections: [], openedAt: 3 },
            ],
          },
        ],
      },
      ...{ createdAt: 1, parent, title: { text: 'Carts', by: 'person' }, pinned: true },
    });
    const none = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 };
    assert.deepEqual(facts, {
      ...{ id: 'c', createdAt: 1, changedAt: 12, question: 'x'.repeat(factsTextLength) },
      ...{ title: { text: 'Carts', by: 'person' }, pinned: true, parent },
      ...{ turns: 2, unanswered: true, waiting: ['p'] },
      usage: [
        { model: 'kimi-k3', requests: 2, ...usage },
        { model: 'kimi-k3.1-pro', requests: 1, ...none },
      ],
    });
    assert.deepEqual(v.parse(factsShape, JSON.parse(JSON.stringify(facts))), facts);
  });
});
