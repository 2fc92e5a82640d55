import assert from 'node:assert/strict';

import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import {
  emptyHistory,
  leftOut,
  reduceHistory,
  type History,
} from '../../../src/core/conversation/history.ts';
import { userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';
import { cutsFor, freed, roomOffers, type RoomFacts } from '../../../src/host/chat/makeRoom.ts';

const file: Attachment = {
  id: 'a',
  kind: 'file',
  path: 'a.ts',
  uri: 'file:///a.ts',
  languageId: 'typescript',
  text: 'x'.repeat(500),
};

interface Past {
  readonly attached?: boolean;
  readonly called?: boolean;
  readonly end?: Turn['end'];
}

function facts(turns: readonly Past[], wanted = 0): RoomFacts {
  let history: History = emptyHistory();
  const shown = turns.map(({ attached, called, end = { kind: 'completed' } }, index): Turn => {
    const turn = String(index);
    const attachments = attached === true ? [file] : [];
    const { text: _, ...summary } = file;
    const question = { text: 'Why?', attachments: attached === true ? [summary] : [] };
    history = reduceHistory(history, {
      kind: 'turnStarted',
      turn,
      question,
      model: 'kimi-k3.1-pro',
      effort: 'max',
      at: 0,
    });
    const items: HistoryItem[] = [userMessage('Why?', attachments)];
    if (called === true) items.push({ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' });
    history = reduceHistory(history, { kind: 'itemsKept', turn, items });
    if (called === true) {
      const output = 'y'.repeat(300);
      history = reduceHistory(history, {
        kind: 'itemsKept',
        turn,
        items: [{ type: 'function_call_output', call_id: 'c', output }],
      });
    }
    return {
      id: turn,
      question,
      model: 'kimi-k3.1-pro',
      effort: 'max',
      startedAt: 0,
      requests: [],
      end,
      parts:
        called === true
          ? [{ kind: 'tool', id: '0.0', name: 'f', input: '{}', openedAt: 0, closedAt: 1 }]
          : [],
    };
  });
  const conversation: Conversation = { id: 'c', turns: shown };
  // A unit of weight is a character of what is sent.
  const tokensOf = (items: readonly HistoryItem[]): number =>
    items.reduce((sum, item) => sum + textOf(item).length, 0);
  return { conversation, history, model: 'kimi-k3.1-pro', wanted, tokensOf };
}

function textOf(item: HistoryItem): string {
  if (item.type === 'message') return item.content.map(({ text }) => text).join('');
  return item.type === 'function_call_output' ? item.output : '';
}

describe('making room', () => {
  it('offers what frees something, and says exactly how much', () => {
    const past = facts([{ attached: true }, { called: true }, {}]);
    const attached = textOf(userMessage('Why?', [file])).length - 'Why?'.length;
    assert.deepEqual(roomOffers(past), [
      { what: 'attachments', tokens: attached - leftOut.length, turns: 1 },
      { what: 'toolOutputs', tokens: 300 - leftOut.length, turns: 1 },
      { what: 'oldestTurns', tokens: attached + 4, turns: 1 },
    ]);
    assert.deepEqual(roomOffers(facts([{}])), []);
    assert.deepEqual(roomOffers(facts([])), []);
  });

  it('leaves out as many of the oldest turns as are needed, and never the newest', () => {
    assert.deepEqual(
      cutsFor('oldestTurns', facts([{}, {}, {}, {}], 5)).map(({ turn }) => turn),
      ['0', '1'],
    );
    assert.deepEqual(
      cutsFor('oldestTurns', facts([{}, {}, {}], 1e9)).map(({ turn }) => turn),
      ['0', '1'],
    );
  });

  it('leaves alone what a turn needs that can be gone on with', () => {
    const last = facts([{ attached: true }, { attached: true, end: { kind: 'stopped' } }]);
    assert.deepEqual(
      cutsFor('attachments', last).map(({ turn }) => turn),
      ['0'],
    );
    const stopped = facts([{ attached: true, end: { kind: 'stopped' } }, {}]);
    assert.deepEqual(
      cutsFor('attachments', stopped).map(({ turn }) => turn),
      ['0'],
    );
  });

  it('adds to what was left out before, and does not offer it twice', () => {
    const past = facts([{ attached: true, called: true }, {}]);
    const [first, second] = past.conversation.turns;
    assert.ok(first && second);
    const cut = { attached: { ...first, cut: { attachments: true } as const } };
    const after: RoomFacts = { ...past, conversation: { id: 'c', turns: [cut.attached, second] } };
    assert.deepEqual(cutsFor('attachments', after), []);
    assert.deepEqual(cutsFor('toolOutputs', after), [
      { turn: '0', cut: { attachments: true, toolOutputs: true } },
    ]);
    const whole: RoomFacts = {
      ...past,
      conversation: { id: 'c', turns: [{ ...first, cut: { whole: true } }, second] },
    };
    assert.deepEqual(roomOffers(whole), []);
    assert.equal(freed([], past), 0);
  });
});
