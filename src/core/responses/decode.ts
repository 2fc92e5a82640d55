/**
 * One message of the stream to one event. With `webSearch.ts` the only reader of the wire's field names on the way in. Tolerant of what is missing,
 * strict about what would be shown or kept; never throws.
 */
import * as v from 'valibot';
import type {
  CallOutput,
  Ending,
  ItemAddress,
  OutputItem,
  ResponseEvent,
  TextChannel,
  WireError,
} from './events.ts';
import { isObject, type JsonObject } from './json.ts';
import type { Usage } from './usage.ts';
import { readCitation, readCitations, readSearch, type Citation } from './webSearch.ts';

/** Dispatches on the JSON's `type`; the `event:` line, which may be missing, stands in only where the JSON has none. */
export function decodeEvent(data: string, event?: string): ResponseEvent {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return malformed(event ?? 'a message', 'is not JSON');
  }
  if (!isObject(value)) return malformed(event ?? 'a message', 'is not an object');
  const type = typeof value['type'] === 'string' ? value['type'] : event;
  if (type === undefined) {
    // Gateways that fail in mid-stream send a bare error body.
    return 'error' in value ? errored(value) : malformed('a message', 'has no type');
  }
  const read = readers.get(type);
  if (read === undefined) return { kind: 'ignored', type, known: isKnown(type) };
  return read(value) ?? malformed(type, 'lacks a field or has one of the wrong type');
}

/** A whole response that came as one JSON body: its ending, its error, or what is wrong with it. */
export function decodeBody(text: string): ResponseEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed('the body', 'is not JSON');
  }
  if (!isObject(value)) return malformed('the body', 'is not an object');
  const status = statusOf(value['status']);
  if (status !== undefined) return ended(value, status);
  return value['error'] ? errored(value) : malformed('the body', 'is not a response');
}

/** Reads `{message, type, code}` from any value; what is missing or of another type is empty, a number becomes text. */
export function readError(value: unknown): WireError {
  const object = isObject(value) ? value : {};
  return { type: text(object['type']), code: text(object['code']), message: text(object['message']) };
}

type Read = (value: JsonObject) => ResponseEvent | undefined;
/** A function for each field: one that is named by a variable is looked up several times slower, and there are hundreds of thousands. */
type Field = (value: JsonObject) => unknown;

const delta: Field = (value) => value['delta'];
const textOf: Field = (value) => value['text'];
const refusal: Field = (value) => value['refusal'];
const argumentsOf: Field = (value) => value['arguments'];
const input: Field = (value) => value['input'];
const contentIndex: Field = (value) => value['content_index'];
const summaryIndex: Field = (value) => value['summary_index'];

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['response.output_item.added', itemEvent('itemAdded')],
  ['response.output_item.done', itemEvent('itemDone')],
  ['response.output_text.delta', textEvent('textDelta', 'message', contentIndex, delta)],
  ['response.output_text.done', textEvent('textDone', 'message', contentIndex, textOf)],
  ['response.refusal.delta', textEvent('textDelta', 'message', contentIndex, delta)],
  ['response.refusal.done', textEvent('textDone', 'message', contentIndex, refusal)],
  ['response.reasoning_text.delta', textEvent('textDelta', 'reasoning', contentIndex, delta)],
  ['response.reasoning_text.done', textEvent('textDone', 'reasoning', contentIndex, textOf)],
  ['response.reasoning_summary_text.delta', textEvent('textDelta', 'summary', summaryIndex, delta)],
  ['response.reasoning_summary_text.done', textEvent('textDone', 'summary', summaryIndex, textOf)],
  ['response.content_part.done', partDone],
  ['response.reasoning_summary_part.done', partDone],
  ['response.function_call_arguments.delta', inputEvent('inputDelta', 'function_call', delta)],
  ['response.function_call_arguments.done', inputEvent('inputDone', 'function_call', argumentsOf)],
  ['response.custom_tool_call_input.delta', inputEvent('inputDelta', 'custom_tool_call', delta)],
  ['response.custom_tool_call_input.done', inputEvent('inputDone', 'custom_tool_call', input)],
  ['response.output_text.annotation.added', annotationEvent],
  ['response.web_search_call.in_progress', searchHeard],
  ['response.web_search_call.searching', searchHeard],
  ['response.web_search_call.completed', searchHeard],
  ['response.completed', (value) => endedAs(value, 'completed')],
  ['response.incomplete', (value) => endedAs(value, 'incomplete')],
  ['response.failed', (value) => endedAs(value, 'failed')],
  ['error', errored],
]);

/**
 * Types that references name and that carry nothing for us. The scaffolding around texts is among them, because some servers
 * leave it out: an item opens with its first event of any kind.
 */
