/** The lines of a long file, one after the other, so that it need never be in memory as a whole. */
import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

/** Bytes that are read at a time. */
const chunkLength = 256 * 1024;
/** UTF-16 units. What is longer is nothing that was written here; it is passed on cut, and so can't be read. */
const longestLine = 200 * 1024 * 1024;

const lineEnd = 0x0a;

export interface LineTaker {
  /** A line that was ended, without its end. */
  take(line: string): void;
  /** Asked now and then: nothing more is wanted. */
  isDone?(): boolean;
}

/**
 * Gives each ended line to `taker`. Rejects when the file can't be read.
 * @returns what stands behind the last line end, how long the file is, and where that last line end is behind, both in bytes
 */
export async function readLines(
  path: string,
  taker: LineTaker,
): Promise<{ readonly rest: string; readonly size: number; readonly ended: number }> {
  const file = await open(path, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(chunkLength);
    let size = 0;
    let ended = 0;
    let pieces: string[] = [];
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkLength, size);
      const lastEnd = buffer.subarray(0, bytesRead).lastIndexOf(lineEnd);
      if (lastEnd !== -1) ended = size + lastEnd + 1;
      size += bytesRead;
      const text = bytesRead === 0 ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead));
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        pieces.push(text.slice(from, end));
        taker.take(pieces.join(''));
        pieces = [];
        length = 0;
        from = end + 1;
      }
      if (length < longestLine) pieces.push(text.slice(from));
      length += text.length - from;
      if (bytesRead === 0 || taker.isDone?.() === true) return { rest: pieces.join(''), size, ended };
    }
  } finally {
    await file.close();
  }
}
