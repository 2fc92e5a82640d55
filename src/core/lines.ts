/**
 * Text and its lines. A line ends at CRLF, LF or CR and at nothing else; each keeps its own terminator; one BOM at the start is no
 * part of the first line. Every function is total and linear. Knows nothing of patches.
 */

export type Terminator = '\n' | '\r\n' | '\r';

const byteOrderMark = '\uFEFF';
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Where the lines of a text begin. The text is never split: a table of offsets costs a tenth of an array of strings.
 * `a\n` is one line, an empty text is none.
 */
export interface LineIndex {
  readonly text: string;
  readonly count: number;
  /** `starts[i]` for `0 <= i <= count`; `starts[count]` is the length of the text. May be longer than that. */
  readonly starts: Uint32Array;
}

/** Finds the lines in one walk. */
export function indexLines(text: string): LineIndex {
  let starts = new Uint32Array(Math.max(16, text.length >>> 4));
  let count = 0;
  let at: number = bomLength(text);
  let lf = text.indexOf('\n', at);
  let cr = text.indexOf('\r', at);
  while (at < text.length) {
    if (count + 1 >= starts.length) starts = grown(starts);
    starts[count] = at;
    count += 1;
    if (cr >= 0 && (lf < 0 || cr < lf)) {
      at = cr + 1;
      if (lf === at) {
        at += 1;
        lf = text.indexOf('\n', at);
      }
      cr = text.indexOf('\r', at);
    } else if (lf >= 0) {
      at = lf + 1;
      lf = text.indexOf('\n', at);
    } else {
      at = text.length;
    }
  }
  starts[count] = text.length;
  return { text, count, starts };
}

/** Offset at which line `line` begins; for `line === count` the end of the text. */
export function lineStart(lines: LineIndex, line: number): number {
  return lines.starts[line] as number;
}

/** Offset at which line `line` ends, its terminator left out. */
export function lineEnd(lines: LineIndex, line: number): number {
  const start = lineStart(lines, line);
  const next = lineStart(lines, line + 1);
  if (next === start) return next;
  const last = lines.text.charCodeAt(next - 1);
  if (last === carriageReturn) return next - 1;
  if (last !== lineFeed) return next;
  return next - 1 > start && lines.text.charCodeAt(next - 2) === carriageReturn ? next - 2 : next - 1;
}

/** The line's text without its terminator. */
export function lineText(lines: LineIndex, line: number): string {
  return lines.text.slice(lineStart(lines, line), lineEnd(lines, line));
}

/** True for every line but, perhaps, the last of the text. */
export function isTerminated(lines: LineIndex, line: number): boolean {
  return lineEnd(lines, line) < lineStart(lines, line + 1);
}

/** The line (zero-based) that holds the offset; the end of the text belongs to the last line, and to line 0 of an empty text. */
export function lineAt(lines: LineIndex, offset: number): number {
  let low = 0;
  let high = lines.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (lineStart(lines, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first terminator of a text, which is what new lines get; LF where there is none. */
export function firstTerminator(text: string): Terminator {
  const cr = text.indexOf('\r');
  const lf = text.indexOf('\n');
  if (cr < 0 || (lf >= 0 && lf < cr)) return '\n';
  return lf === cr + 1 ? '\r\n' : '\r';
}

/** The text with every CRLF and CR turned into LF. */
export function toLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** 1 where the text begins with a byte order mark, otherwise 0. */
export function bomLength(text: string): 0 | 1 {
  return text.startsWith(byteOrderMark) ? 1 : 0;
}

/** The lines as strings, terminators left out. For short texts: messages, not matching. */
export function splitLines(text: string): string[] {
  const lines = indexLines(text);
  return Array.from({ length: lines.count }, (_, line) => lineText(lines, line));
}

/** Lines joined into a text in which each has the terminator. */
export function joinLines(lines: readonly string[], terminator: Terminator): string {
  return lines.length === 0 ? '' : lines.join(terminator) + terminator;
}

function grown(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2);
  larger.set(starts);
  return larger;
}
