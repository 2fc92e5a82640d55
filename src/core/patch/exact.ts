/**
 * Hunks without anchors whose old lines stand in the text just as written, found by the platform's own search: no table of lines, no
 * walk. Either it finds the one placement of all hunks, the same as `seek.ts` and `place.ts` would, or it leaves them all to those.
 */
import { bomLength } from '../lines.ts';
import { trim } from './blanks.ts';
import { changedSpan, changesSomething, type Hunk, type HunkLine } from './patch.ts';

/** Rows of a hunk tried as the line to search for. */
const maxNeedles = 3;
/** A removed line of so many characters is taken before any line of context. */
const telling = 12;
/** More than a line has characters. */
const maxPatchLine = 1e9;
/** Places at which such a line stands in vain before the next one is tried. Bounds the work where lines repeat. */
const maxMisses = 8;
/** The platform's search takes linear time for up to so many characters, and may take their product for more. */
const maxNeedle = 250;
/** Shortest and longest end of a line. */
const [lineFeedOnly, pair] = [1, 2];

/**
 * For each hunk the offsets at which its old lines begin, and one more behind the last; undefined where this search can't tell, which
 * is no failure. Takes two walks of the platform's search through the text, whatever the number of hunks.
 */
export function placeExactly(
  text: string,
  hunks: readonly Hunk[],
): readonly (readonly number[])[] | undefined {
  const searched = new Searched(text);
  const blocks: Block[] = [];
  for (const hunk of hunks) {
    const block = hunk.atEnd || hunk.anchors.length > 0 ? undefined : blockOf(hunk);
    if (!block) return undefined;
    blocks.push(block);
  }
  const found: (readonly number[])[] = [];
  let changedTo = 0;
  for (const block of blocks) {
    const match = find(searched, block, { after: -1, changedFrom: changedTo, changedTo: Infinity });
    if (typeof match === 'string') return undefined;
    found.push(match);
    changedTo = match[block.to] as number;
  }
  // From the top nothing stands further up. From the bottom the last hunk goes further down only if it stands once more; if it does
  // not, the same is true of the one above it within what is left, and so on.
  let changedFrom = Infinity;
  for (const [index, block] of [...blocks.entries()].reverse()) {
    const match = found[index] as readonly number[];
    const more = find(searched, block, { after: match[0] as number, changedFrom: 0, changedTo: changedFrom });
    if (more !== 'absent') return undefined;
    changedFrom = match[block.from] as number;
  }
  return found;
}

/** The old lines of a hunk. */
interface Block {
  readonly rows: readonly string[];
  /** Rows from the first to the last change, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Indices of the rows to search for, best first. */
  readonly needles: readonly number[];
}

function blockOf(hunk: Hunk): Block | undefined {
  const old = hunk.lines.filter((line) => line.kind !== 'add');
  const needles = bestRows(old);
  if (needles.length === 0 || !changesSomething(hunk)) return undefined;
  return { rows: old.map(({ text }) => text), ...changedSpan(hunk.lines), needles };
}

const onlyRow: readonly number[] = [0];

/** A few different rows, none of them blank: removed ones first, since context repeats more often, and long ones before short ones. */
function bestRows(old: readonly HunkLine[]): readonly number[] {
  if (old.length === 1) return trim((old[0] as HunkLine).text) === '' ? [] : onlyRow;
  const chosen: { readonly row: number; readonly text: string; readonly worth: number }[] = [];
  for (const [row, { kind, text }] of old.entries()) {
    const worth = kind === 'remove' && text.length >= telling ? text.length + maxPatchLine : text.length;
    const last = chosen.length === maxNeedles ? chosen.at(-1) : undefined;
    if (last && worth <= last.worth) continue;
    if (chosen.some((other) => other.text === text) || trim(text) === '') continue;
    if (last) chosen.pop();
    chosen.push({ row, text, worth });
    chosen.sort((one, other) => other.worth - one.worth);
  }
  return chosen.map(({ row }) => row);
}

interface Bounds {
  /** The block begins behind this offset. */
  readonly after: number;
  /** Its changed rows lie within these. */
  readonly changedFrom: number;
  readonly changedTo: number;
}

/** The first place of the block within the bounds; `open` where its lines stand in too many places to tell. */
function find(searched: Searched, block: Block, bounds: Bounds): readonly number[] | 'absent' | 'open' {
  for (const needle of block.needles) {
    const found = findBy(searched, block, { needle, ...bounds });
    if (found !== 'open') return found;
  }
  return 'open';
}

