/** The lines of a long file, one after the other, so that it need never be in memory as a whole. */
import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

import { chunksOf } from './chunks.ts';

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
    let size = 0;
    let ended = 0;
    let pieces: string[] = [];
    let length = 0;
    const keep = (piece: string): void => {
      if (length < longestLine) pieces.push(piece);
      length += piece.length;
    };
    for await (const bytes of chunksOf(file)) {
      const lastEnd = bytes.lastIndexOf(lineEnd);
      if (lastEnd !== -1) ended = size + lastEnd + 1;
      size += bytes.length;
      const text = decoder.write(bytes);
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        pieces.push(text.slice(from, end));
        taker.take(pieces.join(''));
        pieces = [];
        length = 0;
        from = end + 1;
      }
      keep(text.slice(from));
      if (taker.isDone?.() === true) return { rest: pieces.join(''), size, ended };
    }
    keep(decoder.end());
    return { rest: pieces.join(''), size, ended };
  } finally {
    await file.close();
  }
}
