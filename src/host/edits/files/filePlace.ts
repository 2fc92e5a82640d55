/**
 * Whether a file of the workspace may be patched at all, seen from outside: trust, links, kind, size, rights. Asked before anything
 * is read and again before anything is written. Knows nothing of texts and plans.
 */
import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import * as vscode from 'vscode';

import { isOfGit } from '../../../core/misleadingNames.ts';
import type { FileRefusal } from '../../../core/patch/editPlan.ts';
import { pathInside } from '../../pathInside.ts';

export type FilePlace =
  | {
      readonly kind: 'file';
      /** Where it really is, below the folder, when links lead to it. */
      readonly linkedTo?: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: FileRefusal };

/** Largest file that is patched, in bytes: above it VS Code shows a file to no extension. */
export const maxFileSize = 50 * 1024 * 1024;

const file: FilePlace = { kind: 'file' };
const missing: FilePlace = { kind: 'missing' };

/** @param root the workspace folder which `uri` must really be in */
export async function findPlace(uri: vscode.Uri, root: vscode.Uri): Promise<FilePlace> {
  if (!vscode.workspace.isTrusted) return refused('untrusted');
  if (isInGit(root.path) || isProtected(uri.path.slice(root.path.length))) return refused('protected');
  if (isNotebook(uri)) return refused('notebook');
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return refused('readOnly');
  try {
    return uri.scheme === 'file' ? await findOnDisk(uri.fsPath, root.fsPath) : await findElsewhere(uri);
  } catch {
    return refused('unreadable');
  }
}

/** The disk answers for itself: the editor's file system hides where links lead and who may write. */
async function findOnDisk(path: string, root: string): Promise<FilePlace> {
  const realRoot = await realpath(root);
  const real = await realPathOf(path);
  if (real.kind === 'refused') return real;
  const inside = pathInside(realRoot, real.path);
  if (inside === undefined) return refused('outsideWorkspace');
  if (isInGit(realRoot) || isProtected(inside)) return refused('protected');
  const found = await stat(real.path);
  if (!real.whole) return found.isDirectory() ? missing : refused('behindFile');
  if (found.isDirectory()) return refused('directory');
  if (!found.isFile()) return refused('unreadable');
  if (found.size > maxFileSize) return refused('tooLarge');
  if (!(await may(real.path, constants.W_OK))) return refused('readOnly');
  if (!(await may(real.path, constants.R_OK))) return refused('unreadable');
  return inside === relative(root, path) ? file : { kind: 'file', linkedTo: inside.split(sep).join('/') };
}

type RealPath =
  /** `whole` is false when only a folder above exists: `path` is then the nearest one. */
  { readonly kind: 'found'; readonly path: string; readonly whole: boolean } | FilePlaceRefused;
type FilePlaceRefused = Extract<FilePlace, { kind: 'refused' }>;

async function realPathOf(path: string): Promise<RealPath> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return { kind: 'found', path: await realpath(at), whole: at === path };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOTDIR') return refused('behindFile');
      if (code !== 'ENOENT' || dirname(at) === at) return refused('unreadable');
    }
    // A link to nothing: writing through it would make a file wherever it points.
    if (await isThere(at)) return refused('outsideWorkspace');
  }
}

async function findElsewhere(uri: vscode.Uri): Promise<FilePlace> {
  let found: vscode.FileStat;
  try {
    found = await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return missing;
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotADirectory') {
      return refused('behindFile');
    }
    if (error instanceof vscode.FileSystemError && error.code === 'Unavailable')
      return refused('unavailable');
    return refused('unreadable');
  }
  // Where this link leads can't be found out here.
  if ((found.type & vscode.FileType.SymbolicLink) !== 0) return refused('outsideWorkspace');
  if (found.type === vscode.FileType.Directory) return refused('directory');
  if (found.type !== vscode.FileType.File) return refused('unreadable');
  if (found.size > maxFileSize) return refused('tooLarge');
  return ((found.permissions ?? 0) & vscode.FilePermission.Readonly) === 0 ? file : refused('readOnly');
}

/** Whether two addresses differ in the case of letters alone: on some disks both lead to the same file. */
export function isSameButCase(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString().toLowerCase() === other.toString().toLowerCase();
}

/** Whether a file is there under just this name, also on a disk that would find it under another spelling. */
export async function isThereAs(uri: vscode.Uri): Promise<boolean> {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  try {
    const names = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, '..'));
    return names.some(([each]) => each === name);
  } catch {
    return false;
  }
}

/** Whether this is a link and not the file itself. False where nothing is, or where no links are known. */
export async function isLink(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  try {
    return (await lstat(uri.fsPath)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Who may read, write and run a file, as the bits of its disk. Undefined where that is not known. */
export async function modeOf(uri: vscode.Uri): Promise<number | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    return (await stat(uri.fsPath)).mode & 0o777;
  } catch {
    return undefined;
  }
}

/** The folders that a new file needs and that are not there, the outermost first. */
export async function missingFolders(uri: vscode.Uri, root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const folders: vscode.Uri[] = [];
  for (let at = vscode.Uri.joinPath(uri, '..'); at.path.length > root.path.length;) {
    try {
      await vscode.workspace.fs.stat(at);
      break;
    } catch {
      folders.unshift(at);
    }
    at = vscode.Uri.joinPath(at, '..');
  }
  return folders;
}

/** A workspace folder that is a repository's own. Worktrees may lie deeper in one. */
function isInGit(root: string): boolean {
  return /[\\/]\.git(?:[\\/]hooks)?[\\/]?$/i.test(root);
}

/** `.git` as folder or file, at any depth, in any case, and under the short name that Windows gives it. */
function isProtected(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => isOfGit(segment, { shortNames: true }));
}

function isNotebook(uri: vscode.Uri): boolean {
  if (/\.ipynb$/i.test(uri.path)) return true;
  return vscode.workspace.notebookDocuments.some(
    (notebook) => notebook.uri.toString() === uri.toString() && !notebook.isUntitled,
  );
}

/** @param mode as of `access`, of `node:fs` */
export async function may(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function refused(reason: FileRefusal): FilePlaceRefused {
  return { kind: 'refused', reason };
}
