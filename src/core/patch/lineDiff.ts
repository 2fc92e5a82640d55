/** Which lines differ between two texts: for what a person typed, for merging, for the smallest edit of a hunk. Finds no places and knows no files. */
import { diffIndices } from 'node-diff3';
import type { Replacement } from './editPlan.ts';

/** Lines `from` to `to` (zero-based, `to` exclusive) of the first text became lines `newFrom` to `newTo` of the second. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/**
 * Largest number of line pairs that are compared one by one between two anchors. `diffIndices` takes time in proportion to it;
 * a larger stretch without any anchor counts as rewritten.
 */
const maxPairs = 1_000_000;

/**
 * How often a stretch between anchors is searched for anchors of its own. Texts that people write need a handful; texts made so that
 * each search finds only one more would take time in proportion to their square, and more nested calls than there is room for.
 */
const maxDepth = 30;

/** Lines with their terminators (CRLF, LF or CR, as an editor splits). Joined again they are the text; an empty text has none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/**
 * What changed from one list of lines to the other, ascending, with at least one common line between neighbours. Lines that occur
 * once on both sides are taken as anchors, so the time grows with the texts and not with their product.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  const add = (from: number, to: number, newFrom: number, newTo: number): void => {
    if (from === to && newFrom === newTo) return;
    changes.push({ from, to, newFrom, newTo });
  };
  const walk = (from: number, to: number, newFrom: number, newTo: number, depth: number): void => {
    let start = from;
    let newStart = newFrom;
    while (start < to && newStart < newTo && before[start] === after[newStart]) {
      start += 1;
      newStart += 1;
    }
    let end = to;
    let newEnd = newTo;
    while (end > start && newEnd > newStart && before[end - 1] === after[newEnd - 1]) {
      end -= 1;
      newEnd -= 1;
    }
    // Nothing is left of one side, or a line of each, which differ.
    if (start === end || newStart === newEnd || (end - start === 1 && newEnd - newStart === 1)) {
      add(start, end, newStart, newEnd);
      return;
    }
    const anchors =
      depth < maxDepth
        ? findAnchors(before, after, { from: start, to: end, newFrom: newStart, newTo: newEnd })
        : [];
    if (anchors.length > 0) {
      for (const [line, newLine] of anchors) {
        walk(start, line, newStart, newLine, depth + 1);
        start = line + 1;
        newStart = newLine + 1;
      }
      walk(start, end, newStart, newEnd, depth + 1);
      return;
    }
    if ((end - start) * (newEnd - newStart) > maxPairs) {
      add(start, end, newStart, newEnd);
      return;
    }
    for (const part of diffIndices(before.slice(start, end), after.slice(newStart, newEnd))) {
      add(
        start + part.buffer1[0],
        start + part.buffer1[0] + part.buffer1[1],
        newStart + part.buffer2[0],
        newStart + part.buffer2[0] + part.buffer2[1],
      );
    }
  };
  walk(0, before.length, 0, after.length, 0);
  return changes;
}

/** The smallest whole-line ranges of `before` whose replacement gives `after`, ascending, not overlapping. */
export function lineReplacements(before: string, after: string): Replacement[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const replacements: Replacement[] = [];
  let line = 0;
  let offset = 0;
  const advance = (to: number): number => {
    for (const text of oldLines.slice(line, to)) offset += text.length;
    line = to;
    return offset;
  };
  for (const change of diffLines(oldLines, newLines)) {
    const start = advance(change.from);
    const end = advance(change.to);
    replacements.push({ start, end, text: newLines.slice(change.newFrom, change.newTo).join('') });
  }
  return replacements;
}

interface Anchor {
  readonly line: number;
  readonly newLine: number;
  /** The one before it in the longest run that ends with it. */
  readonly previous: Anchor | undefined;
}

const absent = -1;
const repeated = -2;

/** Pairs of equal lines that occur once on each side, ascending on both: the longest such chain. */
function findAnchors(
  before: readonly string[],
  after: readonly string[],
  range: LineChange,
): (readonly [number, number])[] {
  const places = new Map<string, { line: number; newLine: number }>();
  for (const [index, text] of before.slice(range.from, range.to).entries()) {
    places.set(text, { line: places.has(text) ? repeated : range.from + index, newLine: absent });
  }
  for (const [index, text] of after.slice(range.newFrom, range.newTo).entries()) {
    const place = places.get(text);
    if (place !== undefined) place.newLine = place.newLine === absent ? range.newFrom + index : repeated;
  }
  // The longest increasing run of `newLine`: of all runs of n + 1 anchors, `tails[n]` ends the one that ends lowest.
  const tails: Anchor[] = [];
  for (const { line, newLine } of places.values()) {
    if (line < 0 || newLine < 0) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] as Anchor).newLine < newLine) low = middle + 1;
      else high = middle;
    }
    tails[low] = { line, newLine, previous: tails[low - 1] };
  }
  const chain: (readonly [number, number])[] = [];
  for (let anchor = tails.at(-1); anchor !== undefined; anchor = anchor.previous) {
    chain.push([anchor.line, anchor.newLine]);
  }
  return chain.reverse();
}
