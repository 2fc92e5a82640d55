/** What the composer offers while a name behind `@` or `/` is typed. Host and panel agree on it; knows no editor and no page. */

/** What opens the list: `@` something to attach, `/` at the start of the text a command or a prompt. */
export type CompletionTrigger = '@' | '/';

export type CompletionKind =
  | 'file'
  | 'folder'
  | 'symbol'
  | 'selection'
  | 'problems'
  | 'diff'
  | 'terminal'
  /** A slash command of ours. */
  | 'command'
  /** A prompt file of the person. */
  | 'prompt';

export interface CompletionItem {
  /** Told back when it is taken; unique within the list. */
  readonly id: string;
  readonly kind: CompletionKind;
  /** The name that stands first: `cart.ts`, `/fix`. */
  readonly label: string;
  /** Half-open ranges of `label`, in UTF-16 units, that fit what was typed, ascending. */
  readonly matches?: readonly (readonly [number, number])[];
  /** Where it is, or what it does: `src/shop`, `Explain the code`. */
  readonly detail?: string;
  /** As `matches`, of `detail`. */
  readonly detailMatches?: readonly (readonly [number, number])[];
  /** What stands in the place of trigger and query when it is taken, without a blank behind it: `@cart.ts`, `/fix`. */
  readonly insert: string;
  /** What to go on typing with instead, to look inside: `@src/shop/`. Only of folders. */
  readonly into?: string;
}

/** More are not shown. */
export const mostCompletions = 50;

/** In UTF-16 units; who types more than that behind a trigger is not looking for a name. */
export const longestQuery = 200;
