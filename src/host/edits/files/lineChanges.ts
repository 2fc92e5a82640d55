/** The changes from one text of a file to another, by number, and the text without one of them. Values only. */
import { diffLines, splitLines, type LineChange } from '../../../core/patch/lineDiff.ts';

/** Line ends do not count: a save may have changed them. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  return diffLines(linesOf(before), linesOf(after));
}

/** The text with one of its changes undone, by number. Keeps the line ends of both. Undefined when there is no such change. */
export function withoutChange(before: string, after: string, index: number): string | undefined {
  const change = lineChanges(before, after)[index];
  if (change === undefined) return undefined;
  const lines = splitLines(after);
  const old = splitLines(before);
  lines.splice(change.newFrom, change.newTo - change.newFrom, ...old.slice(change.from, change.to));
  return lines.join('');
}

function linesOf(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}
