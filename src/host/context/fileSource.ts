/** A chip of a whole file that may be open or not: its text, its cells, or what it shows. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { isBinary } from '../binary.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { describeDocument, pathOf, withLineFeeds, type SourceParts } from './describe.ts';
import { attachImage, hasImageName, mimeOf } from './imageSource.ts';
import { attachedNotebook, languageOf, notebookAt } from './notebooks.ts';
import { maxImageBytes, maxLength, type AttachProblem } from './problem.ts';

/** In bytes. No character takes more of them in an encoding that is in use. */
const maxBytes = 4 * maxLength;

export async function attachFile(
  uri: vscode.Uri,
  parts: SourceParts,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const notebook = await notebookAt(uri);
  if (notebook !== undefined) return attachNotebook(notebook, parts);
  const open = openDocument(uri);
  if (open !== undefined && (open.isDirty || open.isUntitled))
    return attachDocument(open, open.getText(), parts);
  const bytes = await bytesOf(uri);
  if (!bytes.ok) {
    // Shown by an extension that gives text and no files: an older version, a library.
    if (bytes.error === 'missing' && open !== undefined && uri.scheme !== 'file')
      return attachDocument(open, open.getText(), parts);
    return bytes.error === 'tooLong' && hasImageName(uri) ? err('imageTooLarge') : bytes;
  }
  if (mimeOf(bytes.value) !== undefined)
    return attachImage({ bytes: bytes.value, name: pathOf(uri, parts), uri }, parts);
  if (isBinary(bytes.value)) return err('binary');
  try {
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    if (document.isDirty) return attachDocument(document, document.getText(), parts);
    // VS Code may not have noticed yet what another program wrote.
    const text = await vscode.workspace.decode(bytes.value, { encoding: document.encoding });
    return attachDocument(document, text, parts);
  } catch {
    return err('missing');
  }
}

function attachDocument(
  document: vscode.TextDocument,
  text: string,
  parts: SourceParts,
): Result<readonly Attachment[], AttachProblem> {
  if (text.trim() === '') return err('empty');
  if (text.length > maxLength) return err('tooLong');
  return ok([{ ...describeDocument(document, parts), kind: 'file', text: withLineFeeds(text) }]);
}

function attachNotebook(
  notebook: vscode.NotebookDocument,
  parts: SourceParts,
): Result<readonly Attachment[], AttachProblem> {
  const path = pathOf(notebook.uri, parts);
  const attached = attachedNotebook(notebook, path);
  if (attached.text === '') return err('empty');
  if (attached.text.length > maxLength) return err('tooLong');
  return ok([
    {
      ...{ id: parts.newId(), kind: 'file', path, uri: notebook.uri.toString() },
      languageId: languageOf(notebook),
      ...attached,
    },
  ]);
}

/** Never more than what could be attached. */
export async function bytesOf(uri: vscode.Uri): Promise<Result<Uint8Array, AttachProblem>> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return err('folder');
    // Pipes and devices: reading them may never end.
    if ((type & vscode.FileType.File) === 0) return err('missing');
    if (size > Math.max(maxBytes, maxImageBytes)) return err('tooLong');
    return ok(await vscode.workspace.fs.readFile(uri));
  } catch {
    return err('missing');
  }
}
