/** The text of a file as its editor has it, when the editor can give it back to the disk unharmed. Knows nothing of patches. */
import * as vscode from 'vscode';

import type { FileRefusal } from '../../../core/patch/editPlan.ts';
import { isBinary } from '../../binary.ts';
import { bytesOf, isCutShort, isSame } from './diskBytes.ts';
import { hasMixedLineEnds } from './lineEnds.ts';
import { isReadOnlyBySettings } from './readOnlyFiles.ts';

export type DocumentText =
  | {
      readonly kind: 'text';
      readonly document: vscode.TextDocument;
      /**
       * The text of the file where its line ends are mixed: the document, which has no unsaved changes then, shows them alike, and
       * saving it would make them so. It is written beneath the editor, so the document may not have loaded it yet.
       */
      readonly exact?: string;
      /**
       * Not all of the text reached the disk, which was full: the document alone has it, or has no more than the disk of what is known
       * to have been written.
       */
      readonly cut?: 'onDisk' | 'everywhere';
    }
  | { readonly kind: 'refused'; readonly reason: FileRefusal };

/** What was last written to a file, with its line ends. */
export interface Written {
  readonly text: string;
  /** It could not be saved: what is unsaved in its document is this, and nothing of anybody's. */
  readonly isUnsaved: boolean;
}

/** How long an editor is waited for that has not yet taken up what another program wrote, in milliseconds. */
const catchUpTime = 5000;

/** How long of that VS Code is left to notice it by itself, in milliseconds. */
const noticeTime = 1000;

/**
 * Opens an existing file without showing it. Saving what it holds changes nothing on the disk but what is edited, see `exact`.
 * @param written by us, where that is known: when only the beginning of that is left, nobody has removed the rest
 */
export async function openText(uri: vscode.Uri, written?: Written): Promise<DocumentText> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (isBinary(bytes)) return { kind: 'refused', reason: 'binary' };
    const document = openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
    if (isReadOnlyBySettings(document)) return { kind: 'refused', reason: 'readOnly' };
    return await checked(document, bytes, written);
  } catch {
    return { kind: 'refused', reason: 'unreadable' };
  }
}

/** The document of this file if the editor holds one, shown or not. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === key,
  );
}

/** What an open file holds: what its editor has that is not saved, or else what is on the disk, which VS Code may not have noticed. */
export async function presentText(document: vscode.TextDocument): Promise<string> {
  if (document.isDirty) return document.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    const shown = document.getText();
    return document.isDirty || (text !== shown && (await isCutShort(bytes, shown, document))) ? shown : text;
  } catch {
    return document.getText();
  }
}

/** `text` with every line end written as `eol`. */
export function withLineEnds(text: string, eol: vscode.EndOfLine | string): string {
  const end = eol === vscode.EndOfLine.CRLF || eol === '\r\n' ? '\r\n' : '\n';
  return text.replace(/\r\n|\r|\n/g, end);
}

/** Whether `text` comes back unchanged after it was saved in the document's encoding. */
export async function canHold(document: vscode.TextDocument, text: string): Promise<boolean> {
  const { encoding } = document;
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text;
}

async function checked(
  document: vscode.TextDocument,
  read: Uint8Array,
  written: Written | undefined,
): Promise<DocumentText> {
  const { encoding } = document;
  const deadline = Date.now() + catchUpTime;
  let bytes = read;
  let isNoticed = false;
  for (;;) {
    const decoded = await vscode.workspace.decode(bytes, { encoding });
    const shown = document.getText();
    // Not to be loaded anew: nobody but the editor has the rest.
    const isOurs = document.isDirty && written?.isUnsaved === true && shown === written.text;
    if (isOurs || (decoded !== shown && (await isCutShort(bytes, shown, document)))) {
      if (document.getText() === shown) return { kind: 'text', document, cut: 'onDisk' };
      // The editor has just loaded it by itself.
      continue;
    }
    const isCut =
      written !== undefined && !document.isDirty && (await isCutShort(bytes, written.text, document));
    if (!isCut && !isSame(bytes, await bytesOf(decoded, document))) {
      return { kind: 'refused', reason: bytes.includes(0) ? 'binary' : 'undecodable' };
    }
    const mixed = hasMixedLineEnds(decoded);
    if (document.isDirty)
      return mixed ? { kind: 'refused', reason: 'mixedLineEnds' } : { kind: 'text', document };
    const cut = isCut && { cut: 'everywhere' as const };
    if (mixed) return { kind: 'text', document, exact: decoded, ...cut };
    if (decoded === document.getText()) return { kind: 'text', document, ...cut };
    // Another program has written the file and the editor is about to load it.
    if (Date.now() >= deadline) return { kind: 'refused', reason: 'notLoaded' };
    if (!(await nextChange(document, noticeTime)) && !isNoticed) {
      isNoticed = true;
      await loadAnew(document);
    }
    bytes = await vscode.workspace.fs.readFile(document.uri);
  }
}

/** Whether two texts have the same lines, whatever ends them. */
export function isSameText(one: string, other: string): boolean {
  return withLineEnds(one, '\n') === withLineEnds(other, '\n');
}

/** Resolves when the editor has taken up a text that was written to the disk, or after a while in which it has not. */
export async function takenUp(document: vscode.TextDocument, text: string): Promise<void> {
  const deadline = Date.now() + catchUpTime;
  let isNoticed = false;
  while (!document.isClosed && !isSameText(document.getText(), text) && Date.now() < deadline) {
    if ((await nextChange(document, noticeTime)) || isNoticed) continue;
    isNoticed = true;
    await loadAnew(document);
  }
}

/**
 * Has VS Code read a file again whose writing its watchers have missed. Nothing asks it to but opening the file in another encoding;
 * UTF-8 with and without a byte order mark give the same text, so that only with plain UTF-8 nothing else happens to the editor.
 * Only for when the person has just accepted: were they to type in between, the file would get a mark. Never rejects.
 */
export async function loadAnew(document: vscode.TextDocument): Promise<void> {
  const { encoding, uri } = document;
  if (document.isDirty || encoding !== 'utf8') return;
  try {
    await vscode.workspace.openTextDocument(uri, { encoding: 'utf8bom' });
    await vscode.workspace.openTextDocument(uri, { encoding });
  } catch {
    // Unsaved changes have come, or the file is gone: the text is compared again.
  }
}

/** Whether there was one in time. */
function nextChange(document: vscode.TextDocument, limit: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (isChanged: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isChanged);
    };
    const timer = setTimeout(() => done(false), limit);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) done(true);
    });
  });
}
