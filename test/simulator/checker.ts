/**
 * Checks a finished event stream against the documentation: what client libraries let pass too. Gives complaints, an empty list
 * for a stream that is right. Knows nothing of how the simulator makes its streams.
 */
import { documentedEvents, isJsonObject, objectOf, type JsonObject } from './wire.ts';

type Event = { readonly type: string } & JsonObject;

/** The whole body of a stream: frames and events. */
export function checkStream(text: string): readonly string[] {
  const { events, complaints } = readFrames(text);
  return [...complaints, ...checkEvents(events)];
}

/** Strict: an `event:` line, a `data:` line with the same type, a blank line; nothing else. */
export function readFrames(text: string): {
  readonly events: readonly Event[];
  readonly complaints: readonly string[];
} {
  const events: Event[] = [];
  const complaints: string[] = [];
  const frames = text.split('\n\n');
  if (frames.pop() !== '') complaints.push('the stream does not end with a blank line');
  for (const [index, frame] of frames.entries()) {
    const match = /^event: (\S+)\ndata: ([^\n]+)$/.exec(frame);
    const event: unknown = match?.[2] === undefined ? undefined : parse(match[2]);
    if (!isJsonObject(event) || typeof event['type'] !== 'string') {
      complaints.push(`frame ${index} is not an event line and a data line with an object`);
      continue;
    }
    if (match?.[1] !== event['type']) complaints.push(`frame ${index}: event line and type differ`);
    events.push({ ...event, type: event['type'] });
  }
  return { events, complaints };
}

export function checkEvents(events: readonly Event[]): readonly string[] {
  return [
    ...checkNumbers(events),
    ...checkFrame(events),
    ...checkItems(events),
    ...checkTexts(events),
    ...checkEnd(events),
  ];
}

const terminals = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

function* checkNumbers(events: readonly Event[]): Generator<string, void, void> {
  for (const [index, event] of events.entries()) {
    if (event['sequence_number'] !== index) {
      yield `event ${index} (${event.type}): sequence_number is ${JSON.stringify(event['sequence_number'])}`;
    }
    if (!documentedEvents.some((type) => type === event.type))
      yield `event ${index}: ${event.type} is not documented`;
  }
}

/** Opening, exactly one end, one response throughout. */
function* checkFrame(events: readonly Event[]): Generator<string, void, void> {
  if (events[0]?.type !== 'response.created') yield 'the first event is not response.created';
  if (events[1]?.type !== 'response.in_progress') yield 'the second event is not response.in_progress';
  for (const event of events.slice(0, 2)) {
    const response = objectOf(event['response']);
    if (response['status'] !== 'in_progress') yield `${event.type}: status is not in_progress`;
    if (!isEmptyArray(response['output'])) yield `${event.type}: output is not empty`;
    if (response['completed_at'] !== null) yield `${event.type}: completed_at is not null`;
  }
  const ends = events.filter(({ type }) => terminals.includes(type));
  if (ends.length !== 1) yield `there are ${ends.length} terminal events`;
  if (ends.at(-1) !== events.at(-1)) yield 'the last event is not the terminal one';
  const snapshots = events.filter((event) => event['response'] !== undefined);
  for (const field of ['id', 'created_at', 'model']) {
    const values = new Set(snapshots.map((event) => objectOf(event['response'])[field]));
    if (values.size > 1) yield `response.${field} changes`;
  }
}

/** How the events of one item may follow each other, one letter an event. */
const letters: Readonly<Record<string, string>> = {
  'response.reasoning_summary_part.added': 'P',
  'response.reasoning_summary_text.delta': '+',
  'response.reasoning_summary_text.done': 't',
  'response.reasoning_summary_part.done': 'p',
  'response.content_part.added': 'C',
  'response.output_text.delta': '+',
  'response.output_text.done': 'o',
  'response.content_part.done': 'c',
  'response.function_call_arguments.delta': '+',
  'response.function_call_arguments.done': 'f',
  'response.custom_tool_call_input.delta': '+',
  'response.custom_tool_call_input.done': 'x',
  'response.web_search_call.in_progress': 'I',
  'response.web_search_call.searching': 's',
  'response.web_search_call.completed': 'w',
};

const grammars: Readonly<Record<string, { readonly whole: RegExp; readonly begun: RegExp }>> = {
  reasoning: { whole: /^(P\+*tp)*$/, begun: /^(P\+*tp)*(P\+*t?)?$/ },
  message: { whole: /^C\+*oc$/, begun: /^(C\+*(oc?)?)?$/ },
  function_call: { whole: /^\+*f$/, begun: /^\+*f?$/ },
  custom_tool_call: { whole: /^\+*x$/, begun: /^\+*x?$/ },
  web_search_call: { whole: /^Isw$/, begun: /^(I(sw?)?)?$/ },
};

interface SeenItem {
  readonly id: unknown;
  readonly type: string;
  events: string;
  done: boolean;
}

