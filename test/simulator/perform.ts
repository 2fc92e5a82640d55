/**
 * From a scripted answer to the beats of a stream: events in the documented order, gates and breaks between them.
 * Pure but for ids and the clock it is given; knows nothing of HTTP, frames or bytes.
 */
import { callId, type IdPrefix } from './ids.ts';
import type { Describe } from './response.ts';
import type {
  Answer,
  Break,
  CustomCallScript,
  Emit,
  Ending,
  FunctionCallScript,
  Gate,
  Item,
  Piece,
  ReasoningScript,
  TextScript,
  WebSearchScript,
} from './script.ts';
import { countTokens, tokenize } from './tokens.ts';
import type { ItemStatus, OutputItem, SentEvent, StreamEvent, SummaryText } from './wire.ts';

/** One step of a stream. `tokens` is what an event costs in output, for pacing. */
export type Beat =
  | { readonly kind: 'event'; readonly event: SentEvent; readonly tokens: number }
  | { readonly kind: 'rawFrame'; readonly text: string }
  | Gate
  | Break;

export interface Stage {
  readonly describe: Describe;
  readonly nextId: (prefix: IdPrefix) => string;
  /** Output tokens the request allows, reasoning included. */
  readonly budget: number;
  /** What the request wants to have beside the plain output. */
  readonly include: ReadonlySet<unknown>;
  /** Where the numbers in call ids start. */
  readonly firstCall: number;
  /** The ciphertext of a reasoning item. */
  readonly seal: (itemId: string, plain: string) => string;
}

/** Counts what the answer costs as it goes. */
class Purse {
  readonly budget: number;
  spent = 0;
  reasoning = 0;

  constructor(budget: number) {
    this.budget = budget;
  }

  spend(tokens: number, onReasoning: boolean): void {
    this.spent += tokens;
    if (onReasoning) this.reasoning += tokens;
  }

  get left(): number {
    return Math.max(0, this.budget - this.spent);
  }
}

/** Tells one output item. `close` may be called only after `open` and `body`. */
interface Teller {
  open(): readonly StreamEvent[];
  body(): Generator<Beat, Ending | undefined, void>;
  close(status: ItemStatus): readonly StreamEvent[];
  item(status: ItemStatus): OutputItem;
}

/** Runs an answer from `response.created` to its terminal event, and on through what the script puts behind that. */
export function* perform(answer: Answer, stage: Stage): Generator<Beat, void, void> {
  const purse = new Purse(stage.budget);
  const finished: OutputItem[] = [];
  const places = new Places(stage, purse, answer.options);
  const describe = (status: 'in_progress' | 'completed' | 'incomplete' | 'failed', more = {}) =>
    stage.describe({ status, output: finished, spent: purse.spent, reasoning: purse.reasoning, ...more });
  let ended = false;

  function* end(ending: Ending): Generator<Beat, void, void> {
    ended = true;
    switch (ending.kind) {
      case 'completed':
        yield event({ type: 'response.completed', response: describe('completed') });
        return;
      case 'incomplete':
        yield event({
          type: 'response.incomplete',
          response: describe('incomplete', { reason: ending.reason }),
        });
        return;
      case 'failed': {
        const error = { code: ending.code, message: ending.message };
        yield event({ type: 'response.failed', response: describe('failed', { error }) });
        return;
      }
      case 'error':
        yield errorBeat(ending);
    }
  }

  yield event({ type: 'response.created', response: describe('in_progress') });
  yield event({ type: 'response.in_progress', response: describe('in_progress') });

  for (const step of answer.steps) {
    if (isEnding(step)) {
      yield* end(step);
    } else if (step.kind === 'gate' || isBreak(step)) {
      yield step;
    } else if (isEmit(step)) {
      yield emitted(step);
    } else {
      const tellers = (step.kind === 'parallel' ? step.items : [step]).map((item) => places.seat(item));
      for (const teller of tellers) yield* events(teller.open());
      const ending = yield* takeTurns(tellers.map((teller) => teller.body()));
      if (ending === undefined || ending.kind === 'incomplete') {
        const status = ending === undefined ? 'completed' : 'incomplete';
        for (const teller of tellers) {
          yield* events(teller.close(status));
          finished.push(teller.item(status));
        }
      }
      if (ending !== undefined) {
        yield* end(ending);
        return;
      }
    }
  }
  if (!ended) yield* end({ kind: 'completed' });
}

/** Gives each item its output index, ids and call id. */
class Places {
  readonly #stage: Stage;
  readonly #purse: Purse;
  readonly #options: Answer['options'];
  #index = 0;
  #calls: number;

  constructor(stage: Stage, purse: Purse, options: Answer['options']) {
    this.#stage = stage;
    this.#purse = purse;
    this.#options = options;
    this.#calls = stage.firstCall;
  }

