/** How requests begin beside one another, as data: the server's cache matches beginnings. */

/** How the bytes of a request begin, beside those of the request before it in the same conversation. */
export type Beginning =
  /** There is none before it. */
  | { readonly kind: 'first' }
  /** With all of the one before. */
  | { readonly kind: 'grown' }
  /**
   * Differently. `by` is the first thing that differs; `same` items of `of` stand in front of the difference, none when it is not in
   * the input.
   */
  | { readonly kind: 'changed'; readonly by: BeginningChange; readonly same: number; readonly of: number };

export type BeginningChange = 'model' | 'instructions' | 'effort' | 'tools' | 'input';
