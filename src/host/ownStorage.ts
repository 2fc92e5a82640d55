/**
 * Values that outlive the window: one file each, in the folder that VS Code gives the extension for this workspace. Writes nowhere
 * else; knows nothing of what it keeps.
 */
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Log } from './log.ts';
import { removeLeftParts, replaceFile, replaceFileNow } from './replaceFile.ts';

const ending = '.json';

export interface OwnStorageOptions {
  /** Each text of a value as it may be written. As it is by default. */
  readonly clean?: (text: string) => string;
}

export class OwnStorage {
  readonly #folder: string | undefined;
  readonly #log: Pick<Log, 'warn'>;
  readonly #clean: ((text: string) => string) | undefined;
  /** One after the other. */
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  readonly #waiting = new Map<string, (path: string) => Promise<void>>();
  /** Names that were kept at once: what was being written of them then is older. */
  readonly #keptNow = new Set<string>();

  /** @param folder may be missing on the disk; without one (no workspace is open) nothing is kept */
  constructor(folder: string | undefined, log: Pick<Log, 'warn'>, { clean }: OwnStorageOptions = {}) {
    this.#folder = folder;
    this.#log = log;
    this.#clean = clean;
  }

  /** What was to be written last could not be. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** False when there is no place to keep anything. */
  get keeps(): boolean {
    return this.#folder !== undefined;
  }

  /** What is kept, by name. What can't be read is left out: it was cut off, or written by somebody else. Never rejects. */
  async readAll(): Promise<ReadonlyMap<string, unknown>> {
    const kept = new Map<string, unknown>();
    const folder = this.#folder;
    if (folder === undefined) return kept;
    let names: readonly string[];
    try {
      names = await readdir(folder);
    } catch {
      // Nothing was ever kept.
      return kept;
    }
    await removeLeftParts(folder, names);
    await Promise.all(
      names.map(async (file) => {
        if (!file.endsWith(ending)) return;
        try {
          const value: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
          kept.set(decodeURIComponent(file.slice(0, -ending.length)), value);
        } catch (error) {
          this.#log.warn('A kept value could not be read', error);
        }
      }),
    );
    return kept;
  }

  /** Resolves when the value, or a later one of that name, is on the disk or could not be written. Never rejects. */
  keep(name: string, value: unknown): Promise<void> {
    this.#keptNow.delete(name);
    return this.#change(name, async (path) => {
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, this.#written(value), () => !this.#keptNow.has(name));
    });
  }

  /** As `keep`, done when it returns: for the end of the window, which waits for nobody. What is being written then does not replace it. */
  keepNow(name: string, value: unknown): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    this.#waiting.delete(name);
    this.#keptNow.add(name);
    try {
      mkdirSync(folder, { recursive: true });
      replaceFileNow(this.#pathOf(folder, name), this.#written(value));
    } catch (error) {
      this.#tellUnkept(error);
    }
  }

  /** As `keep`. */
  forget(name: string): Promise<void> {
    return this.#change(name, (path) => rm(path, { force: true }));
  }

  /** Forgets all of it, with its folder. Never rejects. */
  async forgetAll(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    this.#waiting.clear();
    await this.#writing;
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => this.#tellUnkept(error));
  }

  /** Resolves when everything so far is on the disk. */
  async whenKept(): Promise<void> {
    await this.#writing;
  }

  /** Of a name only the last change counts: what comes while another one is written replaces what waits. */
  async #change(name: string, write: (path: string) => Promise<void>): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    const isQueued = this.#waiting.has(name);
    this.#waiting.set(name, write);
    if (!isQueued) {
      this.#writing = this.#writing.then(async () => {
        const last = this.#waiting.get(name);
        // Kept at once meanwhile.
        if (last === undefined) return;
        this.#waiting.delete(name);
        try {
          // A window that closes in the middle leaves the old value or the new one.
          await last(this.#pathOf(folder, name));
          this.#isFailing = false;
        } catch (error) {
          this.#tellUnkept(error);
        }
      });
    }
    await this.#writing;
  }

  /** Once for a disk that is full, and not at every change. */
  #tellUnkept(error: unknown): void {
    if (!this.#isFailing) this.#log.warn('A value could not be kept', error);
    this.#isFailing = true;
  }

  #written(value: unknown): string {
    const clean = this.#clean;
    if (clean === undefined) return JSON.stringify(value);
    return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? clean(each) : each));
  }

  #pathOf(folder: string, name: string): string {
    return join(folder, `${encodeURIComponent(name)}${ending}`);
  }
}
