/** Places outside the workspace that a person can be asked about: files and folders that are there, and none where secrets are kept. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';

import { misleads } from '../../core/misleadingNames.ts';
import { pathInside } from '../pathInside.ts';
import { isOfNetwork, isPrivate } from './ignoreRules.ts';

export interface OutsidePlace {
  /** Absolute, with `/`. */
  readonly path: string;
  /** The same without links: what is read. */
  readonly real: string;
  readonly uri: vscode.Uri;
  readonly type: 'file' | 'folder';
  readonly size: number;
}

/**
 * The absolute path that was written; undefined where none is meant. What begins with `~` is in the home folder. A relative path that
 * leads out is taken from the one folder of the workspace: where there are several, it may be any.
 */
export function absolutePath(
  written: string,
  folders: readonly vscode.WorkspaceFolder[],
): string | undefined {
  if (misleads(written) || isOfNetwork(written, process.platform)) return undefined;
  const [only, ...others] = folders;
  const inHome = /^~[\\/](.*)$/s.exec(written)?.[1];
  if (inHome !== undefined) return join(homedir(), inHome);
  if (isAbsolute(written)) return resolve(written);
  if (only?.uri.scheme !== 'file' || others.length > 0 || !/^\.\.?[\\/]/.test(written)) return undefined;
  return resolve(only.uri.fsPath, written);
}

/** Undefined for what nobody is asked about. */
export async function outsidePlace(
  path: string,
  folders: readonly vscode.WorkspaceFolder[],
): Promise<OutsidePlace | undefined> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    if (!found.isFile() && !found.isDirectory()) return undefined;
    if (isPrivate(withSlashes(path)) || isPrivate(withSlashes(real)) || misleads(real)) return undefined;
    if (found.isDirectory() && (await isTooWide(real, folders))) return undefined;
    const type = found.isFile() ? 'file' : 'folder';
    return {
      path: withSlashes(path),
      real: withSlashes(real),
      uri: vscode.Uri.file(real),
      type,
      size: type === 'file' ? found.size : 0,
    };
  } catch {
    return undefined;
  }
}

/** Whether it still is where it was when the person was asked about it. */
export async function isStillThere({ uri }: OutsidePlace): Promise<boolean> {
  try {
    return (await realpath(uri.fsPath)) === uri.fsPath;
  } catch {
    return false;
  }
}

/** All of the computer, all that is at home, all around the workspace: whoever allows it can't know what. */
async function isTooWide(real: string, folders: readonly vscode.WorkspaceFolder[]): Promise<boolean> {
  const held = [homedir(), ...folders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []))];
  const paths = await Promise.all(held.map((each) => realpath(each).catch(() => each)));
  return paths.some((each) => pathInside(real, each) !== undefined);
}

function withSlashes(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}
