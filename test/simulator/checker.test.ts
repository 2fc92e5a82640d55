/** The stream checker complains about each thing it is there for, and about nothing in a right stream. */
import assert from 'node:assert/strict';
import { checkEvents, checkStream } from './checker.ts';
import { answer, applyPatch, reasoning, startSimulator, text } from './main.ts';
import { ask, eventsOf } from './rawClient.ts';
import { objectOf, type JsonObject } from './wire.ts';

type Event = { readonly type: string } & JsonObject;

describe('the stream checker', () => {
  let stream: string;
  let events: readonly Event[];

  before(async () => {
    const simulator = await startSimulator({
      script: [answer(reasoning('Hm.', 'So.'), text('Hello there'), applyPatch('*** Begin Patch'))],
    });
    const received = await ask(simulator.url, { model: 'kimi-k3.1-pro', input: 'Hi', stream: true });
    await simulator.close();
    stream = received.text;
    events = eventsOf(received);
  });

  it('has nothing against a right stream', () => {
    assert.deepEqual(checkStream(stream), []);
  });

  const damages: readonly (readonly [string, (stream: string) => string, RegExp])[] = [
    [
      'another event line',
      (all) => all.replace('event: response.created', 'event: created'),
      /event line and type/,
    ],
    ['a frame without its event line', (all) => all.replace(/^event: .*\n/, ''), /frame 0/],
    ['a comment', (all) => `: hello\n\n${all}`, /frame 0/],
    ['bad JSON', (all) => all.replace('"sequence_number":3', '"sequence_number":'), /frame 3/],
    ['a missing last blank line', (all) => all.slice(0, -1), /does not end/],
  ];
  for (const [name, damage, complaint] of damages) {
    it(`sees ${name}`, () => assert.match(checkStream(damage(stream)).join('\n'), complaint));
  }

  /** Renumbered, so that only the damage itself is left to be seen. */
  function renumber(list: readonly Event[]): readonly Event[] {
    return list.map((event, index) => ({ ...event, sequence_number: index }));
  }
  function drop(type: string): readonly Event[] {
    const at = events.findIndex((event) => event.type === type);
    return renumber(events.toSpliced(at, 1));
  }
  function change(type: string, make: (event: Event) => JsonObject): readonly Event[] {
    const at = events.findIndex((event) => event.type === type);
    return events.map((event, index) => (index === at ? { ...event, ...make(event) } : event));
  }
  function inEnd(more: JsonObject): readonly Event[] {
    return change('response.completed', ({ response }) => ({ response: { ...objectOf(response), ...more } }));
  }

  const cases: readonly (readonly [string, () => readonly Event[], RegExp])[] = [
    [
      'numbers that go back',
      () => change('response.in_progress', () => ({ sequence_number: 0 })),
      /sequence_number is 0/,
    ],
    [
      'an unknown event',
      () => renumber([...events.slice(0, 3), { type: 'ping' }, ...events.slice(3)]),
      /ping is not documented/,
    ],
    ['a missing start', () => drop('response.created'), /first event is not response.created/],
    ['a missing second event', () => drop('response.in_progress'), /second event/],
    ['a missing end', () => renumber(events.slice(0, -1)), /0 terminal events/],
    ['two ends', () => renumber([...events, ...events.slice(-1)]), /2 terminal events/],
    ['an event behind the end', () => renumber([...events, ...events.slice(-2, -1)]), /not the terminal one/],
    ['another response id', () => inEnd({ id: 'resp_other' }), /response.id changes/],
    ['an item without its start', () => drop('response.output_item.added'), /is not open at 0/],
    ['an item without its end', () => drop('response.output_item.done'), /no output_item.done/],
    [
      'a wrong item id',
      () => change('response.output_text.delta', () => ({ item_id: 'msg_other' })),
      /msg_other is not open/,
    ],
    [
      'a wrong output index',
      () => change('response.output_text.delta', () => ({ output_index: 0 })),
      /is not open at 0/,
    ],
    ['a part without its start', () => drop('response.content_part.added'), /wrong order/],
    ['a part without its end', () => drop('response.content_part.done'), /wrong order/],
    ['a summary part without its end', () => drop('response.reasoning_summary_part.done'), /wrong order/],
    ['a text without its end', () => drop('response.output_text.done'), /wrong order/],
    ['an input without its end', () => drop('response.custom_tool_call_input.done'), /wrong order/],
    ['a lost delta', () => drop('response.output_text.delta'), /not its deltas joined/],
    ['an empty delta', () => change('response.output_text.delta', () => ({ delta: '' })), /delta is empty/],
    [
      'another final text',
      () => change('response.output_text.done', () => ({ text: 'Bye' })),
      /not its deltas joined/,
    ],
    [
      'another final part',
      () => change('response.content_part.done', () => ({ part: { text: 'Bye' } })),
      /not its deltas joined/,
    ],
    [
      'a skipped summary index',
      () => change('response.reasoning_summary_part.added', () => ({ summary_index: 1 })),
      /index 1, not 0/,
    ],
    [
      'an item that starts filled',
      () =>
        change('response.output_item.added', ({ item }) => ({ item: { ...objectOf(item), summary: [{}] } })),
      /is not empty yet/,
    ],
    ['an empty output', () => inEnd({ output: [] }), /output is not the finished items/],
    ['another status', () => inEnd({ status: 'incomplete' }), /status is incomplete/],
    ['no end time', () => inEnd({ completed_at: null }), /completed_at/],
    [
      'an error in a completed answer',
      () => inEnd({ error: { code: 'x', message: 'y' } }),
      /error does not fit/,
    ],
    [
      'details in a completed answer',
      () => inEnd({ incomplete_details: { reason: 'x' } }),
      /incomplete_details/,
    ],
    ['a stored answer', () => inEnd({ store: true }), /store is not false/],
    ['no usage', () => inEnd({ usage: null }), /usage is missing/],
    ['a wrong total', () => inEnd({ usage: { ...usage(), total_tokens: 1 } }), /total is not/],
    [
      'more cached than sent',
      () => inEnd({ usage: { ...usage(), input_tokens_details: { cached_tokens: 9000 } } }),
      /more than input/,
    ],
    [
      'more reasoning than output',
      () => inEnd({ usage: { ...usage(), output_tokens_details: { reasoning_tokens: 9000 } } }),
      /more than output/,
    ],
  ];
  for (const [name, damaged, complaint] of cases) {
    it(`sees ${name}`, () => assert.match(checkEvents(damaged()).join('\n'), complaint));
  }

  it('sees an output out of order', async () => {
    const simulator = await startSimulator({ script: [answer(text('Hi'), reasoning('Late'))] });
    const received = await ask(simulator.url, { model: 'kimi-k3.1-pro', input: 'Hi', stream: true });
    await simulator.close();
    assert.deepEqual(checkStream(received.text), ['output is not in the documented order']);
  });

  function usage(): JsonObject {
    return objectOf(objectOf(events.at(-1)?.['response'])['usage']);
  }
});
