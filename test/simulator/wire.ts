/**
 * The Responses API as the simulator speaks it: items, the 23 documented stream events, the response object.
 * Written from the API's documentation alone. Must not know the product's own types: the simulator checks them.
 */

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface SummaryText {
  readonly type: 'summary_text';
  readonly text: string;
}

export interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly JsonObject[];
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly SummaryText[];
  readonly encrypted_content: string | null;
  readonly status: ItemStatus;
}

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly role: 'assistant';
  readonly content: readonly OutputText[];
  readonly status: ItemStatus;
}

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly arguments: string;
  readonly status: ItemStatus;
}

export interface CustomToolCallItem {
  readonly type: 'custom_tool_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
  readonly status: ItemStatus;
}

export interface WebSearchCallItem {
  readonly type: 'web_search_call';
  readonly id: string;
  readonly status: ItemStatus;
  readonly action: {
    readonly type: 'search';
    readonly query: string;
    readonly sources?: readonly { readonly type: 'url'; readonly url: string; readonly title: string }[];
  };
  readonly results?: readonly JsonObject[];
}

export type OutputItem =
  ReasoningItem | MessageItem | FunctionCallItem | CustomToolCallItem | WebSearchCallItem;

export interface UsageObject {
  readonly input_tokens: number;
  readonly input_tokens_details: {
    readonly cached_tokens: number;
    /** Given by the K3.1 series only. */
    readonly cache_write_tokens?: number;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export interface CacheOptions {
  readonly mode: 'implicit';
  readonly ttl: '5m' | '1h';
}

/** Keys in the order in which the reference gives them. */
export interface ResponseObject {
  readonly id: string;
  readonly object: 'response';
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: ResponseStatus;
  readonly model: string;
  readonly output: readonly OutputItem[];
  readonly usage: UsageObject | null;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly instructions: string | null;
  readonly reasoning: unknown;
  readonly text: unknown;
  readonly tools: unknown;
  readonly tool_choice: string | null;
  readonly max_output_tokens: number | null;
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly parallel_tool_calls: boolean;
  readonly service_tier: string | null;
  readonly store: false;
  readonly background: false;
  readonly previous_response_id: null;
  readonly conversation: null;
  /** What the server applied; left out for a model without cache options. */
  readonly prompt_cache_options?: CacheOptions;
  readonly metadata: null;
}

interface OfItem {
  readonly item_id: string;
  readonly output_index: number;
}
interface OfContent extends OfItem {
  readonly content_index: number;
}
interface OfSummary extends OfItem {
  readonly summary_index: number;
}

/** Without `sequence_number`, which is given when the event is sent. */
export type StreamEvent =
  | { readonly type: 'response.created'; readonly response: ResponseObject }
  | { readonly type: 'response.in_progress'; readonly response: ResponseObject }
  | { readonly type: 'response.output_item.added'; readonly output_index: number; readonly item: OutputItem }
  | { readonly type: 'response.output_item.done'; readonly output_index: number; readonly item: OutputItem }
  | ({ readonly type: 'response.content_part.added'; readonly part: OutputText } & OfContent)
  | ({ readonly type: 'response.content_part.done'; readonly part: OutputText } & OfContent)
  | ({
      readonly type: 'response.output_text.delta';
      readonly delta: string;
      readonly logprobs: readonly [];
    } & OfContent)
  | ({
      readonly type: 'response.output_text.done';
      readonly text: string;
      readonly logprobs: readonly [];
    } & OfContent)
  | ({ readonly type: 'response.reasoning_summary_part.added'; readonly part: SummaryText } & OfSummary)
  | ({
      readonly type: 'response.reasoning_summary_part.done';
      readonly part: SummaryText;
      readonly status?: 'incomplete';
    } & OfSummary)
  | ({ readonly type: 'response.reasoning_summary_text.delta'; readonly delta: string } & OfSummary)
  | ({ readonly type: 'response.reasoning_summary_text.done'; readonly text: string } & OfSummary)
  | ({ readonly type: 'response.function_call_arguments.delta'; readonly delta: string } & OfItem)
  | ({ readonly type: 'response.function_call_arguments.done'; readonly arguments: string } & OfItem)
  | ({ readonly type: 'response.custom_tool_call_input.delta'; readonly delta: string } & OfItem)
  | ({ readonly type: 'response.custom_tool_call_input.done'; readonly input: string } & OfItem)
  | ({ readonly type: 'response.web_search_call.in_progress' } & OfItem)
  | ({ readonly type: 'response.web_search_call.searching' } & OfItem)
  | ({ readonly type: 'response.web_search_call.completed' } & OfItem)
  | { readonly type: 'response.completed'; readonly response: ResponseObject }
  | { readonly type: 'response.incomplete'; readonly response: ResponseObject }
  | { readonly type: 'response.failed'; readonly response: ResponseObject }
  | {
      readonly type: 'error';
      readonly code: string | null;
      readonly message: string;
      readonly param: string | null;
    };

/** All event types the API documents, in the order of its list. */
export const documentedEvents: readonly StreamEvent['type'][] = [
  'response.created',
  'response.in_progress',
  'response.output_item.added',
  'response.output_item.done',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.delta',
  'response.output_text.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.delta',
  'response.custom_tool_call_input.done',
  'response.web_search_call.in_progress',
  'response.web_search_call.searching',
  'response.web_search_call.completed',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
];

/** An event as it goes out: documented, or anything a quirk or a script makes of it. */
export type SentEvent = { readonly type: string } & JsonObject;
