/** Makes chips from what is open in the editor. The text is taken when the chip is made. */
import * as vscode from 'vscode';

import { err, ok, type Result } from '../../core/result.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';

/** In UTF-16 units. More would fill a large part of the context window without the person having seen it. */
const maxLength = 1_000_000;

export type AttachProblem = 'nothingOpen' | 'empty' | 'tooLong';

/** One chip a selection; the whole file when nothing is selected. */
export function attachFrom(
  editor: vscode.TextEditor | undefined,
  newId: () => string,
): Result<readonly Attachment[], AttachProblem> {
  if (editor === undefined) return err('nothingOpen');
  const selections = editor.selections.filter((selection) => !selection.isEmpty);
  const attachments =
    selections.length === 0
      ? [attachFile(editor.document, newId())]
      : selections.map((selection) => attachLines(editor.document, selection, newId()));
  if (attachments.every((attachment) => attachment.text.trim() === '')) return err('empty');
  if (attachments.reduce((sum, attachment) => sum + attachment.text.length, 0) > maxLength)
    return err('tooLong');
  return ok(attachments);
}

function attachFile(document: vscode.TextDocument, id: string): Attachment {
  return { ...describe(document, id), kind: 'file', text: document.getText() };
}

/** Whole lines: what a patch can name. A selection that ends at the start of a line leaves that line out. */
function attachLines(document: vscode.TextDocument, selection: vscode.Selection, id: string): Attachment {
  const from = selection.start.line;
  const to =
    selection.end.character === 0 && selection.end.line > from ? selection.end.line - 1 : selection.end.line;
  const text = document.getText(new vscode.Range(from, 0, to, document.lineAt(to).range.end.character));
  return { ...describe(document, id), kind: 'selection', range: { from: from + 1, to: to + 1 }, text };
}

function describe(
  document: vscode.TextDocument,
  id: string,
): Pick<Attachment, 'id' | 'path' | 'uri' | 'languageId'> {
  return {
    id,
    path: document.isUntitled ? document.fileName : vscode.workspace.asRelativePath(document.uri),
    uri: document.uri.toString(),
    languageId: document.languageId,
  };
}

/** Two chips that name the same lines of the same file. */
export function sameTarget(a: Attachment, b: Attachment): boolean {
  return a.uri === b.uri && a.range?.from === b.range?.from && a.range?.to === b.range?.to;
}

/** Opens what a chip names, at its lines. Rejects when it is gone. */
export async function openAttachment(attachment: Pick<Attachment, 'uri' | 'range'>): Promise<void> {
  const { range } = attachment;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(attachment.uri, true));
  const last = document.lineCount - 1;
  const selection =
    range === undefined
      ? undefined
      : document.validateRange(
          new vscode.Range(
            Math.min(range.from - 1, last),
            0,
            Math.min(range.to - 1, last),
            Number.MAX_SAFE_INTEGER,
          ),
        );
  await vscode.window.showTextDocument(document, { ...(selection && { selection }), preview: true });
}