const quiet: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
  'response.content_part.added',
  'response.reasoning_summary_part.added',
]);

/** Families of events of tools that are never declared. */
const quietFamily =
  /^response\.(?:audio|code_interpreter_call|compaction|file_search_call|image_generation_call|mcp_call|mcp_list_tools|shell_call_command|shell_call_output_content)[._]/;

function isKnown(type: string): boolean {
  return quiet.has(type) || quietFamily.test(type);
}

/** A bound on the texts of an item: indexes fill a list up, and each change copies it. No answer has a tenth of it. */
const maxSections = 10_000;

function itemEvent(kind: 'itemAdded' | 'itemDone'): Read {
  return (value) => {
    const item = readItem(value['item']);
    if (item === undefined) return undefined;
    return { kind, item, itemId: item.id, outputIndex: indexOf(value['output_index']) };
  };
}

// Written out rather than as schemas: these are nearly all events of a stream, and one schema run costs twice the JSON parsing.
function textEvent(
  kind: 'textDelta' | 'textDone',
  channel: TextChannel,
  sectionOf: Field,
  pieceOf: Field,
): Read {
  return (value) => {
    const piece = pieceOf(value);
    const section = sectionOf(value) ?? 0;
    if (typeof piece !== 'string' || !isIndex(section)) return undefined;
    return {
      kind,
      channel,
      section,
      text: piece,
      itemId: idOf(value['item_id']),
      outputIndex: indexOf(value['output_index']),
    };
  };
}

/** The part's own text is final as well; servers that send no `…_text.done` send it only here. */
function partDone(value: JsonObject): ResponseEvent | undefined {
  const part = value['part'];
  const section = value['summary_index'] ?? value['content_index'] ?? 0;
  if (!isObject(part) || !isIndex(section)) return undefined;
  const channel = partChannels.get(part['type']);
  if (channel === undefined) return { kind: 'ignored', type: 'a part of another type', known: false };
  const piece = part['text'] ?? part['refusal'];
  if (typeof piece !== 'string') return undefined;
  return {
    kind: 'textDone',
    channel,
    section,
    text: piece,
    itemId: idOf(value['item_id']),
    outputIndex: indexOf(value['output_index']),
  };
}

const partChannels: ReadonlyMap<unknown, TextChannel> = new Map<unknown, TextChannel>([
  ['summary_text', 'summary'],
  ['reasoning_text', 'reasoning'],
  ['output_text', 'message'],
  ['refusal', 'message'],
]);

function inputEvent(kind: 'inputDelta' | 'inputDone', type: CallOutput['type'], pieceOf: Field): Read {
  return (value) => {
    const piece = pieceOf(value);
    if (typeof piece !== 'string') return undefined;
    return {
      kind,
      type,
      text: piece,
      itemId: idOf(value['item_id']),
      outputIndex: indexOf(value['output_index']),
    };
  };
}

/** Annotations are an extra: one that can't be read is no harm to the answer. */
function annotationEvent(value: JsonObject): ResponseEvent {
  const section = value['content_index'] ?? 0;
  const citation = isIndex(section) ? readCitation(value['annotation'], section) : undefined;
  if (citation === undefined)
    return { kind: 'ignored', type: 'response.output_text.annotation.added', known: true };
  return { kind: 'cited', citation, ...addressOf(value) };
}

function searchHeard(value: JsonObject): ResponseEvent {
  return { kind: 'searchHeard', ...addressOf(value) };
}

/** The response's own status wins over the event's name: some servers send `response.completed` for an incomplete response. */
function endedAs(value: JsonObject, status: Ending['status']): ResponseEvent {
  const response = isObject(value['response']) ? value['response'] : {};
  return ended(response, statusOf(response['status']) ?? status);
}

function ended(response: JsonObject, status: Ending['status']): ResponseEvent {
  const items = Array.isArray(response['output']) ? response['output'].map(readItem) : [];
  const output = items.filter((item) => item !== undefined);
  const unreadable = output.length < items.length;
  const details = response['incomplete_details'];
  const cache = response['prompt_cache_options'];
  const cacheTtl = isObject(cache) ? text(cache['ttl']) : '';
  return {
    kind: 'ended',
    ending: {
      status,
      output: unreadable ? [] : output,
      unreadable,
      usage: readUsage(response['usage']),
      ...(cacheTtl !== '' && { cacheTtl }),
      reason: (isObject(details) && text(details['reason'])) || 'unknown',
      error: readError(response['error']),
    },
  };
}

/** Flat (`{type: "error", code, message}`) as the reference has it, or nested under `error` as it is sent by some. */
function errored(value: JsonObject): ResponseEvent {
  const nested = value['error'];
  if (isObject(nested)) return { kind: 'errored', error: readError(nested) };
  const flat = readError(value);
  const error = { ...flat, type: '', message: flat.message || text(nested) };
  return { kind: 'errored', error };
}

