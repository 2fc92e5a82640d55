import assert from 'node:assert/strict';

import type { ContextCut, Turn } from '../../../src/core/conversation/conversation.ts';
import {
  emptyHistory,
  historyItems,
  leftOut,
  reduceHistory,
  unansweredOutput,
  type History,
} from '../../../src/core/conversation/history.ts';
import type { TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';
import { textOfPart } from '../../support/contents.ts';

const started = (turn: string, model: 'kimi-k3' | 'kimi-k3.1-pro' = 'kimi-k3.1-pro'): TurnEvent => ({
  kind: 'turnStarted',
  turn,
  question: { text: 'q', attachments: [] },
  model,
  effort: 'max',
  at: 1,
});
const kept = (turn: string, items: readonly HistoryItem[], partial?: boolean): TurnEvent => ({
  kind: 'itemsKept',
  turn,
  items,
  ...(partial !== undefined && { partial }),
});
const user = (text: string): HistoryItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const said = (text: string): HistoryItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const reasoning = (id: string, more: object = {}): HistoryItem => ({
  type: 'reasoning',
  id,
  summary: [],
  ...more,
});
const call = (call_id: string): HistoryItem => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{}',
});
const patch = (call_id: string): HistoryItem => ({
  type: 'custom_tool_call',
  call_id,
  name: 'apply_patch',
  input: '',
});
const output = (call_id: string, text: string): HistoryItem => ({
  type: 'function_call_output',
  call_id,
  output: text,
});
const patched = (call_id: string, text: string): HistoryItem => ({
  type: 'custom_tool_call_output',
  call_id,
  output: text,
});

function userMessageOf(...texts: readonly string[]): HistoryItem {
  return { type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) };
}

function fold(...events: readonly TurnEvent[]): History {
  return events.reduce(reduceHistory, emptyHistory());
}

