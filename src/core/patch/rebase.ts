/** Brings a proposal made for one text over to what that text has become meanwhile. Three texts in, one or a refusal out; knows no files. */
import { mergeLines } from './merge.ts';

export type Rebased =
  /** `text` has both sides' changes; it equals `current` when the proposal is there already. */
  | { readonly kind: 'merged'; readonly text: string }
  /** Both sides changed the same or neighbouring lines. One-based lines of `current`; `to` is `from - 1` where lines were removed. */
  | { readonly kind: 'conflict'; readonly from: number; readonly to: number };

/**
 * Three-way merge by lines. Both sides started from `base`; the texts must use the same line ends. Changes that touch each other
 * without being the same are a conflict, never a guess: nobody's line is lost.
 */
export function rebase(base: string, current: string, proposed: string): Rebased {
  if (current === base) return { kind: 'merged', text: proposed };
  if (proposed === base || proposed === current) return { kind: 'merged', text: current };
  const { text, overlaps } = mergeLines(base, current, proposed);
  const [first] = overlaps;
  if (first === undefined) return { kind: 'merged', text };
  return { kind: 'conflict', from: first.inCurrent.from + 1, to: first.inCurrent.to };
}
