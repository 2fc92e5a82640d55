/**
 * From a path that the model wrote to a file or folder that may be read: inside the workspace, seen through links, and not ignored.
 * What is neither is asked for at the gate, the one place where a person could allow it.
 */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';

import type { ApprovalAnswer, ApprovalRequest } from '../../core/conversation/approval.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Refusal } from '../../core/tools/readingPorts.ts';
import {
  displayOf,
  labelOf,
  resolveFolder,
  resolvePath,
  type Root,
  type WorkspacePath,
} from '../../core/workspacePath.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { rootsOf, type FileAt } from '../edits/files/workspaceFiles.ts';
import { pathInside } from '../pathInside.ts';
import { holdsSecrets, isPrivate } from './ignoreRules.ts';
import { Ignoring } from './ignoring.ts';
import { absolutePath, isStillThere, outsidePlace } from './outside.ts';

/** Asks the person about something that a tool does not read by itself. Undefined where nobody can be asked. */
export type Gate = (wish: Wish) => Promise<ApprovalAnswer | undefined>;

export type Wish = Extract<ApprovalRequest, { kind: 'read' }>;

/** Nobody is asked, so nothing is granted. */
export const closedGate: Gate = () => Promise.resolve(undefined);

export interface Located {
  readonly uri: vscode.Uri;
  readonly type: 'file' | 'folder';
  /** As the model is to write it. */
  readonly display: string;
  /** Bytes on the disk; 0 of a folder, and of a file that only an editor has any more. */
  readonly size: number;
  /** Not there outside of the workspace. */
  readonly at?: WorkspacePath;
  /** A person allowed it: a folder is read as one by itself, without the rules of the folders around it. */
  readonly granted?: true;
}

/** Made anew for each call of a tool: it keeps the rules that it has read. */
export class Places {
  readonly #gate: Gate;
  readonly folders: readonly vscode.WorkspaceFolder[];
  readonly roots: readonly Root[];
  readonly #ignoring = new Map<number, Ignoring>();

  constructor(gate: Gate, folders: readonly vscode.WorkspaceFolder[]) {
    this.#gate = gate;
    this.folders = folders;
    this.roots = rootsOf(folders);
  }

  /** The rules of a workspace folder, by its index. */
  ignoring(root: number): Ignoring | undefined {
    const uri = this.folders[root]?.uri;
    if (uri === undefined) return undefined;
    const known = this.#ignoring.get(root);
    if (known !== undefined) return known;
    const made = new Ignoring(uri, this.roots[root]?.caseInsensitive === true);
    this.#ignoring.set(root, made);
    return made;
  }

