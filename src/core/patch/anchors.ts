/** Where a chain of `@@` anchors leads. Knows lines and scopes, and nothing of what a hunk changes. */
import { trim } from './blanks.ts';
import type { Haystack } from './haystack.ts';
import type { Anchor } from './patch.ts';
import { passes, type LinePass } from './passes.ts';

export type AnchorSearch =
  /** No anchor was given, or only advisory ones that are not there. */
  | { readonly kind: 'open'; readonly ignored: readonly string[] }
  | {
      readonly kind: 'found';
      /** Lines of the innermost anchor, ascending. */
      readonly lines: readonly number[];
      readonly pass: LinePass;
      /** The innermost anchor is the beginning of its line only. */
      readonly byStart: boolean;
      readonly ignored: readonly string[];
    }
  /** `alone` when the hunk had no other anchor: then it may be taken as advice. */
  | { readonly kind: 'missing'; readonly anchor: Anchor; readonly alone: boolean };

export function findAnchors(haystack: Haystack, anchors: readonly Anchor[]): AnchorSearch {
  let found:
    { readonly lines: readonly number[]; readonly pass: LinePass; readonly byStart: boolean } | undefined;
  const ignored: string[] = [];
  for (const anchor of anchors) {
    if (haystack.budget.isSpent) break;
    const next = findAnchor(haystack, anchor.text, found?.lines);
    if (next) found = next;
    else if (anchor.advisory) ignored.push(anchor.text);
    else return { kind: 'missing', anchor, alone: anchors.length === 1 };
  }
  return found ? { kind: 'found', ...found, ignored } : { kind: 'open', ignored };
}

function findAnchor(haystack: Haystack, text: string, above: readonly number[] | undefined) {
  for (const pass of passes) {
    const places = haystack.placesOf(pass, text);
    const lines = above ? below(haystack, above, places, 1) : places;
    if (lines.length > 0) return { lines, pass, byStart: false };
  }
  const line = onlyLineThatStartsWith(haystack, trim(text), above);
  return line === undefined ? undefined : { lines: [line], pass: 'exact' as const, byStart: true };
}

/**
 * Of `places` (ascending) those that an anchor at one of `anchors` can mean: the nearest that is at least `gap` lines below it, and
 * every further one inside the anchor's scope. Flat text has no scopes, so there the nearest is meant.
 */
export function below(
  haystack: Haystack,
  anchors: readonly number[],
  places: readonly number[],
  gap: 0 | 1,
): readonly number[] {
  const meant: number[] = [];
  let nearest = 0;
  let taken = 0;
  for (const anchor of anchors) {
    while (nearest < places.length && (places[nearest] as number) < anchor + gap) nearest += 1;
    if (nearest === places.length) break;
    taken = Math.max(taken, nearest);
    const inScope = nearest + 1 < places.length ? haystack.scopes.end(anchor, haystack.budget) : 0;
    for (; taken < places.length && (taken === nearest || (places[taken] as number) < inScope); taken += 1) {
      meant.push(places[taken] as number);
    }
  }
  haystack.budget.spend(100 + 4 * (anchors.length + taken));
  return meant;
}

/**
 * The one line that begins with the text (`class Store` for `class Store(Base):`), provided that the text does not end inside a word.
 * Below another anchor only that one's scope counts.
 */
function onlyLineThatStartsWith(
  haystack: Haystack,
  start: string,
  above: readonly number[] | undefined,
): number | undefined {
  const { lines, scopes, budget } = haystack;
  const ranges = above
    ? above.map((line) => [line + 1, scopes.end(line, budget)] as const)
    : [[0, lines.count] as const];
  let only: number | undefined;
  for (const [from, to] of ranges) {
    budget.spend(2 * (to - from));
    for (let line = from; line < to && !budget.isSpent; line += 1) {
      const first = scopes.firstCharacter(line);
      if (line === only || !lines.text.startsWith(start, first) || cutsWord(lines.text, first + start.length))
        continue;
      if (only !== undefined) return undefined;
      only = line;
    }
  }
  return only;
}

function cutsWord(text: string, at: number): boolean {
  return /^[\p{L}\p{N}_$]{2}$/u.test(text.slice(at - 1, at + 1));
}
