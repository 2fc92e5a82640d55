/** The state of a journal is what the reducers make of its events one by one, however it is put together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { emptyHistory, historyItems, reduceHistory } from '../../../src/core/conversation/history.ts';
import { emptyConversation, reduce } from '../../../src/core/conversation/reduce.ts';
import { emptyRequestLog, reduceRequests } from '../../../src/core/conversation/requestLog.ts';
import { isShown } from '../../../src/core/conversation/turnEvent.ts';
import type { JournalRecord, KeptEvent } from '../../../src/core/journal/record.ts';
import { sharedWith } from '../../../src/core/journal/sharedTexts.ts';
import { beginState, foldRecord, StateBuilder, type JournalState } from '../../../src/core/journal/state.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';
import { seed } from '../../simulator/arbitraries.ts';

const start: JournalRecord = { kind: 'conversation', id: 'c', at: 1 };

function begun(): JournalState {
  const state = beginState(start);
  assert.ok(state !== undefined);
  return state;
}

const turn = fc.constantFrom('a', 'b', 'c', 'unknown');
const model = fc.constantFrom('kimi-k3', 'kimi-k2.6');
const at = fc.nat(99);
const long = 'x'.repeat(300);

const anyItem: fc.Arbitrary<HistoryItem> = fc.oneof(
  fc.constantFrom<HistoryItem>(
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: long }] },
    { type: 'function_call', call_id: '1', name: 'read_file', arguments: long },
    { type: 'custom_tool_call', call_id: '2', name: 'apply_patch', input: long },
    { type: 'function_call_output', call_id: '1', output: long },
    { type: 'custom_tool_call_output', call_id: '2', output: 'short' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } },
  ),
  fc.nat(9).map((n): HistoryItem => ({ type: 'reasoning', summary: [], encrypted_content: `cipher ${n}` })),
);

const anyEvent: fc.Arbitrary<KeptEvent> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('turnStarted'),
      question: fc.constant({ text: 'q', attachments: [] }),
      effort: fc.constant('max'),
      turn,
      model,
      at,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('itemsKept'),
      turn,
      items: fc.array(anyItem, { maxLength: 4 }),
    }),
  },
  fc.record({
    kind: fc.constant('itemsKept'),
    turn,
    items: fc.array(anyItem, { maxLength: 2 }),
    partial: fc.constant(true),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('requestMade'),
      turn,
      head: model.map((one) => ({ model: one, stream: true as const, instructions: 'i' })),
      items: fc.constant(0),
    }),
  },
  fc.record({
    kind: fc.constant('requestMade'),
    turn,
    items: fc.constant(0),
    origin: fc.constant('https://a.test'),
  }),
  fc.record({
    kind: fc.constant('partOpened'),
    turn,
    part: fc.constant('0.0'),
    what: fc.constant('answer'),
    at,
  }),
  fc.record({
    kind: fc.constant('textAdded'),
    turn,
    part: fc.constant('0.0'),
    section: fc.constant(0),
    text: fc.constant(long),
  }),
  fc.record({ kind: fc.constant('turnResumed'), turn, drop: fc.constant(['0.0']), at }),
  fc.record({ kind: fc.constant('turnResumed'), turn, drop: fc.constant([]), model, at }),
  fc.record({
    kind: fc.constant('contextCut'),
    turn,
    cut: fc.constantFrom({}, { whole: true as const }, { toolOutputs: true as const }),
  }),
  fc.record({ kind: fc.constant('turnEnded'), turn, end: fc.constant({ kind: 'completed' as const }), at }),
  fc.record({ kind: fc.constant('turnRemoved'), turn }),
  fc.record({ turn, model, at }).map(({ turn: id, model: asked, at: startedAt }) => ({
    ...{ kind: 'turnRestored', turn: id },
    content: {
      ...{ id, model: asked, effort: 'max', startedAt, parts: [], requests: [] },
      question: { text: 'back', attachments: [] },
    },
  })),
) as fc.Arbitrary<KeptEvent>;

/** As a session does it while it goes on. */
function folded(
  events: readonly KeptEvent[],
): Pick<JournalState, 'conversation' | 'history' | 'requests' | 'inexact'> {
  let state: ReturnType<typeof folded> = {
    conversation: emptyConversation('c'),
    history: emptyHistory(),
    requests: emptyRequestLog(),
  };
  for (const event of events) {
    const { conversation, history, requests } = state;
    if (event.kind !== 'requestMade') {
      state = { ...state, history: reduceHistory(history, event) };
      if (isShown(event)) state = { ...state, conversation: reduce(conversation, event) };
      continue;
    }
    const head = event.head ?? requests.requests.at(-1)?.head;
    const input = head === undefined ? [] : historyItems(history, head.model);
    if (head === undefined || input.length !== event.items) state = { ...state, inexact: true };
    if (head === undefined) continue;
    const { turn: of, origin } = event;
    const body = { ...head, input };
    state = {
      ...state,
      requests: reduceRequests(requests, {
        ...{ kind: 'requestMade', turn: of, body },
        ...(origin !== undefined && { origin }),
      }),
    };
  }
  return state;
}

describe('the state of a journal', () => {
  it('is what the reducers make of the events, one by one', () => {
    console.log(`      seed ${seed}`);
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(40), (events, cut) => {
        const builder = new StateBuilder(begun());
        let middle: JournalState | undefined;
        for (const [index, event] of events.entries()) {
          if (index === cut) middle = builder.state;
          builder.take({ kind: 'event', event });
        }
        const { conversation, history, requests, inexact } = builder.state;
        const { inexact: wanted, ...rest } = folded(events);
        assert.deepEqual({ conversation, history, requests }, rest);
        assert.equal(inexact, wanted);
        // What was told before stays as it was, and can be gone on from.
        if (middle === undefined) return;
        assert.deepEqual(middle.conversation, folded(events.slice(0, cut)).conversation);
        assert.deepEqual(middle.requests, folded(events.slice(0, cut)).requests);
        const after = events.slice(cut).map((event): JournalRecord => ({ kind: 'event', event }));
        assert.deepEqual(after.reduce(foldRecord, middle).requests, rest.requests);
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it('says what the model is sent, word for word, where people see the same', () => {
    const texts = ['an answer', 'an input', 'an output'].map((text) => text.padEnd(300, '.'));
    const [answer = '', input = '', output = ''] = texts;
    const parts = [
      { kind: 'search', id: '0', search: { actions: [], sources: [] }, openedAt: 1 },
      { kind: 'answer', id: '1', sections: ['', answer], openedAt: 1 },
      { kind: 'tool', id: '2', name: 'n', input, openedAt: 1, outcome: { kind: 'done', text: output } },
    ] as unknown as JournalState['conversation']['turns'][number]['parts'];
    const base = {
      id: 't',
      question: { text: '', attachments: [] },
      model: 'kimi-k3',
      effort: 'max',
    } as const;
    const items: readonly HistoryItem[] = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
      { type: 'custom_tool_call', call_id: '2', name: 'n', input },
      { type: 'function_call', call_id: '3', name: 'n', arguments: 'y'.repeat(300) },
      { type: 'function_call_output', call_id: '3', output },
    ];
    assert.deepEqual(sharedWith({ ...base, startedAt: 1, parts, requests: [] }, items), items);
  });
});
