/** Why something could not be written, found by looking: VS Code says only that it was not. Changes nothing. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';

import { noPermission, noPermissionForFile, noSpace, refusal, taken, type Reason } from './sentences.ts';
import { isSameButCase, may } from './filePlace.ts';
import type { Step } from './toWorkspaceEdit.ts';

/** Why a step was not done; undefined when nothing that was looked at says why. */
export async function whyNotDone(step: Step): Promise<Reason | undefined> {
  const target = step.kind === 'edit' ? step.to : step.uri;
  if (target === undefined) return step.kind === 'edit' ? whyNotSaved(step.document.uri) : undefined;
  if (step.kind !== 'delete' && (await isTaken(step, target))) {
    return taken(vscode.workspace.asRelativePath(target));
  }
  if (target.scheme !== 'file') return lookElsewhere(target);
  const folder = await nearestFolder(dirname(target.fsPath));
  if (folder === undefined || !(await may(folder, constants.W_OK | constants.X_OK))) return noPermission();
  return (await isFull(target)) ? noSpace() : undefined;
}

/** Why the text of a file that is there could not be written to it; undefined when nothing that was looked at says why. */
export async function whyNotSaved(uri: vscode.Uri): Promise<Reason | undefined> {
  if (uri.scheme !== 'file') return lookElsewhere(uri);
  const found = await stat(uri.fsPath).catch(() => undefined);
  if (found?.isDirectory() === true) return refusal('directory');
  if (found !== undefined && !(await may(uri.fsPath, constants.W_OK))) return noPermissionForFile();
  return (await isFull(uri)) ? noSpace() : undefined;
}

/** What an error of a file system says, where it says anything that helps. */
export function reasonOf(error: unknown): Reason | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'NoPermissions':
      return noPermissionForFile();
    case 'Unavailable':
      return refusal('unavailable');
    case 'FileIsADirectory':
      return refusal('directory');
    default:
      // There is no code for it: the words of the operating system are passed on.
      return error instanceof Error && /ENOSPC|EDQUOT|no space left/i.test(error.message)
        ? noSpace()
        : undefined;
  }
}

/** Whether the disk that this file is or would be on is full. False where that can't be found out. */
export async function isFull(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  const folder = await nearestFolder(dirname(uri.fsPath));
  if (folder === undefined) return false;
  try {
    return (await statfs(folder)).bavail === 0;
  } catch {
    return false;
  }
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** A change of case alone may find the file itself under its new name. */
async function isTaken(step: Step, target: vscode.Uri): Promise<boolean> {
  if (step.kind === 'edit' && isSameButCase(step.document.uri, target)) return false;
  return isThere(target);
}

async function lookElsewhere(uri: vscode.Uri): Promise<Reason | undefined> {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return refusal('readOnly');
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0 ? undefined : refusal('readOnly');
  } catch (error) {
    return reasonOf(error);
  }
}

async function nearestFolder(path: string): Promise<string | undefined> {
  for (let at = path; ; at = dirname(at)) {
    try {
      await access(at, constants.F_OK);
      return at;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}
