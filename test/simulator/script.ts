/**
 * What a test says the server should answer. Plain data made by the builders below; nothing here sends anything.
 *
 *     answer(
 *       reasoning('Look at the loop.', 'The bound is wrong.'),
 *       text('Found it: ', gate('before the patch'), 'one line.'),
 *       applyPatch('*** Begin Patch\n…'),
 *     )
 */
import type { Quirks } from './quirks.ts';
import type { JsonObject } from './wire.ts';

/** One answer to one request. */
export type Reply = Answer | Refusal | Literal | Mute | Drop;

/** Decides at the moment of the request. */
export type Mind = (request: ScriptedRequest) => Reply | Promise<Reply>;

/** What a mind sees of a request. */
export interface ScriptedRequest {
  /** Counted from 0 over the life of the simulator. */
  readonly index: number;
  readonly body: JsonObject;
}

export type Script = readonly (Reply | Mind)[];

/** Status 200 and a response: as an event stream, or as one JSON body when the request did not ask for a stream. */
export interface Answer {
  readonly kind: 'answer';
  readonly steps: readonly Step[];
  readonly options: AnswerOptions;
}

/** An HTTP error. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes as they are, cut by the same cutter as answers. */
export interface Literal {
  readonly kind: 'literal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly LiteralPiece[];
  readonly cut?: Cut;
}

export type LiteralPiece = string | Uint8Array | Gate | Break;

/** Takes the request and never sends a byte. */
export interface Mute {
  readonly kind: 'mute';
}

/** Closes the socket without an answer. */
export interface Drop {
  readonly kind: 'drop';
  readonly how: 'end' | 'reset';
}

export interface AnswerOptions {
  readonly cut?: Cut;
  readonly pace?: Pace;
  /** How text becomes deltas: so many tokens each (default 3), or one delta a piece of the script. */
  readonly deltas?: number | 'pieces';
  /** Reasoning items carry ciphertext, as some gateways send it. */
  readonly encryptReasoning?: boolean;
  readonly quirks?: Quirks;
}

/** How the bytes of an answer are divided into writes. */
export type Cut =
  /** One event a write. */
  | { readonly kind: 'frames' }
  /** Everything that is ready in one write, gates apart. */
  | { readonly kind: 'joined' }
  /** So many bytes a write: 1 cuts every UTF-8 sequence and every CRLF. */
  | { readonly kind: 'bytes'; readonly size: number }
  /** Writes of 1 to `max` bytes, by a seeded generator. */
  | { readonly kind: 'random'; readonly seed: number; readonly max: number };

export interface Pace {
  readonly tokensPerSecond: number;
  /** Milliseconds before the first event of the first item. */
  readonly thinkFor?: number;
}

export type Step = Item | Parallel | Gate | Break | Ending | Emit;

/** What may stand between the pieces of a text. */
export type Piece = string | Gate | Break | Ending | Emit;

export type Item = ReasoningScript | TextScript | FunctionCallScript | CustomCallScript | WebSearchScript;

export interface ReasoningScript {
  readonly kind: 'reasoning';
  /** One list of pieces a summary part. */
  readonly parts: readonly (readonly Piece[])[];
}

export interface TextScript {
  readonly kind: 'text';
  readonly pieces: readonly Piece[];
  /** Of the whole text; told when it is complete. */
  readonly annotations?: readonly JsonObject[];
}

export interface FunctionCallScript {
  readonly kind: 'functionCall';
  readonly name: string;
  readonly namespace?: string;
  readonly pieces: readonly Piece[];
}

export interface CustomCallScript {
  readonly kind: 'customCall';
  readonly name: string;
  readonly namespace?: string;
  readonly pieces: readonly Piece[];
}

export interface WebSearchScript {
  readonly kind: 'webSearch';
  readonly query: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly images: readonly JsonObject[];
  /** Tells what was found though nobody asked for it with `include`. */
  readonly unasked?: true;
}

/** Items whose events come mixed: all opened, deltas in turn, all closed. */
export interface Parallel {
  readonly kind: 'parallel';
  readonly items: readonly Item[];
}

/** The answer waits here until the test opens the gate. Everything before it has then been handed to the socket. */
export interface Gate {
  readonly kind: 'gate';
  readonly name: string;
}

/** The connection fails here. */
export type Break =
  /** No further byte, the socket stays open. */
  | { readonly kind: 'silence' }
  /** The body ends as if it were complete. */
  | { readonly kind: 'endEarly' }
  /** The socket goes: closed in the middle of the body, or reset. */
  | { readonly kind: 'cutSocket'; readonly how: 'end' | 'reset' };