function findBy(
  searched: Searched,
  block: Block,
  { needle, after, changedFrom, changedTo }: Bounds & { readonly needle: number },
): readonly number[] | 'absent' | 'open' {
  const { rows, from, to } = block;
  // A row of leading context may stand above the first change, one of trailing context below the last: by the rows between at most.
  const start = Math.max(
    after + 1 + lengthOf(rows, 0, needle, lineFeedOnly),
    changedFrom - lengthOf(rows, needle, from, pair),
  );
  const line = rows[needle] as string;
  const end = changedTo + lengthOf(rows, to, needle + 1, pair);
  if (end - start < line.length) return 'absent';
  let misses = 0;
  for (const at of searched.hits(line, start, end)) {
    const match = searched.matchAround(rows, needle, at);
    const counts =
      match !== undefined &&
      (match[0] as number) > after &&
      (match[from] as number) >= changedFrom &&
      (match[to] as number) <= changedTo;
    if (counts) return match;
    misses += 1;
    if (misses === maxMisses) return 'open';
  }
  return 'absent';
}

/** Characters of rows `from` to `to` (exclusive), each with an end of that length. */
function lengthOf(rows: readonly string[], from: number, to: number, end: number): number {
  let length = 0;
  for (let row = from; row < to; row += 1) length += (rows[row] as string).length + end;
  return length;
}

/** A text in which lines are looked for. */
class Searched {
  readonly #text: string;
  /** Where the first line begins. */
  readonly #first: number;
  /** All lines end with LF, so the ends can be searched for together with a line. */
  readonly #lineFeeds: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#first = bomLength(text);
    this.#lineFeeds = !text.includes('\r');
  }

  /** Offsets from `start` on, ascending, at which the line may stand whole before `end`: none is missing, some may be wrong. */
  *hits(line: string, start: number, end: number): Generator<number> {
    const text = end < this.#text.length ? this.#text.slice(0, end) : this.#text;
    const isCut = line.length > maxNeedle;
    const needle = isCut ? line.slice(0, maxNeedle) : line;
    if (!this.#lineFeeds) {
      for (let at = text.indexOf(needle, start); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
      return;
    }
    const ended = isCut ? needle : `${needle}\n`;
    if (start <= this.#first && text.startsWith(ended, this.#first)) yield this.#first;
    const sought = `\n${ended}`;
    for (let at = text.indexOf(sought, start - 1); at >= 0; at = text.indexOf(sought, at + 1)) yield at + 1;
    const last = text.length - line.length;
    if (!isCut && last >= start && text.endsWith(line)) yield last;
  }

  /** The offsets of the rows, and of what follows the last, if row `needle` stands at `at` and all others around it. */
  matchAround(rows: readonly string[], needle: number, at: number): number[] | undefined {
    if (!this.#isStart(at)) return undefined;
    const text = this.#text;
    const offsets: number[] = [];
    offsets.length = rows.length + 1;
    let start = at;
    for (let row = needle; row < rows.length; row += 1) {
      const line = rows[row] as string;
      // Behind the end of the last line there is no other, not even an empty one.
      if (start === text.length || !text.startsWith(line, start)) return undefined;
      const next = afterEnd(text, start + line.length);
      if (next === undefined) return undefined;
      offsets[row] = start;
      start = next;
    }
    offsets[rows.length] = start;
    start = at;
    for (let row = needle - 1; row >= 0; row -= 1) {
      const line = rows[row] as string;
      start = this.#beforeEnd(start) - line.length;
      if (!text.startsWith(line, start) || !this.#isStart(start)) return undefined;
      offsets[row] = start;
    }
    return offsets;
  }

  /** Whether a line begins there, given that no line feed stands there behind a carriage return. */
  #isStart(at: number): boolean {
    return at === this.#first || (at > this.#first && isEnd(this.#text.charCodeAt(at - 1)));
  }

  /** Where the line above one that begins at `start` ends, its terminator left out; negative where there is none. */
  #beforeEnd(start: number): number {
    if (start === this.#first) return -1;
    const isPair =
      this.#text.charCodeAt(start - 1) === lineFeed &&
      start - 2 >= this.#first &&
      this.#text.charCodeAt(start - 2) === carriageReturn;
    return isPair ? start - 2 : start - 1;
  }
}

const lineFeed = 10;
const carriageReturn = 13;

function isEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

/** The offset behind the end of line that stands there, or of the end of the text; undefined if the line goes on. */
function afterEnd(text: string, at: number): number | undefined {
  if (at === text.length) return at;
  const code = text.charCodeAt(at);
  if (code === lineFeed) return at + 1;
  if (code !== carriageReturn) return undefined;
  return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
}