  seat(item: Item): Teller {
    const index = this.#index++;
    const deltas = new Deltas(this.#purse, this.#options.deltas ?? 3, item.kind === 'reasoning');
    switch (item.kind) {
      case 'reasoning': {
        const id = this.#stage.nextId('rs');
        const seal = this.#options.encryptReasoning === true ? this.#stage.seal : undefined;
        return tellReasoning(item, { id, index, deltas }, seal);
      }
      case 'text':
        return tellMessage(item, { id: this.#stage.nextId('msg'), index, deltas });
      case 'functionCall': {
        this.#purse.spend(countTokens(item.name), false);
        const place = { id: this.#stage.nextId('fc'), index, deltas };
        return tellFunctionCall(item, place, callId(item.name, this.#calls++));
      }
      case 'customCall': {
        this.#purse.spend(countTokens(item.name), false);
        const place = { id: this.#stage.nextId('ctc'), index, deltas };
        return tellCustomCall(item, place, callId(item.name, this.#calls++));
      }
      case 'webSearch':
        return tellWebSearch(item, { id: this.#stage.nextId('ws'), index, deltas }, this.#stage.include);
    }
  }
}

interface Place {
  readonly id: string;
  readonly index: number;
  readonly deltas: Deltas;
}

/** Cuts text into deltas and stops when the budget is gone. */
class Deltas {
  readonly #purse: Purse;
  readonly #size: number | 'pieces';
  readonly #onReasoning: boolean;

  constructor(purse: Purse, size: number | 'pieces', onReasoning: boolean) {
    this.#purse = purse;
    this.#size = size;
    this.#onReasoning = onReasoning;
  }

  /** Beats of the pieces; `told` hears each delta before it goes out and makes its event. */
  *of(
    pieces: readonly Piece[],
    told: (delta: string) => StreamEvent,
  ): Generator<Beat, Ending | undefined, void> {
    for (const piece of pieces) {
      if (typeof piece !== 'string') {
        if (isEnding(piece)) return piece;
        yield isEmit(piece) ? emitted(piece) : piece;
        continue;
      }
      const tokens = tokenize(piece);
      const size = this.#size === 'pieces' ? Math.max(1, tokens.length) : this.#size;
      for (let from = 0; from < tokens.length; from += size) {
        const group = tokens.slice(from, Math.min(from + size, from + this.#purse.left));
        if (group.length > 0) {
          this.#purse.spend(group.length, this.#onReasoning);
          yield { kind: 'event', event: sent(told(group.join(''))), tokens: group.length };
        }
        if (group.length < Math.min(size, tokens.length - from)) {
          return { kind: 'incomplete', reason: 'max_output_tokens' };
        }
      }
    }
    return undefined;
  }
}

function tellReasoning(script: ReasoningScript, place: Place, seal: Stage['seal'] | undefined): Teller {
  const at = { item_id: place.id, output_index: place.index };
  const texts: string[] = [];
  const closePart = (index: number, status: ItemStatus): readonly StreamEvent[] => {
    const text = texts[index] ?? '';
    const place = { ...at, summary_index: index };
    const done = { type: 'response.reasoning_summary_part.done', ...place, part: summaryText(text) } as const;
    return [
      { type: 'response.reasoning_summary_text.done', ...place, text },
      status === 'incomplete' ? { ...done, status } : done,
    ];
  };
  const item = (status: ItemStatus): OutputItem => ({
    type: 'reasoning',
    id: place.id,
    summary: texts.map(summaryText),
    encrypted_content:
      seal === undefined || status === 'in_progress' ? null : seal(place.id, texts.join('\n')),
    status,
  });
  let open = false;
  return {
    item,
    open: () => [
      { type: 'response.output_item.added', output_index: place.index, item: item('in_progress') },
    ],
    *body() {
      for (const [index, pieces] of script.parts.entries()) {
        texts[index] = '';
        open = true;
        yield event({
          type: 'response.reasoning_summary_part.added',
          ...at,
          summary_index: index,
          part: summaryText(''),
        });
        const ending = yield* place.deltas.of(pieces, (delta) => {
          texts[index] += delta;
          return { type: 'response.reasoning_summary_text.delta', ...at, summary_index: index, delta };
        });
        if (ending !== undefined) return ending;
        yield* events(closePart(index, 'completed'));
        open = false;
      }
      return undefined;
    },
    close: (status) => [
      ...(open ? closePart(texts.length - 1, status) : []),
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

function summaryText(text: string): SummaryText {
  return { type: 'summary_text', text };
}

function tellMessage(script: TextScript, place: Place): Teller {
  const at = { item_id: place.id, output_index: place.index, content_index: 0 };
  let text = '';
  const part = () => ({ type: 'output_text', text, annotations: [] }) as const;
  const item = (status: ItemStatus): OutputItem => ({
    type: 'message',
    id: place.id,
    role: 'assistant',
    content: status === 'in_progress' ? [] : [part()],
    status,
  });
  return {
    item,
    open: () => [
      { type: 'response.output_item.added', output_index: place.index, item: item('in_progress') },
      { type: 'response.content_part.added', ...at, part: part() },
    ],
    body: () =>
      place.deltas.of(script.pieces, (delta) => {
        text += delta;
        return { type: 'response.output_text.delta', ...at, delta, logprobs: [] };
      }),
    close: (status) => [
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part: part() },
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

function tellFunctionCall(script: FunctionCallScript, place: Place, call: string): Teller {
  const at = { item_id: place.id, output_index: place.index };
  let args = '';
  const item = (status: ItemStatus): OutputItem => ({
    type: 'function_call',
    id: place.id,
    call_id: call,
    name: script.name,
    ...(script.namespace === undefined ? {} : { namespace: script.namespace }),
    arguments: args,
    status,
  });
  return {
    item,
    open: () => [
      { type: 'response.output_item.added', output_index: place.index, item: item('in_progress') },
    ],
    body: () =>
      place.deltas.of(script.pieces, (delta) => {
        args += delta;
        return { type: 'response.function_call_arguments.delta', ...at, delta };
      }),
    close: (status) => [
      { type: 'response.function_call_arguments.done', ...at, arguments: args },
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

function tellCustomCall(script: CustomCallScript, place: Place, call: string): Teller {
  const at = { item_id: place.id, output_index: place.index };
  let input = '';
  const item = (status: ItemStatus): OutputItem => ({
    type: 'custom_tool_call',
    id: place.id,
    call_id: call,
    name: script.name,
    ...(script.namespace === undefined ? {} : { namespace: script.namespace }),
    input,
    status,
  });
  return {
    item,
    open: () => [
      { type: 'response.output_item.added', output_index: place.index, item: item('in_progress') },
    ],
    body: () =>
      place.deltas.of(script.pieces, (delta) => {
        input += delta;
        return { type: 'response.custom_tool_call_input.delta', ...at, delta };
      }),
    close: (status) => [
      { type: 'response.custom_tool_call_input.done', ...at, input },
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

function tellWebSearch(script: WebSearchScript, place: Place, include: ReadonlySet<unknown>): Teller {
  const showSources = include.has('web_search_call.action.sources') && script.sources.length > 0;
  const showImages = include.has('web_search_call.results') && script.images.length > 0;
  const at = { item_id: place.id, output_index: place.index };
  const item = (status: ItemStatus): OutputItem => ({
    type: 'web_search_call',
    id: place.id,
    status,
    action: {
      type: 'search',
      query: script.query,
      ...(status === 'completed' && showSources
        ? { sources: script.sources.map((source) => ({ type: 'url', ...source }) as const) }
        : {}),
    },
    ...(status === 'completed' && showImages ? { results: script.images } : {}),
  });
  return {
    item,
    open: () => [
      { type: 'response.output_item.added', output_index: place.index, item: item('in_progress') },
      { type: 'response.web_search_call.in_progress', ...at },
    ],
    *body() {
      yield event({ type: 'response.web_search_call.searching', ...at });
      return undefined;
    },
    close: (status) => [
      { type: 'response.web_search_call.completed', ...at },
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

/** Runs the bodies one beat each in turn, until all are through or one of them ends the response. */
function* takeTurns(
  bodies: readonly Generator<Beat, Ending | undefined, void>[],
): Generator<Beat, Ending | undefined, void> {
  let running = [...bodies];
  while (running.length > 0) {
    const still: typeof running = [];
    for (const body of running) {
      const step = body.next();
      if (!step.done) {
        yield step.value;
        still.push(body);
      } else if (step.value !== undefined) {
        return step.value;
      }
    }
    running = still;
  }
  return undefined;
}

function errorBeat(ending: Extract<Ending, { kind: 'error' }>): Beat {
  const { code, message, type } = ending;
  const shown: SentEvent =
    ending.shape === 'flat'
      ? { type: 'error', code, message, param: null }
      : { type: 'error', error: { type, code, message, param: null } };
  return { kind: 'event', event: shown, tokens: 0 };
}

function sent(event: StreamEvent): SentEvent {
  return { ...event };
}

function event(event: StreamEvent): Beat {
  return { kind: 'event', event: sent(event), tokens: 0 };
}

function* events(list: readonly StreamEvent[]): Generator<Beat, void, void> {
  for (const each of list) yield event(each);
}

function emitted(emit: Emit): Beat {
  return emit.kind === 'rawFrame' ? emit : { kind: 'event', event: emit.event, tokens: 0 };
}

function isEnding(step: { readonly kind: string }): step is Ending {
  return ['completed', 'incomplete', 'failed', 'error'].includes(step.kind);
}

function isBreak(step: { readonly kind: string }): step is Break {
  return ['silence', 'endEarly', 'cutSocket'].includes(step.kind);
}

function isEmit(step: { readonly kind: string }): step is Emit {
  return step.kind === 'event' || step.kind === 'rawFrame';
}