/** A terminal event. An answer without one ends as completed. */
export type Ending =
  | { readonly kind: 'completed' }
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'error';
      readonly shape: 'flat' | 'nested';
      readonly code: string;
      readonly message: string;
      readonly type: string;
    };

/** Something put into the stream beside what the items make. */
export type Emit =
  /** An event, numbered like the others. */
  | { readonly kind: 'event'; readonly event: { readonly type: string } & JsonObject }
  /** Text in the place of a frame, as it is. */
  | { readonly kind: 'rawFrame'; readonly text: string };

export function answer(...steps: readonly Step[]): Answer {
  return { kind: 'answer', steps, options: {} };
}

/** The same answer with other options; those not named stay. */
export function vary(reply: Answer, options: AnswerOptions): Answer {
  return { ...reply, options: { ...reply.options, ...options } };
}

/** Each argument is one summary part: a text, or a list of pieces. No argument: a reasoning item with an empty summary. */
export function reasoning(...parts: readonly (string | readonly Piece[])[]): ReasoningScript {
  return { kind: 'reasoning', parts: parts.map((part) => (typeof part === 'string' ? [part] : part)) };
}

export function text(...pieces: readonly Piece[]): TextScript {
  return { kind: 'text', pieces };
}

/** A call of the custom tool; the pieces make the patch text. */
export function applyPatch(...pieces: readonly Piece[]): CustomCallScript {
  return { kind: 'customCall', name: 'apply_patch', pieces };
}

/** A function call. A string is sent as it is, anything else as JSON. */
export function functionCall(
  name: string,
  args: string | JsonObject,
  namespace?: string,
): FunctionCallScript {
  const pieces = [typeof args === 'string' ? args : JSON.stringify(args)];
  return namespace === undefined
    ? { kind: 'functionCall', name, pieces }
    : { kind: 'functionCall', name, namespace, pieces };
}

export function webSearch(
  query: string,
  sources: readonly { readonly url: string; readonly title: string }[] = [],
  images: readonly JsonObject[] = [],
): WebSearchScript {
  return { kind: 'webSearch', query, sources, images };
}

/** The same search, which tells its sources whether they were asked for or not. */
export function unasked(search: WebSearchScript): WebSearchScript {
  return { ...search, unasked: true };
}

/** A text with annotations, as a server gives them that names its sources. */
export function annotated(script: TextScript, ...annotations: readonly JsonObject[]): TextScript {
  return { ...script, annotations };
}

export function parallel(...items: readonly Item[]): Parallel {
  return { kind: 'parallel', items };
}

export function gate(name: string): Gate {
  return { kind: 'gate', name };
}

export const silence: Break = { kind: 'silence' };
export const endEarly: Break = { kind: 'endEarly' };
export const cutSocket: Break = { kind: 'cutSocket', how: 'end' };
export const resetSocket: Break = { kind: 'cutSocket', how: 'reset' };
export const completed: Ending = { kind: 'completed' };

/** Inside the pieces of an item it cuts that item off; between items it ends the response there. */
export function incomplete(reason = 'max_output_tokens'): Ending {
  return { kind: 'incomplete', reason };
}

export function failed(message: string, code = 'server_error'): Ending {
  return { kind: 'failed', code, message };
}

/** The `error` event: `flat` as documented, or `nested` as some servers send it. */
export function errorEvent(shape: 'flat' | 'nested', message: string, code = 'server_error'): Ending {
  return { kind: 'error', shape, message, code, type: 'server_error' };
}

/** An event of any type, with the next sequence number. */
export function event(extra: { readonly type: string } & JsonObject): Emit {
  return { kind: 'event', event: extra };
}

/** Text in the place of a frame: a comment, half an event, bad JSON. It is sent as it is, so end it yourself. */
export function rawFrame(frame: string): Emit {
  return { kind: 'rawFrame', text: frame };
}

/** An HTTP error with the documented body. */
export function refuse(
  status: number,
  error: { readonly message: string; readonly type?: string | null; readonly code?: string | number | null },
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return {
    kind: 'refusal',
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ error }),
  };
}

/** An HTTP error with any body. */
export function refuseWith(status: number, contentType: string, body: string): Refusal {
  return { kind: 'refusal', status, headers: { 'content-type': contentType }, body };
}

/** Status 200 with these bytes as an event stream. */
export function literalStream(pieces: readonly LiteralPiece[], cut?: Cut): Literal {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return { kind: 'literal', status: 200, headers, pieces, ...(cut === undefined ? {} : { cut }) };
}

export const mute: Mute = { kind: 'mute' };
export const dropConnection: Drop = { kind: 'drop', how: 'end' };
export const resetConnection: Drop = { kind: 'drop', how: 'reset' };
