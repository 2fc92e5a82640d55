/** The only place that writes to the workspace, in editors and on the disk. Does single things; knows no steps and no patches. */
import { chmod } from 'node:fs/promises';
import * as vscode from 'vscode';

import { lineReplacements } from '../../../core/patch/lineDiff.ts';
import { toTextEdits } from './toWorkspaceEdit.ts';
import { isThere } from './whyNotWritten.ts';

/** Whether VS Code has done all of it: it may have done a part otherwise. */
export function applyEdit(edit: vscode.WorkspaceEdit): Thenable<boolean> {
  return vscode.workspace.applyEdit(edit);
}

/** Refused, the document is left as it is. */
export function putText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, toTextEdits(document, lineReplacements(document.getText(), text)));
  return vscode.workspace.applyEdit(edit);
}

/**
 * Makes a text unsaved again that the disk has not, or not all of: else VS Code would load what is there, and it would be lost. The editor
 * may hold it already.
 */
export async function markUnsaved(document: vscode.TextDocument, text: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // Of an edit that leaves the text as it is nothing is left in the editor in front: there has to be something to take away.
    if (document.getText() === text && !(await putText(document, `${text} `))) continue;
    // Refused, or overtaken by the end of the save, when it comes in the same moment.
    if ((await putText(document, text)) && (await isSoonDirty(document)) && document.getText() === text)
      return;
  }
}

/** How long VS Code is waited for to tell that a document has unsaved changes, in milliseconds. */
const tellTime = 1000;

function isSoonDirty(document: vscode.TextDocument): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(document.isDirty);
    };
    const timer = setTimeout(done, tellTime);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.isDirty) done();
    });
    if (document.isDirty) done();
  });
}

/** Puts a text into the editor of a file, or of one that is still to be made, and leaves it unsaved. */
export async function putUnsaved(uri: vscode.Uri, text: string): Promise<void> {
  const place = (await isThere(uri)) ? uri : uri.with({ scheme: 'untitled' });
  await putText(await vscode.workspace.openTextDocument(place), text);
}

/** Beneath the editor. Rejects where the file system refuses; what came of it is found out by looking. */
export function writeFile(uri: vscode.Uri, bytes: Uint8Array): Thenable<void> {
  return vscode.workspace.fs.writeFile(uri, bytes);
}

/** The same where nothing can be done about a refusal. */
export async function writeBack(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(uri, bytes);
  } catch {
    return;
  }
}

/** As `modeOf` gives it. A disk that knows nothing of it leaves the file as it made it. */
export async function setMode({ fsPath }: vscode.Uri, mode: number): Promise<void> {
  try {
    await chmod(fsPath, mode);
  } catch {
    return;
  }
}

/** Overwrites nothing. Rejects where the file system refuses. */
export function rename(from: vscode.Uri, to: vscode.Uri): Thenable<void> {
  return vscode.workspace.fs.rename(from, to, { overwrite: false });
}

/** The same where nothing can be done about a refusal. */
export async function renameBack(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  try {
    await rename(from, to);
  } catch {
    return;
  }
}

/** Makes a file and deletes it again. Rejects where the file system refuses the one or the other. */
export async function tryFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  await writeFile(uri, bytes);
  await vscode.workspace.fs.delete(uri, { useTrash: false });
}

/** Deletes the folders among these that are empty, the innermost first. Links are left alone. */
export async function removeEmptyFolders(outermostFirst: readonly vscode.Uri[]): Promise<void> {
  for (const folder of [...outermostFirst].reverse()) {
    try {
      const { type } = await vscode.workspace.fs.stat(folder);
      if (type !== vscode.FileType.Directory) return;
      if ((await vscode.workspace.fs.readDirectory(folder)).length > 0) return;
      await vscode.workspace.fs.delete(folder, { recursive: false, useTrash: false });
    } catch {
      // Gone already, filled in this very moment, or not ours to delete: then those around it are not empty either.
      return;
    }
  }
}
