/** What a response's stream says, in our words: many wire events, few meanings. Made by `decode.ts`, folded by `snapshot.ts`. */
import type { Usage } from './usage.ts';
import type { Citation, WebSearch } from './webSearch.ts';

/** An item as the server gives it, with what is missing filled in. */
export type OutputItem = ReasoningOutput | MessageOutput | CallOutput | SearchOutput | OtherOutput;

export interface ReasoningOutput {
  readonly kind: 'reasoning';
  readonly id?: string;
  readonly summary: readonly string[];
  /** Reasoning in clear text, which some servers send in place of a summary. */
  readonly content: readonly string[];
  readonly encrypted?: string;
}

export interface MessageOutput {
  readonly kind: 'message';
  readonly id?: string;
  /** Texts and refusals, in order. */
  readonly content: readonly string[];
  /** In the order of the texts; absent when there are none. */
  readonly citations?: readonly Citation[];
}

/** A search in the web that the server made by itself. */
export interface SearchOutput {
  readonly kind: 'search';
  readonly id?: string;
  readonly search: WebSearch;
}

export interface CallOutput {
  readonly kind: 'call';
  readonly type: CallType;
  readonly id?: string;
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string;
  /** `arguments` of a function call, `input` of a custom one, byte for byte. */
  readonly input: string;
  /** False when the server itself says that the call is not whole. */
  readonly whole: boolean;
}

export type CallType = 'function_call' | 'custom_tool_call';

/** An item of a type unknown to us, that neither people nor later requests need. */
export interface OtherOutput {
  readonly kind: 'other';
  readonly id?: string;
  readonly type: string;
}

/**
 * Which item an event speaks of. Either may be missing; servers give wrong indexes and unstable ids. Both keys are always there, as
 * objects of one shape are read faster and there are hundreds of thousands of them.
 */
export interface ItemAddress {
  readonly itemId: string | undefined;
  readonly outputIndex: number | undefined;
}

/** Which list of an item's texts. A refusal is text of a message. */
export type TextChannel = 'summary' | 'reasoning' | 'message';

export type ResponseEvent =
  | ({ readonly kind: 'itemAdded'; readonly item: OutputItem } & ItemAddress)
  | ({ readonly kind: 'itemDone'; readonly item: OutputItem } & ItemAddress)
  | ({
      readonly kind: 'textDelta' | 'textDone';
      readonly channel: TextChannel;
      readonly section: number;
      readonly text: string;
    } & ItemAddress)
  | ({
      readonly kind: 'inputDelta' | 'inputDone';
      readonly type: CallType;
      readonly text: string;
    } & ItemAddress)
  /** Something of a search, which tells no more than that there is one. */
  | ({ readonly kind: 'searchHeard' } & ItemAddress)
  | ({ readonly kind: 'cited'; readonly citation: Citation } & ItemAddress)
  /** The response is over, in one of three ways. */
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** An `error` event: over too, without a response object. */
  | { readonly kind: 'errored'; readonly error: WireError }
  /** Carries nothing that is shown or kept. `known` is false for types that no reference names. */
  | { readonly kind: 'ignored'; readonly type: string; readonly known: boolean }
  /** Could not be read. What it said is lost unless the final output repeats it. */
  | { readonly kind: 'malformed'; readonly detail: string };

export interface Ending {
  readonly status: 'completed' | 'incomplete' | 'failed';
  /** Empty when the server left it out, and when any of it can't be read. */
  readonly output: readonly OutputItem[];
  /** The server gave an output, but not one that can be read. */
  readonly unreadable: boolean;
  /** Null when the server gave none: unknown, not zero. */
  readonly usage: Usage | null;
  /** How long the server keeps what it cached of this, in its own words (`5m`), when it says so: what was applied, not what was asked for. */
  readonly cacheTtl?: string;
  /** Why it is incomplete, as the server names it; `unknown` when it does not. */
  readonly reason: string;
  readonly error: WireError;
}

/** An error object, wherever it stood. Fields that were missing are empty. */
export interface WireError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
}
