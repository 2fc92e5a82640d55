/**
 * Ways in which servers and gateways depart from the documented stream, each seen in the wild. A client has to live with all of
 * them. Frame quirks are carried out by `frames.ts`, event quirks here.
 */
import { isJsonObject, objectOf, type JsonObject, type SentEvent } from './wire.ts';

export interface FrameQuirks {
  readonly sequenceNumbers?: 'absent';
  /** Frames with a `data:` line only. */
  readonly eventLines?: 'absent';
  readonly lineEnds?: 'crlf' | 'cr';
  readonly byteOrderMark?: true;
  /** One event's data over several `data:` lines. */
  readonly splitData?: true;
  /** The stream ends right behind the last data line. */
  readonly lastBlankLine?: 'absent';
  /** `data: [DONE]` behind the terminal event. */
  readonly doneMarker?: true;
  /** A comment line in front of every frame. */
  readonly comments?: true;
  /** `content-encoding: gzip`, flushed at every frame. */
  readonly gzip?: true;
}

export interface EventQuirks {
  /** A `ping` event behind every delta. */
  readonly pings?: true;
  /** A random string on every delta. */
  readonly obfuscation?: true;
  /** An event type nobody documents, after the first two. */
  readonly unknownEvent?: true;
  /** An output item type nobody documents, in front of the real ones in the final output, with its events. */
  readonly unknownItem?: true;
  /** Only text deltas and the terminal event. */
  readonly scaffold?: 'absent';
  readonly contentParts?: 'absent';
  readonly itemDone?: 'absent';
  /** Call inputs arrive with their `.done` only. */
  readonly inputDeltas?: 'absent';
  /** `null`, no key at all, or counts without the detail objects. */
  readonly usage?: 'null' | 'absent' | 'bare';
  /** `response.completed` around a response that says incomplete. */
  readonly innerStatus?: 'incomplete';
  readonly finalOutput?: 'empty';
  /** Reasoning items without the key. */
  readonly summary?: 'absent';
  /** Reasoning and message items with `content: null` where they have none. */
  readonly content?: 'null';
  /** All items claim index 0, or `added` claims another index than what follows. */
  readonly outputIndex?: 'zero' | 'wrongOnAdded';
  /** The custom tool's call comes as a function call with the text under `input`. */
  readonly customCalls?: 'asFunction';
  /** The namespace of a call is lost, or glued to its name. */
  readonly namespaces?: 'absent' | 'glued';
  /** `phase` on messages. */
  readonly phase?: true;
  /** Item ids of 400 characters. */
  readonly ids?: 'long';
  /** Reasoning comes as content instead of a summary. */
  readonly reasoning?: 'asContent';
  /** The text of `output_text.done` is longer than its deltas. */
  readonly doneText?: 'differs';
  /** `response.queued` behind the first two events. */
  readonly queued?: true;
  /** A citation on every message, with its event. */
  readonly annotations?: true;
  /** Messages come as refusals, with their events. */
  readonly refusal?: true;
  /** Text events behind the terminal one. */
  readonly afterEnd?: true;
  /** Terminal events without their response object. */
  readonly terminalResponse?: 'absent';
}

export interface Quirks extends FrameQuirks, EventQuirks {
  /** One JSON body although a stream was asked for. */
  readonly body?: 'json';
}

/** Bends the events of one stream. Holds state, so it serves one stream only. */
export class Bender {
  readonly #quirks: EventQuirks;
  readonly #begun = new Set<string>();
  #unknownSent = false;

  constructor(quirks: EventQuirks) {
    this.#quirks = quirks;
  }

  /** What goes out in the place of one event; nothing, it, or more. */
  bend(event: SentEvent): readonly SentEvent[] {
    const steps = [
      (each: SentEvent) => this.#leaveOut(each),
      (each: SentEvent) => this.#asFunction(each),
      (each: SentEvent) => this.#asContent(each),
      (each: SentEvent) => this.#asRefusal(each),
      (each: SentEvent) => [this.#remake(each)],
      (each: SentEvent) => this.#add(each),
    ];
    return steps.reduce<readonly SentEvent[]>((events, step) => events.flatMap(step), [event]);
  }

  #leaveOut(event: SentEvent): readonly SentEvent[] {
    const { scaffold, contentParts, itemDone, inputDeltas } = this.#quirks;
    const type = event.type;
    const bare = type === 'response.output_text.delta' || isTerminal(type);
    const gone =
      (scaffold === 'absent' && !bare) ||
      (contentParts === 'absent' && type.startsWith('response.content_part.')) ||
      (itemDone === 'absent' && type === 'response.output_item.done') ||
      (inputDeltas === 'absent' && /(arguments|call_input)\.delta$/.test(type));
    return gone ? [] : [event];
  }