describe('conversation/history', () => {
  it('keeps items in the order in which they came', () => {
    const history = fold(started('t'), kept('t', [user('a')]), kept('t', [reasoning('r'), said('b')]));
    assert.deepEqual(historyItems(history), [user('a'), reasoning('r'), said('b')]);
  });

  it('is not changed by events that keep nothing', () => {
    const history = fold(started('t'));
    assert.equal(reduceHistory(history, { kind: 'partClosed', turn: 't', part: '0.0', at: 1 }), history);
    assert.equal(reduceHistory(history, kept('unknown', [user('a')])), history);
  });

  it('loses what was partial when its turn is resumed, and nothing else', () => {
    const history = fold(
      started('t'),
      kept('t', [user('a')]),
      kept('t', [said('half')], true),
      started('u'),
      kept('u', [user('b')]),
      kept('u', [said('other half')], true),
      { kind: 'turnResumed', turn: 'u', drop: [], at: 2 },
    );
    assert.deepEqual(historyItems(history), [user('a'), said('half'), user('b')]);
  });

  describe('what a person left out', () => {
    const question: HistoryItem = {
      type: 'message',
      role: 'user',
      content: ['a.ts:\n…', 'b.ts:\n…', 'Why?'].map((text) => ({ type: 'input_text', text })),
    };
    const long = 'x'.repeat(5000);
    const first = [
      started('t'),
      kept('t', [question]),
      kept('t', [reasoning('r'), call('f:0'), patch('p:0')]),
      kept('t', [output('f:0', long), patched('p:0', 'ok')]),
      kept('t', [said('b')]),
    ];
    const later = [started('u'), kept('u', [user('And?')])];
    const cut = (what: ContextCut): TurnEvent => ({ kind: 'contextCut', turn: 't', cut: what });
    const sent = (...events: readonly TurnEvent[]): readonly HistoryItem[] =>
      historyItems(fold(...first, ...later, ...events));

    it('of attachments is their text, not the question', () => {
      const [item] = sent(cut({ attachments: true }));
      assert.deepEqual(item?.type === 'message' && item.content.map(textOfPart), [leftOut, 'Why?']);
      const plain = fold(started('t'), kept('t', [user('a')]), cut({ attachments: true }));
      assert.deepEqual(historyItems(plain), [user('a')]);
    });

    it('of tools is what they gave out, where that is long; each call keeps its output', () => {
      const items = sent(cut({ toolOutputs: true }));
      assert.deepEqual(items.slice(2, 6), [
        call('f:0'),
        patch('p:0'),
        output('f:0', leftOut),
        patched('p:0', 'ok'),
      ]);
      assert.deepEqual(items[0], question);
    });

    it('of a whole turn is all of it, and nothing of the others', () => {
      assert.deepEqual(sent(cut({ whole: true })), [user('And?')]);
    });

    it('can be had back', () => {
      assert.deepEqual(sent(cut({ whole: true }), cut({})), sent());
    });
  });

  it('leaves out what another model has encrypted, and keeps its clear summary', () => {
    const secret = reasoning('r', { encrypted_content: 'x' });
    const history = fold(started('t', 'kimi-k3'), kept('t', [user('a')]), kept('t', [secret, said('b')]));
    assert.deepEqual(historyItems(history, 'kimi-k3'), [user('a'), secret, said('b')]);
    assert.deepEqual(historyItems(history, 'kimi-k3.1-pro'), [user('a'), reasoning('r'), said('b')]);
  });

  it('knows which model spoke after a turn was resumed with another one', () => {
    const secret = (id: string): HistoryItem => reasoning(id, { encrypted_content: 'x' });
    const history = fold(
      started('t', 'kimi-k3'),
      kept('t', [secret('r'), said('a')]),
      { kind: 'turnResumed', turn: 't', drop: [], model: 'kimi-k3.1-pro', at: 2 },
      kept('t', [secret('s'), said('b')]),
    );
    assert.deepEqual(historyItems(history, 'kimi-k3.1-pro'), [
      reasoning('r'),
      said('a'),
      secret('s'),
      said('b'),
    ]);
  });

  it('puts outputs directly behind the calls they answer, whatever stands between in the response', () => {
    const history = fold(
      started('t'),
      kept('t', [user('a')]),
      kept('t', [reasoning('r'), call('f:0'), call('f:1'), reasoning('s'), said('b'), patch('p:0')]),
      kept('t', [output('f:0', '0'), output('f:1', '1'), patched('p:0', '2')]),
    );
    assert.deepEqual(historyItems(history), [
      user('a'),
      reasoning('r'),
      call('f:0'),
      call('f:1'),
      output('f:0', '0'),
      output('f:1', '1'),
      reasoning('s'),
      said('b'),
      patch('p:0'),
      patched('p:0', '2'),
    ]);
  });

  it('answers calls that nobody answered, even where a later response repeats their ids', () => {
    const history = fold(
      started('t'),
      kept('t', [user('a')]),
      kept('t', [reasoning('r'), patch('p:0'), call('f:0')]),
      started('u'),
      kept('u', [user('b')]),
      kept('u', [reasoning('s'), patch('p:0')]),
      kept('u', [patched('p:0', 'done')]),
    );
    assert.deepEqual(historyItems(history), [
      user('a'),
      reasoning('r'),
      patch('p:0'),
      call('f:0'),
      patched('p:0', unansweredOutput),
      output('f:0', unansweredOutput),
      user('b'),
      reasoning('s'),
      patch('p:0'),
      patched('p:0', 'done'),
    ]);
  });

  it('takes outputs that were kept together with their calls', () => {
    const history = fold(started('t'), kept('t', [reasoning('r'), call('f:0'), output('f:0', 'cut')], true));
    assert.deepEqual(historyItems(history), [reasoning('r'), call('f:0'), output('f:0', 'cut')]);
  });

  it('leaves out an output whose call is gone', () => {
    const history = fold(started('t'), kept('t', [user('a')]), kept('t', [output('f:0', 'lost')]));
    assert.deepEqual(historyItems(history), [user('a')]);
  });

  it('leaves out the reasoning of answers, and keeps what led to a call', () => {
    const cut: TurnEvent = { kind: 'contextCut', turn: 't', cut: { reasoning: true } };
    const history = fold(
      started('t'),
      kept('t', [user('a')]),
      kept('t', [reasoning('r'), call('f:0')]),
      kept('t', [output('f:0', 'one')]),
      kept('t', [reasoning('s'), said('yes')]),
      cut,
    );
    assert.deepEqual(historyItems(history), [
      user('a'),
      reasoning('r'),
      call('f:0'),
      output('f:0', 'one'),
      said('yes'),
    ]);
  });

  it('leaves out single attachments, and never the question', () => {
    const question = userMessageOf('one', 'two', 'Why?');
    const history = fold(started('t'), kept('t', [question, said('x')]), {
      kind: 'contextCut',
      turn: 't',
      cut: { files: [1, 2, 9] },
    });
    assert.deepEqual(historyItems(history), [userMessageOf('one', leftOut, 'Why?'), said('x')]);
  });

  it('does not send a deleted turn, until it is brought back with what was left out of it', () => {
    const events: readonly TurnEvent[] = [
      started('a'),
      kept('a', [user('first'), call('1')]),
      kept('a', [output('1', 'one')]),
      started('b'),
      kept('b', [user('second'), said('yes')]),
      { kind: 'contextCut', turn: 'b', cut: { whole: true } },
    ];
    const whole = events.reduce(reduceHistory, emptyHistory());
    const deleted = reduceHistory(whole, { kind: 'turnRemoved', turn: 'a' });
    assert.deepEqual(historyItems(deleted), []);
    const uncut = reduceHistory(deleted, { kind: 'contextCut', turn: 'b', cut: {} });
    assert.deepEqual(historyItems(uncut), [user('second'), said('yes')]);
    // What is deleted is not cut: it would come back otherwise than it went.
    const cut = reduceHistory(deleted, { kind: 'contextCut', turn: 'a', cut: { whole: true } });
    const content = { id: 'a' } as Turn;
    assert.deepEqual(reduceHistory(cut, { kind: 'turnRestored', turn: 'a', content }), whole);
  });
});
