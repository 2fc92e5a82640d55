/** A file system in memory whose operations can be made to fail, as those behind a connection do, and whose names may ignore case. */
import { posix } from 'node:path';
import * as vscode from 'vscode';

export type Operation = 'stat' | 'readFile' | 'writeFile' | 'delete' | 'rename' | 'createDirectory';

/** There is no code for it: an extension's file system passes on what it was told. */
export function noSpace(): Error {
  return new Error('ENOSPC: no space left on device, write');
}

let count = 0;

export class FaultyFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly root: vscode.Uri;
  /** Thrown before the operation does anything, where it returns an error. */
  fault: (operation: Operation, uri: vscode.Uri) => Error | undefined = () => undefined;
  readOnly = false;
  /** How many bytes all files together may have. Of what has no room only the beginning is kept, as on a disk that is full. */
  capacity = Number.POSITIVE_INFINITY;
  /** Whether writing to a full disk is said to have failed. Not all of them do. */
  complains = false;
  readonly #ignoreCase: boolean;
  readonly #files = new Map<string, { path: string; bytes: Uint8Array; mtime: number }>();
  readonly #folders = new Set<string>(['/', '/root']);
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #registered: vscode.Disposable;
  #time = 1;

  constructor({ ignoreCase = false, isReadonly = false } = {}) {
    count += 1;
    const scheme = `kimi-faulty-${process.pid}-${count}`;
    this.#ignoreCase = ignoreCase;
    this.root = vscode.Uri.from({ scheme, path: '/root' });
    this.#registered = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isCaseSensitive: !ignoreCase,
      isReadonly,
    });
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.root, name);
  }

  /** What another program writes, which is told to nobody. */
  put(name: string, content: string | Uint8Array): vscode.Uri {
    const { path } = this.uri(name);
    this.#files.set(this.#key(path), { path, bytes: Buffer.from(content), mtime: (this.#time += 1) });
    return this.uri(name);
  }

  /** What is on this disk, under the names it has there. */
  get content(): Record<string, string> {
    return Object.fromEntries(
      [...this.#files.values()].map(({ path, bytes }) => [
        posix.relative('/root', path),
        Buffer.from(bytes).toString(),
      ]),
    );
  }

  get folders(): readonly string[] {
    return [...this.#folders].map((path) => posix.relative('/root', path)).filter((path) => /^\w/.test(path));
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    this.#mayFail('stat', uri);
    const file = this.#files.get(this.#key(uri.path));
    if (file !== undefined) {
      return {
        type: vscode.FileType.File,
        ctime: 0,
        mtime: file.mtime,
        size: file.bytes.length,
        ...(this.readOnly && { permissions: vscode.FilePermission.Readonly }),
      };
    }
    if (!this.#folders.has(uri.path)) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    this.#mayFail('readFile', uri);
    const file = this.#files.get(this.#key(uri.path));
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file.bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    this.#mayFail('writeFile', uri);
    const key = this.#key(uri.path);
    const known = this.#files.get(key);
    this.#files.delete(key);
    const used = [...this.#files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    const kept = bytes.slice(0, Math.max(0, this.capacity - used));
    this.#files.set(key, { path: known?.path ?? uri.path, bytes: kept, mtime: (this.#time += 1) });
    const type = known === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    this.#changed.fire([{ type, uri }]);
    if (this.complains && kept.length < bytes.length) throw noSpace();
  }

  delete(uri: vscode.Uri): void {
    this.#mayFail('delete', uri);
    if (!this.#files.delete(this.#key(uri.path)) && !this.#folders.delete(uri.path)) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.#mayFail('rename', from);
    const file = this.#files.get(this.#key(from.path));
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(from);
    this.#files.delete(this.#key(from.path));
    this.#files.set(this.#key(to.path), { ...file, path: to.path });
    this.#changed.fire([
      { type: vscode.FileChangeType.Deleted, uri: from },
      { type: vscode.FileChangeType.Created, uri: to },
    ]);
  }

  createDirectory(uri: vscode.Uri): void {
    this.#mayFail('createDirectory', uri);
    this.#folders.add(uri.path);
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const files = [...this.#files.values()].map(({ path }): [string, vscode.FileType] => [
      path,
      vscode.FileType.File,
    ]);
    const folders = [...this.#folders].map((path): [string, vscode.FileType] => [
      path,
      vscode.FileType.Directory,
    ]);
    return [...files, ...folders]
      .filter(([path]) => path !== '/' && posix.dirname(path) === uri.path)
      .map(([path, type]) => [posix.basename(path), type]);
  }

  #key(path: string): string {
    return this.#ignoreCase ? path.toLowerCase() : path;
  }

  #mayFail(operation: Operation, uri: vscode.Uri): void {
    const error = this.fault(operation, uri);
    if (error !== undefined) throw error;
  }
}
