/** How each kind of output item is told: the events that open it, fill it and close it. */
import { event, events, type Beat } from './beats.ts';
import type { Deltas } from './deltas.ts';
import type { JsonObject } from './wire.ts';
import type {
  CustomCallScript,
  Ending,
  FunctionCallScript,
  ReasoningScript,
  TextScript,
  WebSearchScript,
} from './script.ts';
import type { ItemStatus, OutputItem, StreamEvent, SummaryText } from './wire.ts';

/** Tells one output item. `close` may be called only after `open` and `body`. */
export interface Teller {
  open(): readonly StreamEvent[];
  body(): Generator<Beat, Ending | undefined, void>;
  close(status: ItemStatus): readonly StreamEvent[];
  item(status: ItemStatus): OutputItem;
}

export interface Place {
  readonly id: string;
  readonly index: number;
  readonly deltas: Deltas;
}

export function tellReasoning(
  script: ReasoningScript,
  place: Place,
  seal: ((itemId: string, plain: string) => string) | undefined,
): Teller {
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

export function tellMessage(script: TextScript, place: Place): Teller {
  const at = { item_id: place.id, output_index: place.index, content_index: 0 };
  let text = '';
  const part = (annotations: readonly JsonObject[] = []) =>
    ({ type: 'output_text', text, annotations }) as const;
  const item = (status: ItemStatus): OutputItem => ({
    type: 'message',
    id: place.id,
    role: 'assistant',
    content: status === 'in_progress' ? [] : [part(script.annotations)],
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
      { type: 'response.content_part.done', ...at, part: part(script.annotations) },
      { type: 'response.output_item.done', output_index: place.index, item: item(status) },
    ],
  };
}

export function tellFunctionCall(script: FunctionCallScript, place: Place, call: string): Teller {
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

export function tellCustomCall(script: CustomCallScript, place: Place, call: string): Teller {
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

export function tellWebSearch(script: WebSearchScript, place: Place, include: ReadonlySet<unknown>): Teller {
  const asked = (what: string): boolean => script.unasked === true || include.has(what);
  const showSources = asked('web_search_call.action.sources') && script.sources.length > 0;
  const showImages = asked('web_search_call.results') && script.images.length > 0;
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
