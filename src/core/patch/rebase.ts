/** Brings a proposal made for one text over to what that text has become meanwhile. Three texts in, one or a refusal out; knows no files. */
import { diffLines, splitLines, type LineChange } from './lineDiff.ts';

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
  const baseLines = splitLines(base);
  const current_ = side(baseLines, current);
  const proposed_ = side(baseLines, proposed);
  const merged: string[] = [];
  let line = 0;
  while (current_.next() !== undefined || proposed_.next() !== undefined) {
    const from = Math.min(current_.next()?.from ?? Infinity, proposed_.next()?.from ?? Infinity);
    // All changes of both sides that touch each other form one region.
    let to = from;
    const mine: LineChange[] = [];
    const theirs: LineChange[] = [];
    for (let grown = true; grown;) {
      grown = false;
      for (const [from_, taken] of [
        [current_, mine],
        [proposed_, theirs],
      ] as const) {
        for (let next = from_.next(); next !== undefined && next.from <= to; next = from_.next()) {
          to = Math.max(to, next.to);
          taken.push(next);
          from_.take();
          grown = true;
        }
      }
    }
    merged.push(...baseLines.slice(line, from));
    line = to;
    const ours = current_.region(from, to, mine);
    const other = proposed_.region(from, to, theirs);
    if (mine.length > 0 && theirs.length > 0 && !equal(ours.lines, other.lines)) {
      return { kind: 'conflict', from: ours.start + 1, to: ours.start + ours.lines.length };
    }
    merged.push(...(mine.length > 0 ? ours.lines : other.lines));
  }
  merged.push(...baseLines.slice(line));
  return { kind: 'merged', text: merged.join('') };
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