function* checkItems(events: readonly Event[]): Generator<string, void, void> {
  const items = new Map<unknown, SeenItem>();
  for (const event of events) {
    const index = event['output_index'];
    const item = objectOf(event['item']);
    const seen = items.get(index);
    if (event.type === 'response.output_item.added') {
      if (index !== items.size) yield `added: output_index ${String(index)} does not follow`;
      if ([...items.values()].some(({ id }) => id === item['id']))
        yield `added: id ${String(item['id'])} comes twice`;
      if (item['status'] !== 'in_progress') yield `added: status of ${String(item['id'])} is not in_progress`;
      if (!isBlank(item)) yield `added: ${String(item['id'])} is not empty yet`;
      items.set(index, { id: item['id'], type: String(item['type']), events: '', done: false });
    } else if (event.type === 'response.output_item.done') {
      if (seen === undefined || seen.done) yield `done: no item is open at ${String(index)}`;
      if (seen?.id !== item['id'] || seen?.type !== item['type']) yield `done: another item than was added`;
      if (seen !== undefined) seen.done = true;
    } else if (letters[event.type] !== undefined) {
      if (seen === undefined || seen.done || seen.id !== event['item_id']) {
        yield `${event.type}: item ${String(event['item_id'])} is not open at ${String(index)}`;
      }
      if (seen !== undefined) seen.events += letters[event.type];
    }
  }
  const broken = ['response.failed', 'error'].includes(events.at(-1)?.type ?? '');
  for (const { id, type, events: order, done } of items.values()) {
    const grammar = grammars[type];
    if (grammar === undefined) yield `item type ${type} is not documented`;
    else if (!(done ? grammar.whole : grammar.begun).test(order))
      yield `${String(id)}: events in wrong order: ${order}`;
    if (!done && !broken) yield `${String(id)}: no output_item.done`;
  }
}

/** Every `.done` text is its deltas joined, and the finished item holds it. */
function* checkTexts(events: readonly Event[]): Generator<string, void, void> {
  const joined = new Map<string, string>();
  const openParts = new Map<unknown, number>();
  for (const event of events) {
    const part = Number(event['summary_index'] ?? event['content_index'] ?? 0);
    const key = `${String(event['item_id'])} ${part}`;
    if (event.type.endsWith('part.added')) {
      const expected = openParts.get(event['item_id']) ?? 0;
      if (part !== expected) yield `${event.type}: index ${part}, not ${expected}`;
      openParts.set(event['item_id'], expected + 1);
    }
    if (event.type.endsWith('.delta')) {
      if (event['delta'] === '' || typeof event['delta'] !== 'string') yield `${event.type}: delta is empty`;
      joined.set(key, (joined.get(key) ?? '') + String(event['delta']));
    }
    const said = event['text'] ?? event['arguments'] ?? event['input'] ?? objectOf(event['part'])['text'];
    if (event.type.endsWith('.done') && said !== undefined && said !== (joined.get(key) ?? '')) {
      yield `${event.type}: its text is not its deltas joined`;
    }
    if (event.type === 'response.output_item.done') {
      const item = objectOf(event['item']);
      for (const [index, text] of textsOf(item).entries()) {
        if (text !== (joined.get(`${String(item['id'])} ${index}`) ?? '')) {
          yield `${String(item['id'])}: the finished item differs from its deltas`;
        }
      }
    }
  }
}

const outputOrder = ['web_search_call', 'reasoning', 'message', 'calls'];

function* checkEnd(events: readonly Event[]): Generator<string, void, void> {
  const end = events.at(-1);
  if (end === undefined || !terminals.includes(end.type)) return;
  if (end.type === 'error') {
    if (typeof end['message'] !== 'string') yield 'error: message is missing';
    return;
  }
  const response = objectOf(end['response']);
  const status = end.type.slice('response.'.length);
  if (response['status'] !== status) yield `${end.type}: status is ${String(response['status'])}`;
  const timed = Number.isInteger(response['completed_at']);
  if (timed === (status === 'failed'))
    yield `${end.type}: completed_at is ${String(response['completed_at'])}`;
  if (isJsonObject(response['error']) !== (status === 'failed')) yield `${end.type}: error does not fit`;
  if (isJsonObject(response['incomplete_details']) !== (status === 'incomplete')) {
    yield `${end.type}: incomplete_details do not fit`;
  }
  for (const [field, value] of Object.entries(fixed)) {
    if (response[field] !== value) yield `${end.type}: ${field} is not ${String(value)}`;
  }
  const done = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map((event) => event['item']);
  if (JSON.stringify(response['output']) !== JSON.stringify(done))
    yield 'output is not the finished items in order';
  const ranks = done.map((item) => rankOf(objectOf(item)));
  if (ranks.some((rank, index) => rank < (ranks[index - 1] ?? 0)))
    yield 'output is not in the documented order';
  yield* checkUsage(status, response['usage']);
}

const fixed = {
  object: 'response',
  store: false,
  background: false,
  previous_response_id: null,
  conversation: null,
} as const;

function* checkUsage(status: string, usage: unknown): Generator<string, void, void> {
  if (!isJsonObject(usage)) {
    if (status !== 'failed') yield 'usage is missing';
    return;
  }
  const input = Number(usage['input_tokens']);
  const output = Number(usage['output_tokens']);
  const details = objectOf(usage['input_tokens_details']);
  const cached = Number(details['cached_tokens']);
  const written = Number(details['cache_write_tokens'] ?? 0);
  const reasoning = Number(objectOf(usage['output_tokens_details'])['reasoning_tokens']);
  if (usage['total_tokens'] !== input + output) yield 'usage: total is not input and output';
  if (!(cached + written <= input)) yield 'usage: cached and written are more than input';
  if (!(reasoning <= output)) yield 'usage: reasoning is more than output';
}

function rankOf(item: JsonObject): number {
  const rank = outputOrder.indexOf(String(item['type']));
  return rank < 0 ? outputOrder.indexOf('calls') : rank;
}

function isBlank(item: JsonObject): boolean {
  const empty = ['summary', 'content'].every(
    (field) => item[field] === undefined || isEmptyArray(item[field]),
  );
  return empty && [item['arguments'], item['input']].every((text) => text === undefined || text === '');
}

function textsOf(item: JsonObject): readonly unknown[] {
  if (item['arguments'] !== undefined) return [item['arguments']];
  if (item['input'] !== undefined) return [item['input']];
  const parts = item['summary'] ?? item['content'];
  return Array.isArray(parts) ? parts.map((part: unknown) => objectOf(part)['text']) : [];
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
