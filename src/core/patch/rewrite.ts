/**
 * Placed hunks into the smallest edits of the text. Context keeps its bytes, whatever pass found it; only lines the patch really
 * changes are written, with the file's first terminator. Decides no place.
 */
import { firstTerminator, isTerminated, lineStart, lineText, type LineIndex } from '../lines.ts';
import type { Replacement } from './editPlan.ts';
import { followIndentation, observeIndentation, type Indentation } from './indentation.ts';
import { diffLines } from './lineDiff.ts';
import type { HunkLine } from './patch.ts';

export interface PlacedHunk {
  readonly lines: readonly HunkLine[];
  /** Zero-based line of the text where its first line stands. */
  readonly place: number;
  /** It was found by ignoring indentation. */
  readonly shifted: boolean;
}

export interface Rewrite {
  readonly replacements: readonly Replacement[];
  /** Indices of hunks whose new lines keep the indentation of the patch because no rule explains the difference. */
  readonly unclear: readonly number[];
}

/** Lines `from` to `to` (exclusive) of the text give way to these. */
interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly put: readonly string[];
}

export function rewrite(lines: LineIndex, hunks: readonly PlacedHunk[]): Rewrite {
  const unclear: number[] = [];
  const edits = hunks.flatMap((hunk, index) => {
    const rule = hunk.shifted ? observe(lines, hunk) : ({ kind: 'same' } as const);
    const follows = hunk.lines.every(
      (line) => line.kind !== 'add' || followIndentation(rule, line.text) !== undefined,
    );
    if (!follows) unclear.push(index);
    return editsOf(lines, hunk, follows ? rule : { kind: 'same' });
  });
  // Stable, so that insertions at one place stay in the order of the patch.
  edits.sort((one, other) => one.from - other.from || one.to - other.to);
  return { replacements: toReplacements(lines, edits), unclear };
}

function observe(lines: LineIndex, hunk: PlacedHunk): Indentation {
  let at = hunk.place;
  const pairs: { patch: string; file: string }[] = [];
  for (const line of hunk.lines) {
    if (line.kind === 'add') continue;
    pairs.push({ patch: line.text, file: lineText(lines, at) });
    at += 1;
  }
  return observeIndentation(pairs);
}

function editsOf(lines: LineIndex, hunk: PlacedHunk, rule: Indentation): LineEdit[] {
  const edits: LineEdit[] = [];
  let at = hunk.place;
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (const edit of smallestEdits(lines, at - removed.length, removed, added, rule)) edits.push(edit);
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    if (line.kind === 'add') {
      added.push(line.text);
      continue;
    }
    if (line.kind === 'context') flush();
    else removed.push(line.text);
    at += 1;
  }
  flush();
  return edits;
}

/**
 * One run of removed and added lines, less the lines that are the same on both sides as the patch writes them: those it does not
 * mean to change, so the file's own bytes stay. A last line without terminator is written anew if it is named, to get one.
 */
function smallestEdits(
  lines: LineIndex,
  from: number,
  removed: readonly string[],
  added: readonly string[],
  rule: Indentation,
): LineEdit[] {
  const put = (text: string): string => followIndentation(rule, text) as string;
  const last = from + removed.length - 1;
  const opened = removed.length > 0 && last === lines.count - 1 && !isTerminated(lines, last);
  // No text equals this one: a patch line never holds a line feed.
  const before = opened ? [...removed.slice(0, -1), '\n'] : removed;
  return diffLines(before, added).map((change) => ({
    from: from + change.from,
    to: from + change.to,
    put: added.slice(change.newFrom, change.newTo).map(put),
  }));
}

/** Neighbours may touch; two insertions at one place stay in the order of the patch. */
function toReplacements(lines: LineIndex, edits: readonly LineEdit[]): Replacement[] {
  const terminator = firstTerminator(lines.text);
  return edits.map(({ from, to, put }, index) => {
    const start = lineStart(lines, from);
    const text = put.map((line) => line + terminator).join('');
    // Behind a last line that stays and has no terminator of its own.
    const opened =
      from === lines.count && from > 0 && edits[index - 1]?.to !== from && !isTerminated(lines, from - 1);
    return { start, end: lineStart(lines, to), text: opened ? terminator + text : text };
  });
}
