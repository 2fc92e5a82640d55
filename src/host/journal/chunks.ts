/** A long file, piece by piece, so that it need never be in memory as a whole. */
import type { FileHandle } from 'node:fs/promises';

/** Bytes that are read at a time. */
const chunkLength = 256 * 1024;

/**
 * What stands in the file from `from` bytes on, up to where it ends by then. Nobody else writes to a piece later.
 * @param from bytes; behind the end of the file there is nothing
 */
export async function* chunksOf(file: FileHandle, from = 0): AsyncGenerator<Buffer, void> {
  for (let at = from; ;) {
    const buffer = Buffer.allocUnsafe(chunkLength);
    const { bytesRead } = await file.read(buffer, 0, chunkLength, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
