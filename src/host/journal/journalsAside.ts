/**
 * Journals that were put aside: deleted ones, which can be had back for a while, and old ones, which stay a while in case that the clock was
 * wrong. Whoever puts one aside sees to it that nobody has it open.
 */
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import { err, ok, type Result } from '../../core/result.ts';
import { fewAtOnce } from '../edits/files/fewAtOnce.ts';
import { isThere } from '../isThere.ts';
import type { JournalIndex } from './journalIndex.ts';

/** Folders beside that of the journals. */
type Shelf = 'trash' | 'old';

export interface JournalsAsideParts {
  /** In which the shelves are. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly index: Pick<JournalIndex, 'remove' | 'renew'>;
  /** Where the journal of a conversation is while it is not put aside. */
  readonly pathOf: (id: string) => string;
  /** Something was had back. */
  readonly onDidChange: () => void;
}

/** Milliseconds since the epoch. */
export interface AsideTimes {
  /** What was put aside before this is deleted for good. */
  readonly gone: number;
  /** What was put aside after this is had back: a clock that went wrong for a while may take nothing away. */
  readonly back: number;
}

export const journalEnding = '.jsonl';

export class JournalsAside {
  readonly #parts: JournalsAsideParts;

  constructor(parts: JournalsAsideParts) {
    this.#parts = parts;
  }

  async put(shelf: Shelf, id: string): Promise<void> {
    const { clock, index, pathOf } = this.#parts;
    await mkdir(this.#shelf(shelf), { recursive: true });
    // How long it stays counts from now. Before it is there: else it would be deleted for good if this window went in between.
    await touch(pathOf(id), clock());
    await rename(pathOf(id), this.#on(shelf, id));
    await index.remove([id]);
  }

  /** Has a deleted one back. */
  async takeBack(id: string): Promise<Result<void, 'missing' | 'busy' | 'failing'>> {
    const { pathOf, onDidChange } = this.#parts;
    try {
      // Never over another one.
      if (await isThere(pathOf(id))) return err('busy');
      await rename(this.#on('trash', id), pathOf(id));
    } catch (error) {
      return err(isMissing(error) ? 'missing' : 'failing');
    }
    onDidChange();
    return ok(undefined);
  }

  /** Deletes for good what was deleted before this. Never rejects. */
  async emptyTrash(before: number): Promise<void> {
    await this.#clear('trash', { gone: before, back: Infinity });
  }

  /** Deletes for good or has back what was put aside as old. Never rejects. */
  async clearOld(times: AsideTimes): Promise<void> {
    await this.#clear('old', times);
  }

  /** Deletes everything for good. Never rejects. */
  async empty(): Promise<void> {
    for (const shelf of ['trash', 'old'] as const)
      await this.#clear(shelf, { gone: Infinity, back: Infinity });
  }

  async isEmpty(): Promise<boolean> {
    const names = [...(await this.#namesOn('trash')), ...(await this.#namesOn('old'))];
    return names.every((name) => !name.endsWith(journalEnding));
  }

  async #clear(shelf: Shelf, { gone, back }: AsideTimes): Promise<void> {
    const { index } = this.#parts;
    let wasOne = false;
    await fewAtOnce(await this.#namesOn(shelf), async (name) => {
      const path = join(this.#shelf(shelf), name);
      const file = await stat(path).catch(() => undefined);
      if (file === undefined) return;
      if (file.mtimeMs > back) return await this.#bringBack(path, name);
      if (!(file.mtimeMs < gone)) return;
      await rm(path, { force: true }).catch(() => undefined);
      wasOne = true;
    });
    // Of what is gone the index is to know nothing.
    if (wasOne) await index.renew();
  }

  async #bringBack(from: string, name: string): Promise<void> {
    const { clock, pathOf, onDidChange } = this.#parts;
    const path = pathOf(name.slice(0, -journalEnding.length));
    if (!name.endsWith(journalEnding) || (await isThere(path))) return;
    await touch(from, clock()).catch(() => undefined);
    await rename(from, path).catch(() => undefined);
    onDidChange();
  }

  async #namesOn(shelf: Shelf): Promise<readonly string[]> {
    return await readdir(this.#shelf(shelf)).catch(() => []);
  }

  #shelf(shelf: Shelf): string {
    return join(this.#parts.folder, shelf);
  }

  #on(shelf: Shelf, id: string): string {
    return join(this.#shelf(shelf), id + journalEnding);
  }
}

async function touch(path: string, at: number): Promise<void> {
  await utimes(path, at / 1000, at / 1000);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
