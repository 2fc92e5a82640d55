/** The last lines of a long file, without reading the rest of it. */
import { open } from 'node:fs/promises';

import { chunksOf } from './chunks.ts';

/**
 * Whole lines, in their order, without their ends; what stands behind the last line end is left out. Rejects when the file can't be read.
 * @param length bytes that are looked at, and what comes meanwhile
 */
export async function readLastLines(path: string, length: number): Promise<readonly string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - length);
    const pieces: Buffer[] = [];
    for await (const piece of chunksOf(file, start)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    // A line end is no part of another character. What stands before the first one may be half a line.
    const from = start === 0 ? 0 : bytes.indexOf(10) + 1;
    const to = bytes.lastIndexOf(10);
    const isNone = to < from || (start > 0 && from === 0);
    return isNone ? [] : bytes.toString('utf8', from, to).split('\n');
  } finally {
    await file.close();
  }
}
