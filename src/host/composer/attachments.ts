/** Makes chips from what is open in the editor. The text is taken when the chip is made. */
import * as vscode from 'vscode';

import { err, ok, type Result } from '../../core/result.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { describeDocument, withLineFeeds, type SourceParts } from '../context/describe.ts';
import { maxLength, type AttachProblem } from '../context/problem.ts';

/** One chip for each run of selected lines; the whole file when nothing is selected. Blank selections are left out. */
export function attachFrom(
  editor: vscode.TextEditor,
  ports: SourceParts,
): Result<readonly Attachment[], AttachProblem> {
  const { document } = editor;
  const selections = editor.selections.filter((selection) => !selection.isEmpty);
  const attachments = (
    selections.length === 0
      ? [attachFile(document, ports)]
      : selectedLines(selections).map((lines) => attachLines(document, lines, ports))
  ).filter(({ text }) => text.trim() !== '');
  if (attachments.length === 0) return err('empty');
  if (attachments.reduce((sum, { text }) => sum + text.length, 0) > maxLength) return err('tooLong');
  return ok(attachments);
}

/** Zero-based, both inclusive. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/**
 * Whole lines: what a patch can name. A selection that ends at the start of a line leaves that line out. Selections that meet are
 * one: a column selection has one a line.
 */
function selectedLines(selections: readonly vscode.Selection[]): readonly Lines[] {
  const runs: Lines[] = [];
  for (const { start, end } of selections.toSorted((a, b) => a.start.compareTo(b.start))) {
    const from = start.line;
    const to = end.character === 0 && end.line > from ? end.line - 1 : end.line;
    const last = runs.at(-1);
    if (last !== undefined && from <= last.to + 1)
      runs.splice(-1, 1, { from: last.from, to: Math.max(to, last.to) });
    else runs.push({ from, to });
  }
  return runs;
}

function attachFile(document: vscode.TextDocument, ports: SourceParts): Attachment {
  return { ...describeDocument(document, ports), kind: 'file', text: textOf(document) };
}

/** Whole lines of an open document. */
export function attachLines(
  document: vscode.TextDocument,
  { from, to }: Lines,
  ports: SourceParts,
): Attachment {
  const text = textOf(document, new vscode.Range(from, 0, to, document.lineAt(to).range.end.character));
  return {
    ...describeDocument(document, ports),
    kind: 'selection',
    range: { from: from + 1, to: to + 1 },
    text,
  };
}

function textOf(document: vscode.TextDocument, range?: vscode.Range): string {
  return withLineFeeds(document.getText(range));
}

/** Two chips of the same: of the same lines of a file, of all problems, of what is staged. */
export function sameTarget(a: Attachment, b: Attachment): boolean {
  if (classOf(a) !== classOf(b)) return false;
  // Of a line one may have pasted two pieces.
  if ((a.kind === 'pasted' || b.kind === 'pasted') && a.text !== b.text) return false;
  return a.uri === b.uri && a.range?.from === b.range?.from && a.range?.to === b.range?.to;
}

/** A symbol, a selection and what was pasted are alike as far as they are lines of a file. */
function classOf({ kind }: Attachment): Attachment['kind'] {
  switch (kind) {
    case 'selection':
    case 'symbol':
    case 'pasted':
      return 'file';
    default:
      return kind;
  }
}
