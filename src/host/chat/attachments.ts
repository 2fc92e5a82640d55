/** Makes chips from what is open in the editor. The text is taken when the chip is made. */
import * as vscode from 'vscode';

import { err, ok, type Result } from '../../core/result.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { placeOf } from './placeOf.ts';

/** In UTF-16 units. More would fill a large part of the context window without the person having seen it. */
export const maxLength = 1_000_000;

export type AttachProblem = 'empty' | 'tooLong';

export interface AttachPorts {
  newId(): string;
  /** Another name for documents that don't have the one a person knows them by. */
  nameOf?(document: vscode.Uri): string | undefined;
}

/** One chip for each run of selected lines; the whole file when nothing is selected. Blank selections are left out. */
export function attachFrom(
  editor: vscode.TextEditor,
  ports: AttachPorts,
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
interface Lines {
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

function attachFile(document: vscode.TextDocument, ports: AttachPorts): Attachment {
  return { ...describe(document, ports), kind: 'file', text: textOf(document) };
}

function attachLines(document: vscode.TextDocument, { from, to }: Lines, ports: AttachPorts): Attachment {
  const text = textOf(document, new vscode.Range(from, 0, to, document.lineAt(to).range.end.character));
  return { ...describe(document, ports), kind: 'selection', range: { from: from + 1, to: to + 1 }, text };
}

/** With LF whatever the file has: a model would copy a CR into its patch as a character of the line. */
function textOf(document: vscode.TextDocument, range?: vscode.Range): string {
  return document.getText(range).replaceAll('\r\n', '\n');
}

function describe(
  document: vscode.TextDocument,
  ports: AttachPorts,
): Pick<Attachment, 'id' | 'path' | 'uri' | 'languageId'> {
  return {
    id: ports.newId(),
    path: ports.nameOf?.(document.uri) ?? placeOf(document),
    uri: document.uri.toString(),
    languageId: document.languageId,
  };
}

/** Two chips that name the same lines of the same file. */
export function sameTarget(a: Attachment, b: Attachment): boolean {
  // Of a line one may have pasted two pieces.
  if ((a.kind === 'pasted' || b.kind === 'pasted') && a.text !== b.text) return false;
  return a.uri === b.uri && a.range?.from === b.range?.from && a.range?.to === b.range?.to;
}
