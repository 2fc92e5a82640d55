/**
 * Which workspaces have conversations, so that each finds those of the others: one small value for each, which only that workspace's windows
 * write. Knows nothing of what is in the conversations, and nothing of VS Code.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';

import * as v from 'valibot';

import type { OwnStorage } from '../ownStorage.ts';
import type { KnownWorkspace } from './historyEntries.ts';

const shape = v.object({
  v: v.literal(1),
  folder: v.pipe(v.string(), v.maxLength(10_000)),
  name: v.pipe(v.string(), v.maxLength(1_000)),
  uri: v.exactOptional(v.pipe(v.string(), v.maxLength(10_000))),
  /** Milliseconds since the epoch. */
  at: v.number(),
});

type Kept = v.InferOutput<typeof shape>;

export class HistoryFolders {
  readonly #storage: OwnStorage;

  /** @param storage that all workspaces share */
  constructor(storage: OwnStorage) {
    this.#storage = storage;
  }

  /** Has others find the conversations of this workspace. Never rejects: without it they only don't. */
  async register({ folder, name, uri }: KnownWorkspace, at: number): Promise<void> {
    const kept: Kept = { v: 1, folder, name, ...(uri !== undefined && { uri }), at };
    await this.#storage.keep(createHash('sha256').update(folder).digest('hex').slice(0, 32), kept);
  }

  /** The other workspaces that still have a folder for theirs, the one that was opened last first. Never rejects. */
  async others(own: string | undefined): Promise<readonly KnownWorkspace[]> {
    const kept = [...(await this.#storage.readAll()).values()].flatMap((value) => readKept(value) ?? []);
    const found = await Promise.all(
      kept.map(async (one) => {
        const isThere = await stat(one.folder).then(
          (file) => file.isDirectory(),
          () => false,
        );
        return isThere && one.folder !== own ? one : undefined;
      }),
    );
    return found
      .filter((one) => one !== undefined)
      .toSorted((a, b) => b.at - a.at)
      .map(({ folder, name, uri }) => ({ folder, name, ...(uri !== undefined && { uri }) }));
  }
}

/** Undefined for what no window of ours has written. */
function readKept(value: unknown): Kept | undefined {
  const read = v.safeParse(shape, value);
  if (!read.success) return undefined;
  const { folder } = read.output;
  return isAbsolute(folder) && basename(folder) === 'conversations' ? read.output : undefined;
}
