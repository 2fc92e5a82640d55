import assert from 'node:assert/strict';

import type { ProposalSummary, Turn } from '../../../src/core/conversation/conversation.ts';
import {
  emptyHistory,
  historyItems,
  reduceHistory,
  unansweredOutput,
} from '../../../src/core/conversation/history.ts';
import { reduce } from '../../../src/core/conversation/reduce.ts';
import type { ItemsKept, ShownEvent, TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import { isShown } from '../../../src/core/conversation/turnEvent.ts';
import { userMessage } from '../../../src/core/conversation/userMessage.ts';
import { endingsOf } from '../../../src/core/journal/endings.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';

const at = 7;
const question = { text: 'Why?', attachments: [] };
const started: TurnEvent = { kind: 'turnStarted', turn: 't', question, model: 'kimi-k3', effort: 'max', at };
const asked: ItemsKept = { kind: 'itemsKept', turn: 't', items: [userMessage('Why?', [])] };
const sent: ShownEvent = {
  kind: 'requestSent',
  turn: 't',
  round: 0,
  model: 'kimi-k3',
  effort: 'max',
  beginning: { kind: 'first' },
  at,
};
const answering: ShownEvent = { kind: 'partOpened', turn: 't', part: '0.0', what: 'answer', at };
const calling = (part: string): ShownEvent => ({ kind: 'toolOpened', turn: 't', part, name: 'look', at });
const responded: ShownEvent = { kind: 'requestEnded', turn: 't', usage: null, at };
const call = (id: string): HistoryItem => ({
  type: 'function_call',
  call_id: id,
  name: 'look',
  arguments: '{}',
});
const called = (...ids: readonly string[]): ItemsKept => ({
  kind: 'itemsKept',
  turn: 't',
  items: ids.map(call),
});

function fold(...events: readonly TurnEvent[]) {
  return {
    conversation: events.filter(isShown).reduce(reduce, { id: 'c', turns: [] }),
    history: events.reduce(reduceHistory, emptyHistory()),
  };
}

/** The turn with its endings, what the model is told then, and that nothing is left to be ended. */
function ended(...events: readonly TurnEvent[]): {
  readonly turn: Turn;
  readonly told: readonly HistoryItem[];
} {
  const all = [...events, ...endingsOf(fold(...events), 20)];
  const { conversation, history } = fold(...all);
  assert.deepEqual(endingsOf({ conversation, history }, 30), []);
  const [turn] = conversation.turns;
  assert.ok(turn !== undefined);
  assert.deepEqual(turn.end, { kind: 'stopped', by: 'reload' });
  assert.equal(turn.endedAt, 20);
  assert.ok(turn.parts.every(({ closedAt }) => closedAt !== undefined));
  return { turn, told: historyItems(history) };
}

const pending: ProposalSummary = {
  id: 'p',
  files: [
    {
      ...{ index: 0, path: 'a.ts', change: 'update', added: 1, removed: 1 },
      ...{ state: 'pending', seen: false, amended: false },
    },
  ],
};

describe('a turn that was running when its window went', () => {
  it('has its answer marked as cut off, and its request ended', () => {
    const { turn, told } = ended(started, asked, sent, answering, calling('0.1'));
    assert.deepEqual(turn.broken, ['0.0', '0.1']);
    assert.equal(turn.requests[0]?.endedAt, 20);
    assert.deepEqual(told, asked.items);
    const tool = turn.parts[1];
    assert.equal(tool?.kind === 'tool' && tool.outcome?.kind, 'cancelled');
  });

  it('has the request for a title ended, though the turn itself had come to its end', () => {
    const done: ShownEvent = { kind: 'turnEnded', turn: 't', end: { kind: 'completed' }, at };
    const naming: ShownEvent = {
      ...{ kind: 'namingSent', turn: 't', model: 'kimi-k3.1-pro', effort: 'low' },
      ...{ expectedInput: 1, room: 1, at },
    };
    const events = [started, asked, sent, responded, done, naming];
    assert.deepEqual(endingsOf(fold(...events), 20), [
      { kind: 'namingEnded', turn: 't', usage: null, at: 20 },
    ]);
    const told: ShownEvent = { kind: 'namingEnded', turn: 't', usage: null, at };
    assert.deepEqual(endingsOf(fold(...events, told), 20), []);
  });

  it('has nothing that broke when nothing of an answer came', () => {
    assert.equal(ended(started, asked, sent).turn.broken, undefined);
    assert.equal(ended(started, asked).turn.broken, undefined);
  });

  it('ended when something was written last, and not before what is known of it', () => {
    const endedAt = (written: number): unknown =>
      endingsOf(fold(started, asked, sent, answering), written).find(({ kind }) => kind === 'turnEnded');
    const end = { kind: 'turnEnded', turn: 't', end: { kind: 'stopped', by: 'reload' }, broken: ['0.0'] };
    assert.deepEqual(endedAt(at + 5), { ...end, at: at + 5 });
    assert.deepEqual(endedAt(at - 5), { ...end, at });
  });

  it('has its question even where that was cut off behind its first line', () => {
    assert.deepEqual(ended(started).told, asked.items);
  });

  it('is ended where nothing is known of what the model was told', () => {
    const { conversation } = fold(started, asked, sent, answering);
    const kinds = endingsOf({ conversation, history: emptyHistory() }, 20).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['itemsKept', 'partClosed', 'requestEnded', 'turnEnded']);
  });

  it('has its answer marked when that had ended and what is kept of it was not written any more', () => {
    assert.deepEqual(ended(started, asked, sent, answering, responded).turn.broken, ['0.0']);
  });

  it('keeps an answer that was kept, and tells the model what is known of each call', () => {
    const settled: ShownEvent = {
      ...{ kind: 'toolSettled', turn: 't', part: '0.1', at },
      outcome: { kind: 'done', text: 'Found.' },
    };
    const { turn, told } = ended(
      ...[started, asked, sent, calling('0.1'), calling('0.2'), responded, called('x', 'y'), settled],
    );
    assert.equal(turn.broken, undefined);
    const outputs = told.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
    assert.equal(outputs[0], 'Found.');
    assert.match(outputs[1] ?? '', /^The window was closed while this was going on/);
  });

  it('tells the model of calls that can’t be told apart that nothing is known', () => {
    const { told } = ended(started, asked, sent, calling('0.1'), responded, called('x', 'y'));
    const outputs = told.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
    assert.deepEqual(outputs, [unansweredOutput, unansweredOutput]);
  });

  it('lets a patch wait on, and takes a question to the person back', () => {
    const { turn, told } = ended(
      ...[started, asked, sent, calling('0.0'), calling('0.1'), responded, called('x', 'y')],
      { kind: 'toolReviewed', turn: 't', part: '0.0', proposal: pending },
      {
        ...{ kind: 'approvalAsked', turn: 't', part: '0.1' },
        approval: { id: 'a', request: { kind: 'read', why: 'outside', path: '/x' }, askedAt: at },
      },
    );
    const [patch, reading] = turn.parts;
    assert.ok(patch?.kind === 'tool' && reading?.kind === 'tool');
    assert.equal(patch.outcome?.kind, 'undecided');
    assert.deepEqual(reading.approvals?.[0]?.answer, { kind: 'cancelled' });
    assert.match(JSON.stringify(told), /the patch is not decided yet/);
  });
});
