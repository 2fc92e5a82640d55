/** Reads the hunks of one update section, line by line. Knows where a hunk begins and ends, and nothing of files. */
import { ok, type Result } from '../result.ts';
import { trim, trimEnd } from './blanks.ts';
import { isNewlineRemark, type Cursor } from './cursor.ts';
import { markers } from './grammar.ts';
import type { Anchor, Hunk, HunkLine } from './patch.ts';
import type { BadFormat } from './patchError.ts';

/** Numbers of a unified diff: `-1,3 +1,4 @@`. They are never used to find a place; what follows them is a remark. */
const numbers = /^[ \t]*-\d+(?:,\d+)?[ \t]+\+\d+(?:,\d+)?[ \t]*(?:@@|$)/;

export class HunkReader {
  readonly #cursor: Cursor;
  readonly #hunks: Hunk[] = [];
  #anchors: Anchor[] = [];
  #lines: HunkLine[] = [];
  #numbered = false;
  /** Patch line of the first header that has no lines yet. */
  #headerLine: number | undefined;
  #open = false;
  #closedByMark = false;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** A header or a line that is more than layout has been read, and nothing has closed the hunk. */
  get isOpen(): boolean {
    return this.#open;
  }

  get isStarted(): boolean {
    return this.#open || this.#hunks.length > 0;
  }

  /** Takes the cursor's line. `marker` is the same line with the blanks off that do not count. */
  take(line: string, marker: string): Result<undefined, BadFormat> {
    if (marker === markers.endOfFile) return this.#endOfFile();
    if (line.startsWith(markers.hunk)) return this.#header(line);
    if (isNewlineRemark(line)) return ok(undefined);
    if (this.#closedByMark) {
      return trim(line) === '' ? ok(undefined) : this.#cursor.fault('linesAfterEndOfFile');
    }
    this.#push(line);
    return ok(undefined);
  }

  finish(): Result<readonly Hunk[], BadFormat> {
    const closed = this.#close(false);
    if (!closed.ok) return closed;
    if (this.#headerLine !== undefined) return this.#cursor.fault('emptyHunk', this.#headerLine);
    return ok(this.#hunks);
  }

  #push(line: string): void {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'remove' : 'context';
    const signed = kind !== 'context' || line.startsWith(' ');
    const bare = line === '';
    if (!signed && !bare)
      this.#cursor.note('Lines without a leading "+", "-" or space were taken as context.');
    this.#lines.push({ kind, text: signed ? line.slice(1) : line, line: this.#cursor.number, bare });
    if (trim(line) !== '') this.#open = true;
  }

  #header(line: string): Result<undefined, BadFormat> {
    const closed = this.#close(false);
    if (!closed.ok) return closed;
    this.#closedByMark = false;
    this.#open = true;
    this.#headerLine ??= this.#cursor.number;
    const { text, numbered } = readAnchor(line);
    this.#numbered ||= numbered;
    if (text !== '') this.#anchors.push({ text, line: this.#cursor.number, advisory: numbered });
    return ok(undefined);
  }

  #endOfFile(): Result<undefined, BadFormat> {
    const before = this.#hunks.length;
    const closed = this.#close(true);
    if (!closed.ok) return closed;
    if (this.#hunks.length === before) return this.#cursor.fault('misplacedEndOfFile');
    this.#closedByMark = true;
    return ok(undefined);
  }

  /** Ends the hunk, if there is one. Nothing but blank context is layout: its anchors wait for the next hunk. */
  #close(atEnd: boolean): Result<undefined, BadFormat> {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.every((line) => line.kind === 'context' && trim(line.text) === '')) return ok(undefined);
    const old = lines.filter((line) => line.kind !== 'add');
    if (old.length > 0 && old.every((line) => line.bare)) {
      while (lines.at(-1)?.bare === true) lines.pop();
      // An empty line between added ones: context, or an added line that lost its sign? Both readings would edit.
      const bare = lines.find((line) => line.bare);
      if (bare) return this.#cursor.fault('blankOnlyContext', bare.line);
    }
    this.#hunks.push({
      line: this.#headerLine ?? (lines[0] as HunkLine).line,
      anchors: this.#anchors,
      lines,
      atEnd,
      numbered: this.#numbered,
    });
    this.#anchors = [];
    this.#headerLine = undefined;
    this.#numbered = false;
    this.#open = false;
    return ok(undefined);
  }
}

/** Text behind `@@`, empty when it names nothing. One leading blank and a closing ` @@` are no part of it. */
function readAnchor(line: string): { readonly text: string; readonly numbered: boolean } {
  const rest = line.slice(markers.hunk.length);
  const found = numbers.exec(rest);
  let text = trimEnd(found ? rest.slice(found[0].length) : rest);
  if (trim(text) === markers.hunk) text = '';
  else if (text.endsWith(` ${markers.hunk}`)) text = trimEnd(text.slice(0, -markers.hunk.length));
  return { text: text.startsWith(' ') ? text.slice(1) : text, numbered: found !== null };
}
