/** What became of each file of a plan in review, as a value. Knows nothing of who decided or of how the files were written. */

/**
 * One outcome a file of the plan. `detail` and `reason` are read by the model: plain text, English unless the person wrote it.
 * Only `accepted` and `acceptedAmended` mean that the file changed.
 */
export type FileOutcome =
  | {
      readonly kind: 'accepted';
      /** Why the file could not be saved, as a sentence: the editor has the change and the disk has not. */
      readonly unsaved?: string;
      /** The file was like this before anyone accepted: nothing was written. */
      readonly already?: true;
      /** Given only when the file's text now differs from the plan's `after` although the proposal itself was taken as it was. */
      readonly present?: {
        readonly text: string;
        /**
         * Changes by the person, another program or another patch beside the proposal; the editor's actions on saving; an earlier patch
         * that this one builds on and that is not decided yet, or was not accepted as it was proposed.
         */
        readonly cause: 'editedMeanwhile' | 'changedOnSave' | 'earlierWaits' | 'earlierDiffers';
      };
    }
  /**
   * The person changed the proposal, or took only some of its hunks. `text` is what the proposal became in the end, and the file's
   * text unless `saved` is given: what the editor's actions on saving made of that. `stays` when the move was not taken.
   */
  | {
      readonly kind: 'acceptedAmended';
      /** As with `accepted`. */
      readonly unsaved?: string;
      readonly text: string;
      readonly saved?: string;
      readonly stays?: true;
    }
  | { readonly kind: 'rejected'; readonly reason?: string }
  /** The file changed meanwhile in the same lines; nothing was written to it. */
  | { readonly kind: 'conflict'; readonly detail: string }
  /** It was to be written and could not be; nothing was written to it. */
  | { readonly kind: 'failed'; readonly detail: string }
  /** Neither accepted nor rejected: the turn was stopped, or the proposal was closed. */
  | { readonly kind: 'cancelled' }
  /** The person went on without deciding: it still waits. */
  | { readonly kind: 'undecided' };

/** `files[i]` is the outcome of `plan.files[i]`; both have the same length. */
export interface ReviewOutcome {
  readonly files: readonly FileOutcome[];
  /** What else happened to the files meanwhile, each a sentence for the model. */
  readonly notes?: readonly string[];
}