const nullable = v.nullish(v.string());
/** One text counts as a list of one. */
const parts = v.nullish(v.union([v.string(), v.pipe(v.array(v.unknown()), v.maxLength(maxSections))]));

const reasoningSchema = v.object({
  id: nullable,
  summary: parts,
  content: parts,
  encrypted_content: nullable,
});
const messageSchema = v.object({ id: nullable, content: parts });
const callSchema = v.object({
  id: nullable,
  call_id: nullable,
  name: v.string(),
  namespace: nullable,
  arguments: nullable,
  input: nullable,
  status: v.optional(v.unknown()),
});

/** Undefined when an item that would be shown or kept can't be read. */
function readItem(value: unknown): OutputItem | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined;
  switch (value['type']) {
    case 'reasoning': {
      const read = v.safeParse(reasoningSchema, value);
      if (!read.success) return undefined;
      const { id, summary, content, encrypted_content: encrypted } = read.output;
      return {
        kind: 'reasoning',
        ...present('id', id),
        summary: texts(summary),
        content: texts(content),
        ...present('encrypted', encrypted),
      };
    }
    case 'message': {
      const read = v.safeParse(messageSchema, value);
      if (!read.success) return undefined;
      const { id, content } = read.output;
      const citations = citationsOf(content);
      return {
        kind: 'message',
        ...present('id', id),
        content: texts(content),
        ...(citations.length > 0 && { citations }),
      };
    }
    case 'function_call':
    case 'custom_tool_call': {
      const read = v.safeParse(callSchema, value);
      // Without any id the call's output could never be matched to it.
      const callId = read.success ? read.output.call_id || read.output.id : undefined;
      if (!read.success || !callId) return undefined;
      const { id, name, namespace, arguments: json, input, status } = read.output;
      return {
        kind: 'call',
        type: value['type'],
        ...present('id', id),
        callId,
        name,
        ...present('namespace', namespace),
        input: (value['type'] === 'function_call' ? json : input) ?? '',
        whole: status !== 'incomplete' && status !== 'in_progress',
      };
    }
    case 'web_search_call':
      return { kind: 'search', ...present('id', idOf(value['id'])), search: readSearch(value) };
    default: {
      const id = typeof value['id'] === 'string' ? value['id'] : undefined;
      return { kind: 'other', ...present('id', id), type: value['type'] };
    }
  }
}

/** One text a part, so that positions stay those of the server; a part of another kind counts as empty. */
function texts(list: string | readonly unknown[] | null | undefined): string[] {
  if (typeof list === 'string') return [list];
  return (list ?? []).map((part) =>
    isObject(part) ? text(part['text']) || text(part['refusal']) : text(part),
  );
}

function citationsOf(list: string | readonly unknown[] | null | undefined): readonly Citation[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((part: unknown, section) =>
    isObject(part) ? readCitations(part['annotations'], section) : [],
  );
}

/** What is no count of tokens, and what sums can't be made of. */
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const usageSchema = v.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: v.nullish(
    v.object({ cached_tokens: v.nullish(count, 0), cache_write_tokens: v.nullish(count, 0) }),
  ),
  output_tokens_details: v.nullish(v.object({ reasoning_tokens: v.nullish(count, 0) })),
});

/** Null when there is none or when it can't be trusted: an unreadable count is unknown, not zero. A missing detail is zero. */
function readUsage(value: unknown): Usage | null {
  const read = v.safeParse(usageSchema, value);
  if (!read.success) return null;
  const {
    input_tokens,
    output_tokens,
    input_tokens_details: input,
    output_tokens_details: output,
  } = read.output;
  return {
    input: input_tokens,
    cached: input?.cached_tokens ?? 0,
    cacheWrite: input?.cache_write_tokens ?? 0,
    output: output_tokens,
    reasoning: output?.reasoning_tokens ?? 0,
  };
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function addressOf(value: JsonObject): ItemAddress {
  return { itemId: idOf(value['item_id']), outputIndex: indexOf(value['output_index']) };
}

function indexOf(value: unknown): number | undefined {
  return isIndex(value) ? value : undefined;
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < maxSections;
}

function statusOf(value: unknown): Ending['status'] | undefined {
  return value === 'completed' || value === 'incomplete' || value === 'failed' ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** A property that is left out when it has nothing to say. */
function present<K extends string>(key: K, value: string | null | undefined): { readonly [P in K]?: string } {
  return value ? ({ [key]: value } as { readonly [P in K]?: string }) : {};
}

function malformed(what: string, why: string): ResponseEvent {
  return { kind: 'malformed', detail: `${what} ${why}` };
}
