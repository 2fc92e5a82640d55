/**
 * The wire's own names. Everything that knows a field of the API lives in `core/responses`, and outward in
 * `core/conversation/request.ts`.
 */
import type { CacheTtl, Effort, ModelId } from './models.ts';

/** An item as it is sent back in `input`. Key order is the order of sending, and must not change between turns. */
export type HistoryItem =
  | UserMessageItem
  | AssistantMessageItem
  | ReasoningItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | CustomToolCallItem
  | CustomToolCallOutputItem
  | WebSearchCallItem;

export interface UserMessageItem {
  readonly type: 'message';
  readonly role: 'user' | 'developer';
  readonly content: readonly (
    | { readonly type: 'input_text'; readonly text: string }
    /** A `data:` address; the service fetches none from elsewhere. */
    | { readonly type: 'input_image'; readonly image_url: string }
  )[];
}

export interface AssistantMessageItem {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: readonly { readonly type: 'output_text'; readonly text: string }[];
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id?: string;
  /** Stays even when empty: servers refuse the item without the key. */
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly content?: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
  readonly encrypted_content?: string;
}

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id?: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  /** JSON text, byte for byte as it came. */
  readonly arguments: string;
}

export interface FunctionCallOutputItem {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}

export interface CustomToolCallItem {
  readonly type: 'custom_tool_call';
  readonly id?: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
}

export interface CustomToolCallOutputItem {
  readonly type: 'custom_tool_call_output';
  readonly call_id: string;
  readonly output: string;
}

/** A search that the service made. What it found is in the message that follows, and is not sent. */
export interface WebSearchCallItem {
  readonly type: 'web_search_call';
  readonly id?: string;
  readonly status: 'completed';
  readonly action: { readonly type: 'search'; readonly query: string };
}

/** A tool as it is declared. */
export type ToolDeclaration = CallableDeclaration | NamespaceDeclaration | WebSearchDeclaration;

/** Tools under one name, which a call gives beside its own. No namespace is in another. */
export interface NamespaceDeclaration {
  readonly type: 'namespace';
  readonly name: string;
  readonly description: string;
  readonly tools: readonly CallableDeclaration[];
}

/** The service searches by itself; nobody answers such a call. */
export interface WebSearchDeclaration {
  readonly type: 'web_search';
  readonly filters?: { readonly allowed_domains: readonly string[] };
  readonly search_content_types?: readonly ('text' | 'image')[];
}

/** A tool that we run. `custom` exists for `apply_patch` alone. */
export type CallableDeclaration =
  | {
      readonly type: 'function';
      readonly name: string;
      readonly description: string;
      readonly parameters: object;
      readonly strict: boolean;
    }
  | {
      readonly type: 'custom';
      readonly name: 'apply_patch';
      readonly description: string;
      readonly format: { readonly type: 'grammar'; readonly syntax: 'lark'; readonly definition: string };
    };

export interface AnswerFormat {
  readonly type: 'json_schema';
  readonly name: string;
  readonly strict: true;
  readonly schema: object;
}

/** `POST /v1/responses`. Only fields the service documents; the order is the order of sending, `input` last so that a body's start is stable. */
export interface RequestBody {
  readonly model: ModelId;
  readonly stream: true;
  readonly instructions: string;
  readonly reasoning?: { readonly effort: Effort };
  readonly max_output_tokens?: number;
  readonly prompt_cache_options?: { readonly mode: 'implicit'; readonly ttl: CacheTtl };
  readonly tools?: readonly ToolDeclaration[];
  readonly tool_choice?: 'auto';
  /** What is told beside the plain output. Only with `web_search`. */
  readonly include?: readonly ('web_search_call.action.sources' | 'web_search_call.results')[];
  /** The answer is JSON of this shape. Only for models that take it. */
  readonly text?: { readonly format: AnswerFormat };
  readonly input: readonly HistoryItem[];
}
