import assert from 'node:assert/strict';

import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import {
  emptyHistory,
  historyItems,
  leftOut,
  reduceHistory,
  type History,
} from '../../../src/core/conversation/history.ts';
import { userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';
import {
  cutsFor,
  fileCut,
  freed,
  leftOutOf,
  restoringCuts,
  roomOffers,
  type RoomFacts,
} from '../../../src/host/sessions/makeRoom.ts';
import type { CutEffect, RoomKind, RoomOffer } from '../../../src/protocol/toWebview.ts';
import { textOfPart } from '../../support/contents.ts';

const file: Attachment = {
  id: 'a',
  kind: 'file',
  path: 'a.ts',
  uri: 'file:///a.ts',
  languageId: 'typescript',
  text: 'x'.repeat(500),
};

const rule: Attachment = {
  ...file,
  id: 'r',
  kind: 'instructions',
  path: 'AGENTS.md',
  uri: 'file:///AGENTS.md',
  text: 'z'.repeat(200),
};

interface Past {
  readonly attached?: boolean;
  /** Standing instructions stand before what else is attached. */
  readonly ruled?: boolean;
  readonly called?: boolean;
  readonly end?: Turn['end'];
}

function facts(turns: readonly Past[], wanted = 0): RoomFacts {
  let history: History = emptyHistory();
  const shown = turns.map(({ attached, ruled, called, end = { kind: 'completed' } }, index): Turn => {
    const turn = String(index);
    const attachments = [...(ruled === true ? [rule] : []), ...(attached === true ? [file] : [])];
    const question = { text: 'Why?', attachments: attachments.map(({ text: _, ...summary }) => summary) };
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
  // More is read anew the more items there are.
  const effectOf = (after: History): CutEffect => ({
    anew: tokensOf(historyItems(after)),
    more: 1,
    moreLater: -1,
  });
  return { conversation, history, model: 'kimi-k3.1-pro', wanted, tokensOf, effectOf };
}

function textOf(item: HistoryItem): string {
  if (item.type === 'message') return item.content.map(textOfPart).join('');
  return item.type === 'function_call_output' ? item.output : '';
}

describe('making room', () => {
  it('offers what frees something, and says exactly how much', () => {
    const past = facts([{ attached: true }, { called: true }, {}]);
    const attached = textOf(userMessage('Why?', [file])).length - 'Why?'.length;
    const all = past.tokensOf(historyItems(past.history));
    const offer = (what: RoomKind, tokens: number): RoomOffer => ({
      what,
      tokens,
      turns: 1,
      effect: { anew: all - tokens, more: 1, moreLater: -1 },
    });
    const file0 = offer('attachments', attached - leftOut.length);
    assert.deepEqual(roomOffers(past), [
      { ...file0, files: [{ turn: '0', index: 0, tokens: file0.tokens, effect: file0.effect }] },
      offer('toolOutputs', 300 - leftOut.length),
      offer('oldestTurns', attached + 4),
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

  it('leaves out single attachments, each once, and takes all of it back', () => {
    const past = facts([{ attached: true }, { attached: true }]);
    const [first, second] = past.conversation.turns;
    assert.ok(first && second);
    const cut = { files: [0] };
    assert.deepEqual(fileCut('0', 0, past), [{ turn: '0', cut }]);
    assert.deepEqual(fileCut('0', 1, past), []);
    assert.deepEqual(fileCut('nobody', 0, past), []);
    const event = { kind: 'contextCut', turn: '0', cut } as const;
    const after: RoomFacts = {
      ...past,
      history: reduceHistory(past.history, event),
      conversation: { id: 'c', turns: [{ ...first, cut }, second] },
    };
    assert.deepEqual(fileCut('0', 0, after), []);
    const offer = roomOffers(after).find(({ what }) => what === 'attachments');
    assert.deepEqual(
      offer?.files?.map(({ turn }) => turn),
      ['1'],
    );
    assert.equal(leftOutOf(past), undefined);
    const attached = textOf(userMessage('Why?', [file])).length - 'Why?'.length;
    assert.deepEqual(leftOutOf(after), { tokens: attached - leftOut.length, turns: 1 });
    assert.deepEqual(restoringCuts(after), [{ turn: '0', cut: {} }]);
    for (const whole of [{ whole: true }, { attachments: true }] as const) {
      const gone: typeof past = {
        ...past,
        conversation: { id: 'c', turns: [{ ...first, cut: whole }, second] },
      };
      assert.deepEqual(fileCut('0', 0, gone), []);
    }
  });

  it('leaves out standing instructions by themselves, and attachments without them', () => {
    const past = facts([{ attached: true, ruled: true }, { ruled: true }, { attached: true }]);
    assert.deepEqual(cutsFor('attachments', past), [
      { turn: '0', cut: { files: [1] } },
      { turn: '2', cut: { attachments: true } },
    ]);
    assert.deepEqual(cutsFor('rules', past), [
      { turn: '0', cut: { files: [0] } },
      { turn: '1', cut: { files: [0] } },
    ]);
    const offers = roomOffers(past);
    const filesOf = (what: RoomKind): readonly (readonly [string, number])[] | undefined =>
      offers.find((one) => one.what === what)?.files?.map(({ turn, index }) => [turn, index]);
    assert.deepEqual(filesOf('rules'), [
      ['0', 0],
      ['1', 0],
    ]);
    assert.deepEqual(filesOf('attachments'), [
      ['0', 1],
      ['2', 0],
    ]);
    const [first, ...others] = past.conversation.turns;
    assert.ok(first);
    const cut = { files: [0] };
    const after: RoomFacts = { ...past, conversation: { id: 'c', turns: [{ ...first, cut }, ...others] } };
    assert.deepEqual(cutsFor('rules', after), [{ turn: '1', cut }]);
    assert.deepEqual(cutsFor('attachments', after)[0], { turn: '0', cut: { files: [0, 1] } });
    const gone: RoomFacts = {
      ...past,
      conversation: { id: 'c', turns: [{ ...first, cut: { attachments: true } }, ...others] },
    };
    assert.deepEqual(
      cutsFor('rules', gone).map(({ turn }) => turn),
      ['1'],
    );
  });

  it('reckons no more than the largest attachments one by one', () => {
    const past = facts(Array.from({ length: 30 }, () => ({ attached: true })));
    assert.equal(roomOffers(past)[0]?.files?.length, 12);
  });

  it('offers to leave out reasoning where there is some', () => {
    const past = facts([{}, {}]);
    const [first, second] = past.conversation.turns;
    assert.ok(first && second);
    const thought = { kind: 'reasoning', id: '0.0', sections: ['s'], openedAt: 0 } as const;
    const turns = [{ ...first, parts: [thought] }, second];
    const event = {
      kind: 'itemsKept',
      turn: '0',
      items: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'thought' }] }],
    } as const;
    const with0: RoomFacts = {
      ...past,
      conversation: { id: 'c', turns },
      history: reduceHistory(past.history, event),
    };
    assert.deepEqual(cutsFor('reasoning', with0), [{ turn: '0', cut: { reasoning: true } }]);
    assert.deepEqual(cutsFor('reasoning', past), []);
  });
});
