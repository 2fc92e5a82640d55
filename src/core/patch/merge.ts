/**
 * Three-way merge by lines: what two sides made of the same text, put together, and where they overlap. Knows no files and decides
 * nothing about overlaps but to show them.
 */
import { diffLines, splitLines, type LineChange } from './lineDiff.ts';

export interface Merged {
  /** Both sides' changes; the proposal's lines where they overlap. */
  readonly text: string;
  /** `current`, but with the base's lines where the sides overlap: merging again from it finds the same overlaps and nothing else. */
  readonly base: string;
  /** Where both sides changed the same or neighbouring lines, and not alike. Ascending. */
  readonly overlaps: readonly Overlap[];
  /** Changes that both sides made alike. */
  readonly agreed: number;
}

/** Zero-based lines, `to` exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface Overlap {
  readonly inCurrent: LineRange;
  /** In `Merged.base`. */
  readonly inBase: LineRange;
  /** In `Merged.text`. */
  readonly inText: LineRange;
}

/** Both sides started from `base`; the texts must use the same line ends. */
export function mergeLines(base: string, current: string, proposed: string): Merged {
  const baseLines = splitLines(base);
  const mine = side(baseLines, current);
  const theirs = side(baseLines, proposed);
  const text: string[] = [];
  const kept: string[] = [];
  const overlaps: Overlap[] = [];
  let agreed = 0;
  let line = 0;
  for (;;) {
    const from = Math.min(mine.next()?.from ?? Infinity, theirs.next()?.from ?? Infinity);
    if (from === Infinity) break;
    // All changes of both sides that touch each other form one region.
    let to = from;
    const taken: { readonly [one in 'mine' | 'theirs']: LineChange[] } = { mine: [], theirs: [] };
    for (let grown = true; grown;) {
      grown = false;
      for (const [from_, list] of [
        [mine, taken.mine],
        [theirs, taken.theirs],
      ] as const) {
        for (let next = from_.next(); next !== undefined && next.from <= to; next = from_.next()) {
          to = Math.max(to, next.to);
          list.push(next);
          from_.take();
          grown = true;
        }
      }
    }
    append(text, baseLines.slice(line, from));
    append(kept, baseLines.slice(line, from));
    line = to;
    const ours = mine.region(from, to, taken.mine);
    const other = theirs.region(from, to, taken.theirs);
    const both = taken.mine.length > 0 && taken.theirs.length > 0;
    if (both && equal(ours.lines, other.lines)) agreed += 1;
    else if (both) {
      overlaps.push({
        inCurrent: { from: ours.start, to: ours.start + ours.lines.length },
        inBase: { from: kept.length, to: kept.length + to - from },
        inText: { from: text.length, to: text.length + other.lines.length },
      });
      append(text, other.lines);
      append(kept, baseLines.slice(from, to));
      continue;
    }
    append(text, taken.mine.length > 0 ? ours.lines : other.lines);
    append(kept, ours.lines);
  }
  append(text, baseLines.slice(line));
  append(kept, baseLines.slice(line));
  return { text: text.join(''), base: kept.join(''), overlaps, agreed };
}

/** Not by spreading: a region can have more lines than a call takes arguments. */
function append(lines: string[], more: readonly string[]): void {
  for (const each of more) lines.push(each);
}

/** One side's changes to the base, taken in order, and what it has in place of a region of the base. */
function side(baseLines: readonly string[], text: string) {
  const lines = splitLines(text);
  const changes = diffLines(baseLines, lines);
  let index = 0;
  return {
    next: (): LineChange | undefined => changes[index],
    take: (): void => void (index += 1),
    region(from: number, to: number, taken: readonly LineChange[]): { start: number; lines: string[] } {
      const first = taken[0];
      const last = taken.at(-1);
      // Outside its changes a side has the base's lines, shifted by what the changes before added or removed.
      const before = changes[index - taken.length - 1];
      const shift = before === undefined ? 0 : before.newTo - before.to;
      const start = first === undefined ? from + shift : first.newFrom - (first.from - from);
      const end = last === undefined ? to + shift : last.newTo + (to - last.to);
      return { start, lines: lines.slice(start, end) };
    },
  };
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
