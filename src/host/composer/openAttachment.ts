/** Opens what a chip names, or, where that is another text by now or no place at all, what it sent. */
import { posix } from 'node:path';
import * as vscode from 'vscode';

import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import { isSeenIn, seenOfChip, withoutLastEnd } from '../../core/conversation/seenFiles.ts';
import { hasImageName } from '../context/imageSource.ts';
import { notebookAt } from '../context/notebooks.ts';
import type { SentContent, SentTexts } from '../context/sentTexts.ts';
import { linesOf, textNow } from '../context/textNow.ts';
import { cellOf } from './placeOf.ts';

export interface OpenedChip {
  readonly attachment: AttachmentSummary;
  /** Undefined when it is no longer known. */
  readonly content: SentContent | undefined;
  /** It was asked with: what counts is what the model was told. */
  readonly wasSent: boolean;
}

/** Rejects when neither can be shown. */
export async function openChip(
  { attachment, content, wasSent }: OpenedChip,
  sent: Pick<SentTexts, 'show'>,
): Promise<void> {
  const namesPlace = isOfPlace(attachment);
  if (namesPlace && (!wasSent || content === undefined || (await isAsSent(attachment, content)))) {
    try {
      await openAttachment(attachment);
      return;
    } catch (error) {
      if (content === undefined) throw error;
    }
  }
  if (content === undefined) throw new Error('What it held is no longer known.');
  const { path, range, languageId } = attachment;
  const name =
    range === undefined ? posix.basename(path) : `${posix.basename(path)}:${range.from}-${range.to}`;
  await sent.show(content, {
    name: wasSent ? vscode.l10n.t('{0} (as sent)', namesPlace ? name : path) : namesPlace ? name : path,
    languageId,
  });
}

/** Whether there is something to open but what was attached. */
function isOfPlace({ kind, uri, range }: AttachmentSummary): boolean {
  switch (kind) {
    case 'file':
    case 'selection':
    case 'symbol':
    case 'image':
    case 'instructions':
    case 'prompt':
      return !uri.startsWith('kimi-');
    case 'pasted':
      return range !== undefined;
    case 'summary':
      return true;
    case 'folder':
    case 'problems':
    case 'diff':
    case 'terminal':
      return false;
  }
}

/** Whether the place holds now what was sent of it. */
async function isAsSent(attachment: AttachmentSummary, content: SentContent): Promise<boolean> {
  if ('image' in content) return false;
  const { uri, range } = attachment;
  const seen = seenOfChip(attachment, content.text);
  try {
    const now = await textNow(vscode.Uri.parse(uri, true));
    const part = now === undefined || range === undefined ? now : linesOf(now, range);
    if (part === undefined) return false;
    return isSeenIn(withoutLastEnd(part), seen ?? { text: withoutLastEnd(content.text) });
  } catch {
    return false;
  }
}

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
  const notebook = await notebookAt(place);
  if (notebook !== undefined) {
    await vscode.window.showNotebookDocument(notebook, { preview: true });
    return;
  }
  if (hasImageName(place)) {
    await vscode.workspace.fs.stat(place);
    await vscode.commands.executeCommand('vscode.open', place, { preview: true });
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
