/**
 * Puts a whole text in the place of a file's: whoever reads it, and whenever the window goes, has the old one or the new one. Knows nothing of
 * what is written.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive } from './isAlive.ts';

/** Only the person's own: what they asked is in it. */
const mode = 0o600;
/** Milliseconds after which a part of a process that is gone is nothing that is on its way. */
const restTime = 60_000;
/** Milliseconds after which none is: its number may be that of another process by then, or the process that of another machine. */
const longestWriting = 86_400_000;

/** Beside the file while it is written. Of its own process: another window may be writing the same one. */
export function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}

/**
 * Rejects when it can't be written, and leaves nothing of it then.
 * @param isWanted asked before it takes its place: whether that is still to be done
 */
export async function replaceFile(path: string, text: string, isWanted = (): boolean => true): Promise<void> {
  const part = partOf(path);
  try {
    await writeFile(part, text, { mode });
    if (isWanted()) await rename(part, path);
    else await rm(part, { force: true });
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As `replaceFile`, done when it returns. Another one of this process may be on its way meanwhile. */
export function replaceFileNow(path: string, text: string): void {
  const part = partOf(`${path}.end`);
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, path);
  } catch (error) {
    removeNow(part);
    throw error;
  }
}

function removeNow(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Then it is removed as one that was left.
  }
}

/**
 * Removes what processes that went in the middle of it have left. Never rejects.
 * @param names of what is in the folder
 * @param now milliseconds since the epoch
 */
export async function removeLeftParts(
  folder: string,
  names: readonly string[],
  now = Date.now(),
): Promise<void> {
  for (const name of names) {
    const [, pid] = /\.(\d{1,10})\.part$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0,
    );
    if (age > longestWriting || (age > restTime && !isAlive(Number(pid))))
      await rm(path, { force: true }).catch(() => undefined);
  }
}