  #asFunction(event: SentEvent): readonly SentEvent[] {
    if (this.#quirks.customCalls !== 'asFunction') return [event];
    if (event.type === 'response.custom_tool_call_input.delta') {
      const id = String(event['item_id']);
      const start = this.#begun.has(id) ? '' : '{"input":"';
      this.#begun.add(id);
      const delta = start + JSON.stringify(event['delta']).slice(1, -1);
      return [{ ...event, type: 'response.function_call_arguments.delta', delta }];
    }
    if (event.type === 'response.custom_tool_call_input.done') {
      const { input, ...rest } = event;
      const type = 'response.function_call_arguments';
      const end = this.#begun.has(String(event['item_id'])) ? '"}' : JSON.stringify({ input });
      return [
        { ...rest, type: `${type}.delta`, delta: end },
        { ...rest, type: `${type}.done`, arguments: JSON.stringify({ input }) },
      ];
    }
    return [event];
  }

  #asContent(event: SentEvent): readonly SentEvent[] {
    if (this.#quirks.reasoning !== 'asContent' || event['summary_index'] === undefined) return [event];
    const { summary_index: content_index, part, ...rest } = event;
    const place = { ...rest, content_index };
    switch (event.type) {
      case 'response.reasoning_summary_text.delta':
        return [{ ...place, type: 'response.reasoning_text.delta' }];
      case 'response.reasoning_summary_text.done':
        return [{ ...place, type: 'response.reasoning_text.done' }];
      default: {
        const type = event.type.replace('reasoning_summary_part', 'content_part');
        const text = isJsonObject(part) ? part['text'] : '';
        return [{ ...place, type, part: { type: 'reasoning_text', text } }];
      }
    }
  }

  #asRefusal(event: SentEvent): readonly SentEvent[] {
    if (this.#quirks.refusal !== true) return [event];
    const { logprobs: _, text, ...rest } = event;
    switch (event.type) {
      case 'response.output_text.delta':
        return [{ ...rest, type: 'response.refusal.delta' }];
      case 'response.output_text.done':
        return [{ ...rest, type: 'response.refusal.done', refusal: text }];
      case 'response.content_part.added':
      case 'response.content_part.done':
        return [{ ...event, part: refusalOf(event['part']) }];
      default:
        return [event];
    }
  }

