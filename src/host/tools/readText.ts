/** The text of a file as the person has it: in the editor where it has unsaved changes, on the disk otherwise. */
import * as vscode from 'vscode';

import { err, ok, type Result } from '../../core/result.ts';
import type { FileText, Refusal } from '../../core/tools/readingPorts.ts';
import { isBinary } from '../binary.ts';
import { openDocument } from '../edits/files/documentText.ts';
import type { Located } from './places.ts';

/** Largest file that is read, in bytes. */
export const maxRead = 20 * 1024 * 1024;

export async function readText({ uri, size, display: path }: Located): Promise<Result<FileText, Refusal>> {
  const document = openDocument(uri);
  if (document?.isDirty === true) return ok({ path, text: document.getText(), unsaved: true });
  // Asked before: reading it would take the memory for all of it.
  if (size > maxRead) return err({ kind: 'tooLarge', path, bytes: size, limit: maxRead });
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (isBinary(bytes)) return err({ kind: 'binary', path, bytes: bytes.length });
    // As the person chose it for the open file, else by the settings and what the file begins with.
    const text =
      document === undefined
        ? await vscode.workspace.decode(bytes, { uri })
        : await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return ok({ path, text, unsaved: false });
  } catch {
    return err({ kind: 'unreadable', path });
  }
}
