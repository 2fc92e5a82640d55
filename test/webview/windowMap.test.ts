/** The words and rows of the map of the context window, and of what is going on. */
import assert from 'node:assert/strict';

import type { RetryWait, SearchPart, ToolPart } from '../../src/core/conversation/conversation.ts';
import type { ContextFacts } from '../../src/core/cost/facts.ts';
import type { RoomOffer } from '../../src/protocol/toWebview.ts';
import { activityText, silenceText } from '../../src/webview/activityText.ts';
import type { Activity } from '../../src/webview/turnFacts.ts';
import { fileName, mapRows, otherOffers } from '../../src/webview/windowMap.ts';

const context: ContextFacts = {
  model: 'kimi-k3.1-pro',
  used: 360,
  estimated: 0,
  window: 1000,
  breakdown: {
    instructions: 10,
    tools: 20,
    questions: 30,
    attachments: 80,
    rules: 15,
    answers: 40,
    reasoning: 70,
    toolCalls: 50,
    toolOutputs: 60,
  },
  factor: 1,
  level: 'fine',
};
const offer = (what: RoomOffer['what']): RoomOffer => ({ what, tokens: 5, turns: 1 });

describe('the map of the window', () => {
  it('has the way to leave something out beside it, or the reason why there is none', () => {
    const offers = [offer('attachments'), offer('rules'), offer('oldestTurns')];
    const rows = mapRows(context, offers, false).map(({ kind, offer: way, why }) => [kind, way?.what ?? why]);
    assert.deepEqual(rows, [
      ['attachments', 'attachments'],
      ['reasoning', 'led to calls, which the service does not take without it'],
      ['toolOutputs', 'nothing more of this can be left out now'],
      ['toolCalls', 'leave with their turns'],
      ['answers', 'leave with their turns'],
      ['questions', 'leave with their turns'],
      ['tools', 'are told of with every request'],
      ['rules', 'rules'],
      ['instructions', 'stand in front of every request'],
    ]);
    const busy = mapRows(context, [], true).flatMap(({ why }) => why ?? []);
    assert.equal(busy.filter((why) => why === 'can be left out when the turn has ended').length, 4);
    assert.deepEqual(otherOffers(offers), [offer('oldestTurns')]);
  });

  it('names attachments as their chips do', () => {
    const file = {
      id: 'f',
      kind: 'selection',
      path: 'src/cart.ts',
      uri: 'u',
      languageId: 'ts',
      range: { from: 3, to: 9 },
    } as const;
    const turn = {
      id: 't',
      question: { text: 'q', attachments: [file] },
      model: 'kimi-k3',
      effort: 'max',
      startedAt: 0,
      parts: [],
      requests: [],
    } as const;
    assert.equal(fileName({ turn: 't', index: 0, tokens: 1 }, [turn]), 'cart.ts:3-9');
    assert.equal(fileName({ turn: 't', index: 1, tokens: 1 }, [turn]), undefined);
    assert.equal(fileName({ turn: 'x', index: 0, tokens: 1 }, [turn]), undefined);
  });
});

describe('what a turn is doing', () => {
  const part = (more: Partial<ToolPart>): ToolPart => ({
    kind: 'tool',
    id: 't',
    name: 'read_file',
    input: '{"path":"a/cart.ts"}',
    openedAt: 0,
    ...more,
  });
  const search: SearchPart = {
    kind: 'search',
    id: 's',
    search: { action: { kind: 'search', queries: ['x'] }, sources: [], images: [] },
    openedAt: 0,
  };
  const retry: RetryWait = {
    failure: { kind: 'overloaded', message: '', status: 503 },
    attempt: 2,
    of: 4,
    since: 0,
    until: 5000,
  };
  const says = (activity: Activity, more: { offline?: boolean; via?: string } = {}): string =>
    activityText(activity, { model: 'Kimi', left: 4500, offline: false, ...more });

  it('is said in words', () => {
    assert.equal(says({ kind: 'waiting', since: 0 }), 'Waiting for Kimi');
    assert.equal(says({ kind: 'waiting', since: 0 }, { via: 'b.test' }), 'Waiting for Kimi at b.test');
    assert.equal(says({ kind: 'thinking', since: 0 }), 'Thinking');
    assert.equal(says({ kind: 'answering' }), 'Writing the answer');
    assert.equal(says({ kind: 'searching', part: search }), 'Searching the web for “x”');
    assert.equal(says({ kind: 'runningTool', part: part({}) }), 'Reading cart.ts');
    const patch = part({ name: 'apply_patch' });
    assert.equal(says({ kind: 'writingCall', part: patch }), 'Writing a patch');
    const progress = { files: [{ path: 'a', change: 'update', added: 1, removed: 0 }] } as const;
    assert.equal(says({ kind: 'writingCall', part: { ...patch, progress } }), 'Writing a patch for 1 file');
    assert.equal(says({ kind: 'runningTool', part: patch }), 'Fitting a patch to the files');
    assert.equal(says({ kind: 'reviewing', part: patch }), 'Waiting for your review');
    assert.equal(
      says({ kind: 'retrying', retry }),
      'The service is overloaded. Trying again in 5\u00a0s (2 of 4).',
    );
  });

  it('is said to be without a network, where that is the matter', () => {
    assert.equal(says({ kind: 'waiting', since: 0 }, { offline: true }), 'This computer is offline');
    assert.equal(
      says({ kind: 'retrying', retry }, { offline: true }),
      'This computer is offline. The service is overloaded. Trying again in 5\u00a0s (2 of 4).',
    );
    assert.equal(
      silenceText(61_000, true),
      'This computer is offline, 1\u00a0min\u00a01\u00a0s without news',
    );
    assert.equal(silenceText(61_000, false), 'Still thinking, 1\u00a0min\u00a01\u00a0s without news');
  });
});