  #remake(event: SentEvent): SentEvent {
    const made: Record<string, unknown> & { type: string } = { ...event };
    if (isJsonObject(made['item'])) made['item'] = this.#item(made['item']);
    if (isJsonObject(made['response'])) made['response'] = this.#response(made['response'], made.type);
    if (typeof made['item_id'] === 'string') made['item_id'] = this.#id(made['item_id']);
    if (typeof made['output_index'] === 'number') {
      if (this.#quirks.outputIndex === 'zero') made['output_index'] = 0;
      if (this.#quirks.outputIndex === 'wrongOnAdded' && made.type === 'response.output_item.added') {
        made['output_index'] = 0;
      }
    }
    if (this.#quirks.doneText === 'differs' && made.type === 'response.output_text.done') {
      made['text'] = `${String(made['text'])} (corrected)`;
    }
    if (this.#quirks.obfuscation === true && made.type.endsWith('.delta')) made['obfuscation'] = 'kX3vQ';
    if (this.#quirks.terminalResponse === 'absent' && isTerminal(made.type)) delete made['response'];
    return made;
  }

  #add(event: SentEvent): readonly SentEvent[] {
    const events = [event];
    if (this.#quirks.annotations === true && event.type === 'response.output_text.done') {
      const { item_id, output_index, content_index } = event;
      const place = { item_id, output_index, content_index, annotation_index: 0 };
      events.unshift({ type: 'response.output_text.annotation.added', ...place, annotation: citation });
    }
    if (this.#quirks.queued === true && event.type === 'response.in_progress') {
      events.push({ type: 'response.queued', response: event['response'] });
    }
    if (this.#quirks.pings === true && event.type.endsWith('.delta')) events.push({ type: 'ping' });
    if (event.type === 'response.in_progress' && !this.#unknownSent) {
      this.#unknownSent = true;
      if (this.#quirks.unknownEvent === true) {
        events.push({ type: 'response.gateway.note', note: { depth: [1, 2] } });
      }
      if (this.#quirks.unknownItem === true) {
        events.push({ type: 'response.output_item.added', output_index: 90, item: unknownItem });
        events.push({ type: 'response.output_item.done', output_index: 90, item: unknownItem });
      }
    }
    if (this.#quirks.afterEnd === true && isTerminal(event.type)) {
      const at = { item_id: 'msg_late', output_index: 0, content_index: 0 };
      events.push({ type: 'response.output_text.delta', ...at, delta: 'too late', logprobs: [] });
    }
    return events;
  }

  #item(item: JsonObject): JsonObject {
    const made: Record<string, unknown> = { ...item };
    if (typeof made['id'] === 'string') made['id'] = this.#id(made['id']);
    if (made['type'] === 'reasoning') {
      if (this.#quirks.reasoning === 'asContent') {
        const parts = Array.isArray(made['summary']) ? made['summary'] : [];
        made['content'] = parts.map((part: JsonObject) => ({ type: 'reasoning_text', text: part['text'] }));
        made['summary'] = [];
      }
      if (this.#quirks.summary === 'absent') delete made['summary'];
      if (this.#quirks.content === 'null' && made['content'] === undefined) made['content'] = null;
    }
    if (made['type'] === 'message') {
      if (this.#quirks.phase === true) made['phase'] = 'final_answer';
      const parts = Array.isArray(made['content']) ? made['content'] : [];
      if (this.#quirks.refusal === true) made['content'] = parts.map(refusalOf);
      if (this.#quirks.annotations === true) made['content'] = parts.map(cited);
      if (this.#quirks.content === 'null' && made['status'] === 'in_progress') made['content'] = null;
    }
    if (made['type'] === 'custom_tool_call' && this.#quirks.customCalls === 'asFunction') {
      const { input, ...rest } = made;
      const open = made['status'] === 'in_progress';
      return { ...rest, type: 'function_call', arguments: open ? '' : JSON.stringify({ input }) };
    }
    if (typeof made['namespace'] === 'string') {
      if (this.#quirks.namespaces === 'glued') {
        made['name'] = `${made['namespace']}__${String(made['name'])}`;
      }
      if (this.#quirks.namespaces !== undefined) delete made['namespace'];
    }
    return made;
  }

  #response(response: JsonObject, type: string): JsonObject {
    const made: Record<string, unknown> = { ...response };
    if (Array.isArray(made['output'])) {
      made['output'] = made['output'].map((item: JsonObject) => this.#item(item));
    }
    if (!isTerminal(type)) return made;
    if (this.#quirks.unknownItem === true && Array.isArray(made['output'])) {
      made['output'] = [unknownItem, ...(made['output'] as unknown[])];
    }
    if (this.#quirks.finalOutput === 'empty') made['output'] = [];
    if (this.#quirks.innerStatus === 'incomplete') made['status'] = 'incomplete';
    if (this.#quirks.usage === 'null') made['usage'] = null;
    if (this.#quirks.usage === 'absent') delete made['usage'];
    if (this.#quirks.usage === 'bare' && isJsonObject(made['usage'])) {
      const { input_tokens, output_tokens, total_tokens } = made['usage'];
      made['usage'] = { input_tokens, output_tokens, total_tokens };
    }
    return made;
  }

  #id(id: string): string {
    return this.#quirks.ids === 'long' ? id.padEnd(400, 'a1b2c3d4') : id;
  }
}

/** Its range is longer than most texts, as seen in the wild. */
const citation: JsonObject = {
  type: 'url_citation',
  url: 'https://example.test/source',
  title: 'A source',
  start_index: 0,
  end_index: 10_000,
};

function cited(part: unknown): JsonObject {
  return { ...objectOf(part), annotations: [citation] };
}

function refusalOf(part: unknown): JsonObject {
  return { type: 'refusal', refusal: objectOf(part)['text'] };
}

const unknownItem: JsonObject = {
  type: 'gateway_note',
  id: 'gn_1',
  status: 'completed',
  note: 'unknown to all',
};

function isTerminal(type: string): boolean {
  return ['response.completed', 'response.incomplete', 'response.failed'].includes(type);
}
