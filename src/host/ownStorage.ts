/**
 * Values that outlive the window: one file each, in the folder that VS Code gives the extension for this workspace. Writes nowhere
 * else; knows nothing of what it keeps.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Log } from './log.ts';

const ending = '.json';

export class OwnStorage {
  readonly #folder: string | undefined;
  readonly #log: Log;
  /** Writing goes one after the other: the last value of a name wins. */
  #writing: Promise<void> = Promise.resolve();

  /** @param folder may be missing on the disk; without one (no workspace is open) nothing is kept */
  constructor(folder: string | undefined, log: Log) {
    this.#folder = folder;
    this.#log = log;
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

  /** Resolves when the value is on the disk, or could not be written. Never rejects. */
  keep(name: string, value: unknown): Promise<void> {
    return this.#after(async (folder) => {
      const path = join(folder, `${encodeURIComponent(name)}${ending}`);
      await mkdir(folder, { recursive: true });
      // A window that closes in the middle leaves the old value or the new one.
      await writeFile(`${path}.part`, JSON.stringify(value), { mode: 0o600 });
      await rename(`${path}.part`, path);
    });
  }

  /** As `keep`. */
  forget(name: string): Promise<void> {
    return this.#after((folder) => rm(join(folder, `${encodeURIComponent(name)}${ending}`), { force: true }));
  }

  /** Resolves when everything so far is on the disk. */
  async whenKept(): Promise<void> {
    await this.#writing;
  }

  async #after(write: (folder: string) => Promise<void>): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    this.#writing = this.#writing.then(async () => {
      try {
        await write(folder);
      } catch (error) {
        this.#log.warn('A value could not be kept', error);
      }
    });
    await this.#writing;
  }
}