  #fileAt({ root, relative }: WorkspacePath): FileAt | undefined {
    const uri = this.folders[root]?.uri;
    return uri === undefined ? undefined : { root: uri, uri: vscode.Uri.joinPath(uri, relative) };
  }

  /** A file, or where `what` is `any` a folder too. */
  async locate(written: string, what: 'file' | 'any'): Promise<Result<Located, Refusal>> {
    const paths = what === 'file' ? resolvePath(written, this.roots) : resolveFolder(written, this.roots);
    if (!paths.ok) {
      if (paths.error === 'outside') return await this.#outside(written, what);
      if (paths.error === 'noFolder') return err({ kind: 'noFolder' });
      return paths.error === 'whichFolder'
        ? err({ kind: 'whichFolder', path: written, candidates: [] })
        : err({ kind: paths.error, path: written });
    }
    const chosen = await this.#choose(written, paths.value);
    if (!chosen.ok) return chosen;
    const { path, at, type, size } = chosen.value;
    if (type === 'folder' && what === 'file') return err({ kind: 'folder', path: path.display });
    const link = await this.#checkLinks(path, at);
    if (link === 'gone') return await this.#missing(path);
    const located: Located = { uri: at.uri, type, size, display: path.display, at: path };
    const isIgnored = await this.ignoring(path.root)?.isIgnored(path.relative, type === 'folder');
    if (link === undefined && isIgnored === false) return ok(located);
    if (path.relative.split('/').includes('.git')) return err({ kind: 'protected', path: path.display });
    if (type === 'file' && holdsSecrets(path.relative)) return err({ kind: 'ignored', path: path.display });
    if (link === 'leadsOut') {
      return at.uri.scheme === 'file'
        ? await this.#beyond('leadsOut', at.uri.fsPath, what, path.display)
        : err({ kind: 'leadsOut', path: path.display });
    }
    if (link !== undefined && isPrivate(`/${link.ignored}`))
      return err({ kind: 'ignored', path: path.display });
    return await this.#ignored(located, path, link?.ignored);
  }

  /** How the model is to write a place that the editor told of, and whether it may read it. */
  async describe(uri: vscode.Uri): Promise<{
    readonly path: string;
    readonly at?: WorkspacePath;
    readonly closed?: 'outside' | 'ignored';
  }> {
    const path = this.pathOf(uri);
    if (path === undefined)
      return { path: uri.scheme === 'file' ? uri.fsPath : uri.toString(true), closed: 'outside' };
    const at = this.#fileAt(path);
    const ignored = await this.ignoring(path.root)?.isIgnored(path.relative, false);
    if (at === undefined || ignored !== false) return { path: path.display, closed: 'ignored' };
    const link = await this.#checkLinks(path, at);
    return link === undefined || link === 'gone'
      ? { path: path.display, at: path }
      : { path: path.display, closed: link === 'leadsOut' ? 'outside' : 'ignored' };
  }

  /** Undefined outside of the workspace. The innermost folder counts. */
  pathOf(uri: vscode.Uri): WorkspacePath | undefined {
    const [folder] = this.folders
      .filter((each) => isIn(uri, each.uri))
      .toSorted((one, other) => other.uri.path.length - one.uri.path.length);
    const index = folder === undefined ? -1 : this.folders.indexOf(folder);
    const root = this.roots[index];
    if (folder === undefined || root === undefined) return undefined;
    const below = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
    return { root: index, relative: below, display: displayOf(below, root, this.roots) };
  }

  async #choose(written: string, paths: readonly WorkspacePath[]): Promise<Result<Found, Refusal>> {
    const there: Found[] = [];
    let unreadable: WorkspacePath | undefined;
    for (const path of paths) {
      const at = this.#fileAt(path);
      if (at === undefined) continue;
      const found = await look(at);
      if (found === 'unreadable') unreadable = path;
      else if (found !== undefined) there.push({ path, at, ...found });
    }
    const [first, ...others] = there;
    if (first !== undefined && others.length === 0) return ok(first);
    if (first !== undefined) {
      return err({
        kind: 'whichFolder',
        path: written,
        candidates: there.map(({ path }) => path.display),
      });
    }
    if (unreadable !== undefined) return err({ kind: 'unreadable', path: unreadable.display });
    const [only, ...more] = paths;
    if (only !== undefined && more.length === 0) return await this.#missing(only);
    return err({
      kind: 'missing',
      path: written,
      folder: '.',
      names: this.roots.map((root) => `${labelOf(root, this.roots)}/`),
    });
  }

  /** With the names of the nearest folder that is there, as far as they may be seen. */
  async #missing(path: WorkspacePath): Promise<Result<never, Refusal>> {
    const root = this.roots[path.root];
    const rootUri = this.folders[path.root]?.uri;
    let folder = path.relative;
    if (root === undefined || rootUri === undefined) return err({ kind: 'outside', path: path.display });
    while (folder !== '') {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
      const at = {
        kind: 'file' as const,
        root: path.root,
        relative: folder,
        display: displayOf(folder, root, this.roots),
      };
      if (await this.ignoring(path.root)?.isIgnored(folder, true)) continue;
      if (
        (await this.#checkLinks(at, { root: rootUri, uri: vscode.Uri.joinPath(rootUri, folder) })) !==
        undefined
      )
        continue;
      const names = await this.#namesIn(path.root, vscode.Uri.joinPath(rootUri, folder), folder);
      if (names !== undefined) return err({ kind: 'missing', path: path.display, folder: at.display, names });
    }
    return err({ kind: 'missing', path: path.display, folder: '.', names: [] });
  }

  async #namesIn(root: number, uri: vscode.Uri, folder: string): Promise<readonly string[] | undefined> {
    try {
      const names: string[] = [];
      for (const [name, type] of await vscode.workspace.fs.readDirectory(uri)) {
        const isFolder = (type & vscode.FileType.Directory) !== 0;
        const below = folder === '' ? name : `${folder}/${name}`;
        if ((await this.ignoring(root)?.isIgnored(below, isFolder)) === false)
          names.push(isFolder ? `${name}/` : name);
      }
      return names.toSorted();
    } catch {
      return undefined;
    }
  }

  /** Where the file really is decides, not where its name stands. `ignored` is where that is, in its folder. */
  async #checkLinks(
    path: WorkspacePath,
    at: FileAt,
  ): Promise<'leadsOut' | { readonly ignored: string } | 'gone' | undefined> {
    if (at.uri.scheme !== 'file') {
      // Where a link leads can't be found out here.
      const type = await vscode.workspace.fs.stat(at.uri).then(
        (stat) => stat.type,
        () => vscode.FileType.File,
      );
      return (type & vscode.FileType.SymbolicLink) === 0 ? undefined : 'leadsOut';
    }
    try {
      const root = await realpath(at.root.fsPath);
      const inside = pathInside(root, await realpath(at.uri.fsPath));
      if (inside === undefined) return 'leadsOut';
      const real = inside.split(sep).join('/');
      if (real === path.relative) return undefined;
      return (await this.ignoring(path.root)?.isIgnored(real, false)) === false
        ? undefined
        : { ignored: real };
    } catch {
      return openDocument(at.uri)?.isDirty === true ? undefined : 'gone';
    }
  }

  async #outside(written: string, what: 'file' | 'any'): Promise<Result<Located, Refusal>> {
    const path = absolutePath(written, this.folders);
    if (path === undefined) return err({ kind: 'outside', path: written });
    return await this.#beyond('outside', path, what, written);
  }

  /** What is outside, or is led there by a link. What is read is what the person was told of, wherever a link leads by then. */
  async #beyond(
    why: 'outside' | 'leadsOut',
    path: string,
    what: 'file' | 'any',
    written: string,
  ): Promise<Result<Located, Refusal>> {
    const place = await outsidePlace(path, this.folders);
    if (place === undefined) return err({ kind: why, path: written });
    const display = why === 'outside' ? place.path : written;
    if (place.type === 'folder' && what === 'file') return err({ kind: 'folder', path: display });
    const answer = await this.#gate({
      ...{ kind: 'read', why, path: display },
      ...(place.real !== display && { target: place.real }),
      ...(place.type === 'folder' && { folder: true }),
    });
    if (answer?.kind !== 'allow') return err({ kind: why, path: display, ...(answer && { answer }) });
    if (!(await isStillThere(place))) return err({ kind: 'unreadable', path: display });
    const { uri, type, size } = place;
    return ok({ uri, type, size, display, granted: true });
  }

  /** `real` is where it really is in its folder, when a link led there. */
  async #ignored(
    located: Located,
    at: WorkspacePath,
    real: string | undefined,
  ): Promise<Result<Located, Refusal>> {
    const path = located.display;
    const root = this.roots[at.root];
    const answer = await this.#gate({
      ...{ kind: 'read', why: 'ignored', path },
      ...(real !== undefined && root !== undefined && { target: displayOf(real, root, this.roots) }),
      ...(located.type === 'folder' && { folder: true }),
    });
    if (answer?.kind !== 'allow') return err({ kind: 'ignored', path, ...(answer && { answer }) });
    // A person takes their time: by now a link may lead elsewhere.
    const link = await this.#checkLinks(at, {
      root: this.folders[at.root]?.uri ?? located.uri,
      uri: located.uri,
    });
    const same = real === undefined ? link === undefined : typeof link === 'object' && link.ignored === real;
    if (!same) return err({ kind: 'unreadable', path });
    return ok({ ...located, granted: true });
  }
}

interface Seen {
  readonly type: 'file' | 'folder';
  readonly size: number;
}

interface Found extends Seen {
  readonly path: WorkspacePath;
  readonly at: FileAt;
}

/** Undefined where nothing is. */
async function look({ uri }: FileAt): Promise<Seen | 'unreadable' | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return { type: 'folder', size: 0 };
    return (type & vscode.FileType.File) !== 0 ? { type: 'file', size } : 'unreadable';
  } catch (error) {
    // Deleted beneath an editor that still holds unsaved text: that text is the file.
    if (openDocument(uri)?.isDirty === true) return { type: 'file', size: 0 };
    const known = error instanceof vscode.FileSystemError ? error.code : '';
    return known === 'FileNotFound' || known === 'FileNotADirectory' ? undefined : 'unreadable';
  }
}

/** By the addresses alone: the folder itself, or something below it. */
export function isIn(uri: vscode.Uri, folder: vscode.Uri): boolean {
  return (
    uri.scheme === folder.scheme &&
    uri.authority === folder.authority &&
    (uri.path === folder.path || uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`))
  );
}
