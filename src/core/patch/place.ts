/**
 * One placement of all hunks, or none. Hunks come in the order of the file and change no line twice; if that leaves exactly one way
 * to place them it is taken, and otherwise it is said why not. Knows line numbers only.
 */
import { firstAtLeast } from './sorted.ts';

/** A hunk as far as placing needs it. */
export interface Placeable {
  /** Lines at which it may begin, ascending, at least one. */
  readonly places: readonly number[];
  /** The lines it changes, counted from its first: `from` to `to`, `to` exclusive; equal for a pure insertion. */
  readonly from: number;
  readonly to: number;
  /** False for context alone: such a hunk is a fence for the others, and need not be unique itself. */
  readonly changes: boolean;
  /** It goes to the end of the file and takes no part in the order. */
  readonly appends: boolean;
}

export type Placement =
  /** `lines[i]` is where hunk `i` begins. */
  | { readonly kind: 'placed'; readonly lines: readonly number[]; readonly outOfOrder: boolean }
  | {
      readonly kind: 'ambiguous';
      readonly hunks: readonly { readonly hunk: number; readonly places: readonly number[] }[];
    }
  | { readonly kind: 'impossible'; readonly hunk: number; readonly why: 'outOfOrder' | 'overlap' };

/**
 * Places greedily from the top and from the bottom: no placement begins a hunk above the first or below the second, so where both
 * agree there is no other.
 */
export function place(hunks: readonly Placeable[]): Placement {
  const top = fromTop(hunks);
  if (typeof top === 'number') return placeInAnyOrder(hunks, top);
  const bottom = fromBottom(hunks);
  const open = hunks.flatMap(({ changes, places }, hunk) => {
    const [first, last] = [top[hunk] as number, bottom[hunk] as number];
    if (!changes || first === last) return [];
    return [{ hunk, places: places.slice(firstAtLeast(places, first), firstAtLeast(places, last + 1)) }];
  });
  return open.length > 0
    ? { kind: 'ambiguous', hunks: open }
    : { kind: 'placed', lines: top, outOfOrder: false };
}

/** The first line each hunk can begin at, or the index of the first hunk that has none. */
function fromTop(hunks: readonly Placeable[]): readonly number[] | number {
  const lines: number[] = [];
  let cursor = 0;
  for (const [hunk, { places, from, to, appends }] of hunks.entries()) {
    const line = places[appends ? 0 : firstAtLeast(places, cursor - from)];
    if (line === undefined) return hunk;
    lines.push(line);
    if (!appends) cursor = line + to;
  }
  return lines;
}

/** The last line each hunk can begin at. Called only when there is a placement, so every hunk has one. */
function fromBottom(hunks: readonly Placeable[]): readonly number[] {
  const lines: number[] = [];
  let cursor = Infinity;
  for (const { places, from, to, appends } of hunks.toReversed()) {
    const line = places[appends ? 0 : firstAtLeast(places, cursor - to + 1) - 1] as number;
    lines.push(line);
    if (!appends) cursor = line + from;
  }
  return lines.reverse();
}

/** Out of order, but each hunk with one place only and no line changed twice: still a single placement. */
function placeInAnyOrder(hunks: readonly Placeable[], stuck: number): Placement {
  const spans = hunks
    .map(({ places, from, to }) => ({ start: (places[0] as number) + from, end: (places[0] as number) + to }))
    .filter((_, hunk) => (hunks[hunk] as Placeable).changes)
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const disjoint = spans.every(
    (span, at) => at === 0 || (spans[at - 1] as { end: number }).end <= span.start,
  );
  if (disjoint && hunks.every(({ places }) => places.length === 1)) {
    return { kind: 'placed', lines: hunks.map(({ places }) => places[0] as number), outOfOrder: true };
  }
  const { places, from, to } = hunks[stuck] as Placeable;
  const outermost = [places[0] as number, places.at(-1) as number];
  const overlaps = hunks.slice(0, stuck).some((hunk) => {
    const [start, end] = [(hunk.places[0] as number) + hunk.from, (hunk.places[0] as number) + hunk.to];
    return hunk.changes && outermost.some((line) => line + from < end && start < line + to);
  });
  return { kind: 'impossible', hunk: stuck, why: overlaps ? 'overlap' : 'outOfOrder' };
}
