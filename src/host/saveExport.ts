/**
 * Writes a text where the person says in a save dialog, and tells them so. Nothing else may be written with this. Knows nothing of what is
 * exported.
 */
import { open, readdir, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';

import * as vscode from 'vscode';

import { othersFirst } from './inPieces.ts';
import { partOf, removeLeftParts } from './replaceFile.ts';

export interface SaveQuestion {
  /** Of the dialog. */
  readonly title: string;
  /** The name that is proposed, without a folder. */
  readonly name: string;
  /** The endings that such a file has, without a dot, by what VS Code is to call it. */
  readonly filters: Readonly<Record<string, string[]>>;
}

/** Undefined when the person thinks better of it. */
export function askWhereToSave({ title, name, filters }: SaveQuestion): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    filters,
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}

/** In the order of the file. */
export type ExportPieces = Iterable<string> | AsyncIterable<string>;

export interface SaveOptions {
  /** Whether it begins with a byte order mark, by which spreadsheets know that it is UTF-8. */
  readonly mark: boolean;
  /** Asked between pieces: nothing is to be written any more. */
  readonly isCancelled?: () => boolean;
}

/**
 * A file is there as a whole or not at all; one that was there before stays until then. On this machine's disk it is written piece by piece,
 * elsewhere all of it is in memory.
 * @returns false when it was called off. Rejects when it can't be written
 */
export async function saveExport(
  uri: vscode.Uri,
  pieces: ExportPieces,
  options: SaveOptions,
): Promise<boolean> {
  if (uri.scheme === 'file') return await saveOnDisk(uri.fsPath, pieces, options);
  const all: Uint8Array[] = [];
  for await (const bytes of chunksOf(pieces, options)) {
    if (options.isCancelled?.() === true) return false;
    all.push(bytes);
    await othersFirst();
  }
  const bytes = Buffer.concat(all);
  await vscode.workspace.fs.writeFile(uri, bytes);
  // Not every file system says that it had no room.
  if ((await vscode.workspace.fs.stat(uri)).size !== bytes.length)
    throw new Error('Not all of it was written');
  return true;
}

async function saveOnDisk(path: string, pieces: ExportPieces, options: SaveOptions): Promise<boolean> {
  // Where a link leads, with the permissions of what is there.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (there) => there.mode,
    () => 0o666,
  );
  const part = partOf(target);
  const left = await readdir(dirname(target));
  await removeLeftParts(
    dirname(target),
    left.filter((name) => name.startsWith(`${basename(target)}.`)),
  );
  let isThere = false;
  try {
    if (!(await writeAll(await open(part, 'w', mode), pieces, options))) return false;
    await rename(part, target);
    isThere = true;
    return true;
  } finally {
    if (!isThere) await rm(part, { force: true }).catch(() => undefined);
  }
}

async function writeAll(file: FileHandle, pieces: ExportPieces, options: SaveOptions): Promise<boolean> {
  try {
    for await (const bytes of chunksOf(pieces, options)) {
      if (options.isCancelled?.() === true) return false;
      await file.writeFile(bytes);
    }
    return true;
  } finally {
    await file.close();
  }
}

/** UTF-16 units that are written at a time. */
const chunkLength = 262_144;

async function* chunksOf(pieces: ExportPieces, { mark }: SaveOptions): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let waiting = mark ? '\uFEFF' : '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < chunkLength) continue;
    yield encoder.encode(waiting);
    waiting = '';
  }
  yield encoder.encode(waiting);
}

/** @param says the sentence for a file of this name */
export async function tellSaved(file: vscode.Uri, says: (name: string) => string): Promise<void> {
  const open = vscode.l10n.t('Open');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if ((await vscode.window.showInformationMessage(says(name), open)) === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  }
}

/** For a file that could not be written. */
export function unsavedText(): string {
  return vscode.l10n.t(
    'The file could not be written. Choose another place, or look whether it is open elsewhere.',
  );
}
