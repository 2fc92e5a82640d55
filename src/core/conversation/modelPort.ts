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
  send(body: RequestBody, signal: CancelSignal): AsyncIterable<ModelChunk>;
}

export type ModelChunk =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'failed'; readonly failure: Failure };
