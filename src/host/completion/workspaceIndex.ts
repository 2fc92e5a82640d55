/**
 * Knows the files and folders of the workspace that aren't ignored, and keeps up with changes: from the first time that it is asked.
 * Reads no file but those with ignore rules.
 */
import * as vscode from 'vscode';

import { parseGlobs } from '../../core/tools/glob.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import { ignoreFiles } from '../tools/ignoreRules.ts';
import { closedGate, Places } from '../tools/places.ts';
import { diskRootOf, isUnsearched, scopesOf, type Scope } from '../tools/scopes.ts';
import { runInThread } from '../tools/searchThread.ts';
import { walkVirtual } from '../tools/virtualWalk.ts';
import { fold } from './fuzzy.ts';
import { PathIndex, type PathMatch } from './pathIndex.ts';

export interface WorkspaceIndexParts {
  /** The compiled `searchWorker.ts`. */
  readonly worker: string;
  readonly log: Log;
  /** Asked at each walk; those of the window by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
}

export interface Found extends PathMatch {
  readonly uri: vscode.Uri;
  readonly isFolder: boolean;
}

/** Milliseconds after which a walk is given up. */
const walkLimit = 60_000;
/** Milliseconds after which the disk is looked at again: watchers miss what is excluded from watching, and links. */
const oldAge = 60_000;
/** More changes at once than this are taken in by a new walk. */
const manyChanges = 200;
/** Milliseconds after which a new folder is watched. What came into it before then, nobody tells. */
const untilWatched = 2_000;
/** Milliseconds in which changes are gathered. */
const gathering = 100;

interface Paths {
  readonly files: PathIndex;
  readonly folders: PathIndex;
  readonly scopes: readonly Scope[];
}

export class WorkspaceIndex implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: WorkspaceIndexParts;
  readonly #end = new AbortController();
  #paths: Paths | undefined;
  #walking: Promise<void> | undefined;
  #walkedAt = -Infinity;
  /** Something happened that only a walk can take in. */
  #isStale = true;
  #isWatching = false;
  /** Created and deleted since the last gathering. */
  #changes = new Map<string, 'created' | 'deleted'>();
  #gathering: NodeJS.Timeout | undefined;
  #newFolder: NodeJS.Timeout | undefined;

  constructor(parts: WorkspaceIndexParts) {
    this.#parts = parts;
    this.#store.add({ dispose: () => this.#end.abort() });
    this.#store.add({
      dispose: () => {
        clearTimeout(this.#gathering);
        clearTimeout(this.#newFolder);
      },
    });
  }

