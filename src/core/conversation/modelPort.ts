/** The model as the turn loop sees it. The host's client implements it over HTTP; tests implement it with a list. */
import type { CancelSignal } from '../cancel.ts';
import type { Failure } from '../responses/failure.ts';
import type { RequestBody } from '../responses/wire.ts';

export interface ModelPort {
  /**
   * Sends one request. Never throws and never rejects: what goes wrong arrives as the last value.
   * Yields text chunks of the event stream (already decoded, cut anywhere), then ends, or yields one `failed` and ends.
   * A plain JSON answer with status 200 arrives as one `json`.
   * Ending the iteration early (return) closes the connection at once, as does aborting the signal.
   */
  send(body: RequestBody, signal: CancelSignal, via?: OtherAddress): AsyncIterable<ModelChunk>;
  /** Scheme, host and port of the address in the settings, if that can be read. */
  origin?(): string | undefined;
  /** Where the same service can be reached beside the address of the settings, if there is such a place now. */
  otherAddress?(): OtherAddress | undefined;
}

/** A host name, as it is told to people. */
export interface OtherAddress {
  readonly host: string;
}

export type ModelChunk =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'failed'; readonly failure: Failure };
