/**
 * Where the lines a patch wants stand in a text. One walk, no splitting: only places of wanted lines are kept. Knows lines, not
 * hunks.
 */
import { lineEnd, lineStart, lineText, type LineIndex } from '../lines.ts';
import { trimmedEnd, trimmedStart } from './blanks.ts';
import { KeyTable } from './keyTable.ts';
import { foldPunctuation, foldsPunctuation, lineKey, trimsStart, type LinePass } from './passes.ts';

/** What one walk found. Ids count from 1; 0 is any line that is not wanted. */
export interface Scan {
  /** For every line of the text its id. */
  readonly ids: Int32Array;
  /** For every id the lines that have it, ascending; `places[0]` is empty. */
  readonly places: readonly (readonly number[])[];
  /** The id of a wanted line. */
  readonly idOf: (line: string) => number;
}

/** Looks for all `wanted` lines (as written; equal by the pass's key) in one walk. */
export function scan(lines: LineIndex, pass: LinePass, wanted: Iterable<string>): Scan {
  const keys = [...new Set([...wanted].map((line) => lineKey(pass, line)))];
  const table = new KeyTable(keys, someLines(lines));
  const places: number[][] = [[], ...keys.map(() => [])];
  const { text, count } = lines;
  const ids = new Int32Array(count);
  const folder = foldsPunctuation(pass) ? new Folder(text, keys) : undefined;
  const trimLeft = trimsStart(pass);
  const trimRight = pass !== 'exact';
  const lineFeeds = !text.includes('\r');
  let next = lineStart(lines, 0);
  for (let line = 0; line < count; line += 1) {
    let start = next;
    next = lineStart(lines, line + 1);
    // All but the last line surely have an end, and of one character where there is but one kind.
    let end = lineFeeds && line < count - 1 ? next - 1 : lineEnd(lines, line);
    if (trimRight) end = trimmedEnd(text, start, end);
    if (trimLeft) start = trimmedStart(text, start, end);
    const folded = folder?.fold(start, end);
    const id = folded === undefined ? table.find(text, start, end) : findFolded(table, folded, trimLeft);
    if (id === 0) continue;
    ids[line] = id;
    (places[id] as number[]).push(line);
  }
  return { ids, places, idOf: (line) => table.find(lineKey(pass, line), 0, lineKey(pass, line).length) };
}

const sampled = 64;

/** Lines from all over the text. */
function someLines(lines: LineIndex): readonly string[] {
  // Not a round number, so that no digit of numbered lines stays the same.
  const step = Math.floor(lines.count / sampled) | 1;
  const sample: string[] = [];
  for (let line = 0; line < lines.count; line += step) sample.push(lineText(lines, line));
  return sample;
}

/** Folding turns other blanks into spaces, which may then stand at the ends. */
function findFolded(table: KeyTable, folded: string, trimLeft: boolean): number {
  const end = trimmedEnd(folded, 0, folded.length);
  return table.find(folded, trimLeft ? trimmedStart(folded, 0, end) : 0, end);
}

/** Folds the lines that need it and may be wanted. */
class Folder {
  readonly #text: string;
  readonly #shortest: number;
  readonly #longest: number;

  constructor(text: string, keys: readonly string[]) {
    this.#text = text;
    this.#shortest = keys.reduce((length, key) => Math.min(length, key.length), Infinity);
    this.#longest = keys.reduce((length, key) => Math.max(length, key.length), 0);
  }

  /**
   * Undefined for a line that stays as it is. One that is too short or too long to become a key is not folded either, since that
   * costs far more than a look at its length; it equals no key then, being of other length than all.
   */
  fold(start: number, end: number): string | undefined {
    const length = end - start;
    if (length * 3 < this.#shortest || length > this.#longest * 4 || !hasNonAscii(this.#text, start, end))
      return undefined;
    return foldPunctuation(this.#text.slice(start, end));
  }
}

function hasNonAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) > 127) return true;
  return false;
}