  /** Looks at the workspace again where that is due. Resolves at once when what is known is good enough to be shown meanwhile. */
  async refresh(): Promise<void> {
    this.#watch();
    if (this.#isStale || Date.now() - this.#walkedAt > oldAge) {
      this.#walking ??= this.#walk().finally(() => {
        this.#walking = undefined;
      });
    }
    if (this.#paths === undefined) await this.#walking;
  }

  /** A walk is going on, after which more may be known. */
  get isWalking(): boolean {
    return this.#walking !== undefined;
  }

  /** Resolves when no walk is going on. */
  async settled(): Promise<void> {
    while (this.#walking !== undefined) await this.#walking;
  }

  /** The best files and folders, best first. `query` is folded and not empty. */
  find(query: string, most: number): readonly Found[] {
    const paths = this.#paths;
    if (paths === undefined) return [];
    const found = (isFolder: boolean): readonly Found[] =>
      (isFolder ? paths.folders : paths.files).find(query, most).flatMap((match) => {
        const uri = uriOf(match.path, paths.scopes);
        return uri === undefined ? [] : [{ ...match, uri, isFolder }];
      });
    return [...found(false), ...found(true)].toSorted((one, other) => other.score - one.score).slice(0, most);
  }

  /** The folder of this name, as `find` gives it; undefined when there is none. `path` is folded, without a slash behind. */
  folder(path: string): Found | undefined {
    const [best] = this.find(path, 50).filter((one) => one.isFolder && fold(one.path) === path);
    return best;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #walk(): Promise<void> {
    const { signal } = this.#end;
    this.#isStale = false;
    this.#changes = new Map();
    try {
      const scopes = await this.#scopes(this.#places());
      const files = await this.#filesOf(scopes);
      if (signal.aborted || files === undefined) return;
      this.#paths = {
        scopes,
        files: await PathIndex.of(files, pause),
        folders: await PathIndex.of(await foldersOfMany(files), pause),
      };
    } catch (error) {
      // What was known stays; it is tried again at the next list.
      this.#isStale = true;
      this.#parts.log.warn('The files of the workspace could not be listed', error);
    } finally {
      this.#walkedAt = Date.now();
    }
    // What happened meanwhile may be in it or not.
    this.#gather();
  }

  /** Made anew each time, with the rules as they are now. */
  #places(): Places {
    return new Places(closedGate, this.#parts.folders?.() ?? vscode.workspace.workspaceFolders ?? []);
  }

  /** One for each folder of the workspace, in their order. */
  async #scopes(places: Places): Promise<readonly Scope[]> {
    const found = await scopesOf(undefined, places);
    return found.ok && found.value.kind === 'folders' ? found.value.scopes : [];
  }

  /** Undefined when there was no end to it. */
  async #filesOf(scopes: readonly Scope[]): Promise<readonly string[] | undefined> {
    const { signal } = this.#end;
    const files: string[] = [];
    for (const scope of scopes) {
      if (scope.root.scheme === 'file') continue;
      for await (const { relative } of walkVirtual(scope, { signal, onCut: () => undefined }))
        files.push(scope.display + relative);
    }
    const onDisk = scopes.filter(({ root }) => root.scheme === 'file');
    if (onDisk.length === 0) return files;
    const task = {
      ...{ include: [], exclude: [], skip: [], caseSensitive: true, limit: 0 },
      roots: await Promise.all(onDisk.map(diskRootOf)),
    };
    const walked = await runInThread(task, [], { file: this.#parts.worker, limit: walkLimit, signal });
    if (walked.end === 'timeout')
      this.#parts.log.warn('The workspace is too large for its files to be listed');
    return walked.end === 'done' ? [...walked.files, ...files] : undefined;
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const stale = (): void => {
      this.#isStale = true;
    };
    // VS Code watches the workspace anyway; what `files.watcherExclude` leaves out is found by the next walk.
    const all = this.#store.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    this.#store.add(all.onDidCreate((uri) => this.#changed(uri, 'created')));
    this.#store.add(all.onDidDelete((uri) => this.#changed(uri, 'deleted')));
    const rules = this.#store.add(
      vscode.workspace.createFileSystemWatcher(`**/{${ignoreFiles.join(',')}}`, true, false, true),
    );
    this.#store.add(rules.onDidChange(stale));
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        // Names of another workspace would lead nowhere.
        this.#paths = undefined;
        stale();
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude') || event.affectsConfiguration('search.exclude'))
          stale();
      }),
    );
  }

  #changed(uri: vscode.Uri, what: 'created' | 'deleted'): void {
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    if (ignoreFiles.includes(name)) this.#isStale = true;
    if (!this.#isStale) this.#changes.set(uri.toString(), what);
    if (this.#changes.size > manyChanges) this.#isStale = true;
    if (this.#isStale) {
      // It may be a folder that the next walk comes to before all is in it, and that is watched only later.
      if (what === 'created') this.#lookLater();
      return;
    }
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      if (this.#walking === undefined) this.#gather();
    }, gathering);
  }

  /** Now, and once more when a new folder is watched. */
  #lookAgain(): void {
    this.#isStale = true;
    this.#lookLater();
  }

  #lookLater(): void {
    clearTimeout(this.#newFolder);
    if (this.#end.signal.aborted) return;
    this.#newFolder = setTimeout(() => {
      this.#isStale = true;
    }, untilWatched);
  }

  /** Takes in what was created and deleted. */
  #gather(): void {
    const paths = this.#paths;
    const changes = this.#changes;
    this.#changes = new Map();
    if (paths === undefined || this.#isStale) {
      if ([...changes.values()].includes('created')) this.#lookLater();
      return;
    }
    this.#take(paths, changes).catch((error: unknown) => {
      this.#isStale = true;
      this.#parts.log.warn('A change in the workspace could not be followed', error);
    });
  }

  async #take(paths: Paths, changes: ReadonlyMap<string, 'created' | 'deleted'>): Promise<void> {
    const places = this.#places();
    const scopes = await this.#scopes(places);
    for (const [address, what] of changes) {
      const uri = vscode.Uri.parse(address, true);
      const at = places.pathOf(uri);
      const scope = at && scopes[at.root];
      if (at === undefined || scope === undefined) continue;
      const { relative, display: path } = at;
      if (what === 'deleted') {
        paths.files.remove(path);
        paths.folders.remove(path);
        // Each looks through all names.
        await pause();
        continue;
      }
      const { type } = await vscode.workspace.fs.stat(uri).then(
        (stat) => stat,
        () => ({ type: vscode.FileType.Unknown }),
      );
      const isFolder = type === vscode.FileType.Directory;
      // No links: they may lead out.
      if (!isFolder && type !== vscode.FileType.File) continue;
      if (isUnsearched(parseGlobs(scope.unsearched), relative)) continue;
      if (await scope.ignoring.isIgnored(relative, isFolder)) continue;
      // Of a folder that is moved here, nothing of what is in it is told.
      if (isFolder) this.#lookAgain();
      else {
        if (!paths.files.has(path)) paths.files.add(path);
        for (const folder of foldersOf([path])) if (!paths.folders.has(folder)) paths.folders.add(folder);
      }
    }
  }
}

function uriOf(path: string, scopes: readonly Scope[]): vscode.Uri | undefined {
  const scope = scopes.find(({ display }) => `${path}/`.startsWith(display));
  return scope && vscode.Uri.joinPath(scope.root, path.slice(scope.display.length));
}

/** So many are looked at between two pauses. */
const bundle = 10_000;

/** Lets others have their turn. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** As `foldersOf`, with pauses. */
async function foldersOfMany(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (let from = 0; from < files.length; from += bundle) {
    for (const folder of foldersOf(files.slice(from, from + bundle))) folders.add(folder);
    await pause();
  }
  return [...folders];
}

/** Every folder that a file lies in, once. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}
