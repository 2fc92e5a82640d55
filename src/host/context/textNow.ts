/** The text that a file has at this moment, without opening it in the editor. */
import * as vscode from 'vscode';

import { isBinary } from '../binary.ts';
import { openDocument, presentText } from '../edits/files/documentText.ts';
import { bytesOf } from './fileSource.ts';
import { attachedNotebook, notebookAt } from './notebooks.ts';

/** As it would be attached. Undefined when it is gone, or no text any more. */
export async function textNow(uri: vscode.Uri): Promise<string | undefined> {
  const notebook = await notebookAt(uri);
  if (notebook !== undefined) return attachedNotebook(notebook, '').text;
  const open = openDocument(uri);
  if (open?.isDirty === true || open?.isUntitled === true) return open.getText();
  // A cell of a notebook, or what an extension shows: text, and no file.
  if (open !== undefined && vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined)
    return open.getText();
  const bytes = await bytesOf(uri);
  if (!bytes.ok) return bytes.error === 'tooLong' && open !== undefined ? presentText(open) : undefined;
  return await textIn(bytes.value, uri);
}

/** What these bytes of a file say: as the person chose it where it is open, else by the settings. Undefined for what is no text. */
export async function textIn(bytes: Uint8Array, uri: vscode.Uri): Promise<string | undefined> {
  if (isBinary(bytes)) return undefined;
  const open = openDocument(uri);
  try {
    return open === undefined
      ? await vscode.workspace.decode(bytes, { uri })
      : await vscode.workspace.decode(bytes, { encoding: open.encoding });
  } catch {
    return undefined;
  }
}

/** Undefined where the text has fewer lines. @param range one-based, both inclusive */
export function linesOf(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  return to > lines.length ? undefined : lines.slice(from - 1, to).join('\n');
}
