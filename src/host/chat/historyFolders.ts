/**
 * Which workspaces have conversations, so that each finds those of the others: one small file for each, which only that workspace's windows
 * write. Knows nothing of what is in the conversations, and nothing of VS Code.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';

import * as v from 'valibot';

import { fewAtOnce } from '../edits/fewAtOnce.ts';
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

const ending = '.json';

export class HistoryFolders {
  readonly #place: string;

  /** @param place the folder of the files; it need not be there yet */
  constructor(place: string) {
    this.#place = place;
  }

  /** Has others find the conversations of this workspace. Never rejects: without it they only don't. */
  async register({ folder, name, uri }: KnownWorkspace, at: number): Promise<void> {
    const kept: Kept = { v: 1, folder, name, ...(uri !== undefined && { uri }), at };
    const path = join(
      this.#place,
      `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}${ending}`,
    );
    const part = `${path}.${process.pid}.part`;
    try {
      await mkdir(this.#place, { recursive: true });
      await writeFile(part, JSON.stringify(kept), { mode: 0o600 });
      await rename(part, path);
    } catch {
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  /** The other workspaces that still have a folder for theirs, the one that was opened last first. Never rejects. */
  async others(own: string | undefined): Promise<readonly KnownWorkspace[]> {
    const names = await readdir(this.#place).catch(() => []);
    const found = await fewAtOnce(
      names.filter((name) => name.endsWith(ending)),
      async (name) => {
        const path = join(this.#place, name);
        const kept = await readFile(path, 'utf8').then(readKept, () => undefined);
        if (kept === undefined || kept.folder === own) return undefined;
        const isThere = await stat(kept.folder).then(
          (file) => file.isDirectory(),
          () => false,
        );
        return isThere ? kept : undefined;
      },
    );
    return found
      .filter((one) => one !== undefined)
      .toSorted((a, b) => b.at - a.at)
      .map(({ folder, name, uri }) => ({ folder, name, ...(uri !== undefined && { uri }) }));
  }
}

/** Undefined for what no window of ours has written. */
function readKept(text: string): Kept | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = v.safeParse(shape, value);
  if (!read.success) return undefined;
  const { folder } = read.output;
  return isAbsolute(folder) && basename(folder) === 'conversations' ? read.output : undefined;
}
