/** Where a chain of `@@` anchors leads. Knows lines and scopes, and nothing of what a hunk changes. */
import { lineAt, lineStart } from '../lines.ts';
import { trim, trimmedStart } from './blanks.ts';
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
    const inScope = nearest + 1 < places.length ? haystack.scopeEnd(anchor) : 0;
    for (; taken < places.length && (taken === nearest || (places[taken] as number) < inScope); taken += 1) {
      meant.push(places[taken] as number);
    }
  }
  haystack.budget.spend(anchors.length + nearest);
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
  const { lines, budget } = haystack;
  const ranges = above
    ? above.map((line) => [line + 1, haystack.scopeEnd(line)] as const)
    : [[0, lines.count] as const];
  let only: number | undefined;
  for (const [from, to] of ranges) {
    const offset = lineStart(lines, from);
    const text = lines.text.slice(offset, lineStart(lines, to));
    if (!budget.spend(1 + (text.length >>> 3))) return undefined;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      budget.spend(8);
      const line = lineAt(lines, offset + at);
      const begins = trimmedStart(lines.text, lineStart(lines, line), offset + at) === offset + at;
      if (!begins || cutsWord(text, at + start.length) || line === only) continue;
      if (only !== undefined || budget.isSpent) return undefined;
      only = line;
    }
  }
  return only;
}

function cutsWord(text: string, at: number): boolean {
  return /^[\p{L}\p{N}_$]{2}$/u.test(text.slice(at - 1, at + 1));
}
