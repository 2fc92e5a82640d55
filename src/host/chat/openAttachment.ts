/** Opens what a chip names, as far as it is still there. */
import * as vscode from 'vscode';

import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import { cellOf } from './placeOf.ts';

/** Shows the lines that are left of those the chip names. Rejects when the document is gone. */
export async function openAttachment({
  uri,
  range,
}: Pick<AttachmentSummary, 'uri' | 'range'>): Promise<void> {
  const place = vscode.Uri.parse(uri, true);
  const cell = cellOf(place);
  if (cell !== undefined) {
    const selections = [new vscode.NotebookRange(cell.index, cell.index + 1)];
    await vscode.window.showNotebookDocument(cell.notebook, { selections, preview: true });
    return;
  }
  const document = await existing(place);
  const selection = range && linesWithin(document, range);
  await vscode.window.showTextDocument(document, { ...(selection && { selection }), preview: true });
}

async function existing(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true) return open;
  // VS Code would make a new, empty one.
  if (open === undefined && uri.scheme === 'untitled') throw vscode.FileSystemError.FileNotFound(uri);
  // It keeps documents for a while after their file was deleted, and shows an error in the place of their text.
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined) await vscode.workspace.fs.stat(uri);
  return open ?? (await vscode.workspace.openTextDocument(uri));
}

function linesWithin(
  document: vscode.TextDocument,
  range: { readonly from: number; readonly to: number },
): vscode.Range {
  const last = document.lineCount - 1;
  const to = Math.min(range.to - 1, last);
  return new vscode.Range(Math.min(range.from - 1, last), 0, to, document.lineAt(to).range.end.character);
}
