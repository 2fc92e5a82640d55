/** Where a chain of `@@` anchors leads. Knows lines and scopes, and nothing of what a hunk changes. */
import { trim, trimmedStart } from './blanks.ts';
import type { Haystack } from './haystack.ts';
import type { Anchor } from './patch.ts';
import { passes, type LinePass } from './passes.ts';
import { firstAtLeast } from './sorted.ts';

export type AnchorSearch =
  /** No anchor was given, or only advisory ones that are not there. */
  | { readonly kind: 'open'; readonly ignored: readonly string[] }
  | FoundAnchor
  /** `alone` when the hunk had no other anchor: then it may be taken as advice. */
  | { readonly kind: 'missing'; readonly anchor: Anchor; readonly alone: boolean };

export interface FoundAnchor {
  readonly kind: 'found';
  /** Lines of the innermost anchor, ascending. */
  readonly lines: readonly number[];
  readonly pass: LinePass;
  /** The innermost anchor is the beginning of its line only. */
  readonly byStart: boolean;
  readonly ignored: readonly string[];
}

export function findAnchors(haystack: Haystack, anchors: readonly Anchor[]): AnchorSearch {
  let found: Pick<FoundAnchor, 'lines' | 'pass' | 'byStart'> | undefined;
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

/**
 * An anchor written without indentation says nothing about it: people and models name a method so, however deep it stands. Were the
 * exact match tried first, a function of the same name outside of all classes would win over the method that is meant.
 */
function findAnchor(haystack: Haystack, text: string, above: readonly number[] | undefined) {
  const indented = trimmedStart(text, 0, text.length) > 0;
  for (const pass of indented ? passes : (['indentation', 'indentationAndPunctuation'] as const)) {
    const places = haystack.placesOf(pass, text);
    const lines = above ? inReach(haystack, above, places, 1) : places;
    if (lines.length > 0)
      return { lines, pass: !indented && pass === 'indentation' ? 'exact' : pass, byStart: false };
  }
  const line = onlyLineThatStartsWith(haystack, trim(text), above);
  return line === undefined ? undefined : { lines: [line], pass: 'exact' as const, byStart: true };
}

/**
 * Of `places` (ascending) those that an anchor at one of `anchors` can mean, at least `gap` lines below it: all within the scope that
 * the anchor opens; the nearest one, where it opens none, as in flat text.
 */
export function inReach(
  haystack: Haystack,
  anchors: readonly number[],
  places: readonly number[],
  gap: 0 | 1,
): readonly number[] {
  const meant: number[] = [];
  let taken = 0;
  for (const anchor of anchors) {
    const first = firstAtLeast(places, anchor + gap);
    if (first === places.length || haystack.budget.isSpent) break;
    const end = haystack.scopes.end(anchor, haystack.budget);
    const isFlat = end === anchor + 1;
    for (let at = Math.max(first, taken); at < places.length; at += 1) {
      if (isFlat ? at > first : (places[at] as number) >= end) break;
      meant.push(places[at] as number);
      taken = at + 1;
    }
  }
  haystack.budget.spend(100 + 40 * anchors.length + 8 * meant.length);
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
