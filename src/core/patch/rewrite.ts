/**
 * Placed hunks into the smallest edits of the text. Context keeps its bytes, whatever pass found it; only lines the patch really
 * changes are written, with the file's first terminator. Decides no place.
 */
import { bomLength, firstTerminator, joinLines } from '../lines.ts';
import type { Replacement } from './editPlan.ts';
import { followIndentation, observeIndentation, type Indentation } from './indentation.ts';
import { diffLines, type LineChange } from './lineDiff.ts';
import type { HunkLine } from './patch.ts';

export interface PlacedHunk {
  readonly lines: readonly HunkLine[];
  /** Offsets of the text at which its old lines begin, and one more behind the last. */
  readonly offsets: ArrayLike<number>;
  /** It was found by ignoring indentation. */
  readonly shifted: boolean;
}

export interface Rewrite {
  readonly replacements: readonly Replacement[];
  /** Indices of hunks whose new lines keep the indentation of the patch because no rule explains the difference. */
  readonly unclear: readonly number[];
}

/** Whole lines of the text from `start` to `end` give way to these. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly put: readonly string[];
}

export function rewrite(text: string, hunks: readonly PlacedHunk[]): Rewrite {
  const unclear: number[] = [];
  const openAt = openEnd(text);
  const edits = hunks.flatMap((hunk, index) => {
    const rule = hunk.shifted ? observe(text, hunk) : ({ kind: 'same' } as const);
    const follows =
      !hunk.shifted ||
      hunk.lines.every((line) => line.kind !== 'add' || followIndentation(rule, line.text) !== undefined);
    if (!follows) unclear.push(index);
    return editsOf(openAt, hunk, follows ? rule : { kind: 'same' });
  });
  // Stable, so that insertions at one place stay in the order of the patch.
  edits.sort((one, other) => one.start - other.start || one.end - other.end);
  return { replacements: toReplacements(text, edits, openAt), unclear };
}

/** The end of a text whose last line has no terminator; undefined for any other. */
function openEnd(text: string): number | undefined {
  return text.length === bomLength(text) || /[\r\n]/.test(text.charAt(text.length - 1))
    ? undefined
    : text.length;
}

function observe(text: string, hunk: PlacedHunk): Indentation {
  let row = 0;
  const pairs: { patch: string; file: string }[] = [];
  for (const line of hunk.lines) {
    if (line.kind === 'add') continue;
    const file = text.slice(hunk.offsets[row], hunk.offsets[row + 1]).replace(/[\r\n]+$/, '');
    pairs.push({ patch: line.text, file });
    row += 1;
  }
  return observeIndentation(pairs);
}

function editsOf(openAt: number | undefined, { lines, offsets }: PlacedHunk, rule: Indentation): LineEdit[] {
  const edits: LineEdit[] = [];
  const at = (row: number): number => offsets[row] as number;
  let row = 0;
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    if (removed.length === 0 && added.length === 0) return;
    const first = row - removed.length;
    const opened = removed.length > 0 && at(row) === openAt;
    for (const change of smallestChanges(removed, added, opened)) {
      edits.push({
        start: at(first + change.from),
        end: at(first + change.to),
        put: added.slice(change.newFrom, change.newTo).map((line) => followIndentation(rule, line) as string),
      });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'add') {
      added.push(line.text);
      continue;
    }
    if (line.kind === 'context') flush();
    else removed.push(line.text);
    row += 1;
  }
  flush();
  return edits;
}

/**
 * One run of removed and added lines, less the lines that are the same on both sides as the patch writes them: those it does not
 * mean to change, so the file's own bytes stay. A last line without terminator is written anew if it is named, to get one.
 */
function smallestChanges(
  removed: readonly string[],
  added: readonly string[],
  opened: boolean,
): readonly LineChange[] {
  const isOnlyChange = removed.length <= 1 && added.length <= 1 && (opened || removed[0] !== added[0]);
  if (isOnlyChange) return [{ from: 0, to: removed.length, newFrom: 0, newTo: added.length }];
  // No text equals this one: a patch line never holds a line feed.
  return diffLines(opened ? [...removed.slice(0, -1), '\n'] : removed, added);
}

/**
 * Neighbours may touch; two insertions at one place stay in the order of the patch. A CR of one line and the LF of an empty one would be
 * one line end together: where they come to meet, a line that the patch writes, or the place of one that it takes away, keeps them apart.
 */
function toReplacements(text: string, edits: readonly LineEdit[], openAt: number | undefined): Replacement[] {
  const terminator = firstTerminator(text);
  let at = 0;
  let endsWithReturn = false;
  return edits.map(({ start, end, put }, index) => {
    if (start > at) endsWithReturn = text.charAt(start - 1) === '\r';
    let lines = joinLines(put, terminator);
    // Behind a last line that stays and has no terminator of its own.
    if (start === openAt && edits[index - 1]?.end !== start) lines = terminator + lines;
    if (endsWithReturn && lines.startsWith('\n')) lines = `\r${lines}`;
    if (lines !== '') endsWithReturn = lines.endsWith('\r');
    if (endsWithReturn && text.charAt(end) === '\n' && edits[index + 1]?.start !== end) lines += '\n';
    at = end;
    return { start, end, text: lines };
  });
}
