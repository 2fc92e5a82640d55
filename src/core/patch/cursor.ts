/** The lines of an envelope and the place up to which they have been read: what the readers of the format share. */
import { err } from '../result.ts';
import { trim } from './blanks.ts';
import { markers } from './grammar.ts';
import { shorten } from './messageText.ts';
import type { BadFormat, FormatFault } from './patchError.ts';

export class Cursor {
  readonly notes: string[];
  /** Path of the section being read, for messages. */
  file: string | undefined;
  readonly #lines: readonly string[];
  readonly #end: number;
  #at: number;

  /** Reads `lines[from, end)`; `lines[end]` is the end marker. */
  constructor(
    lines: readonly string[],
    range: { readonly from: number; readonly end: number },
    notes: readonly string[],
  ) {
    this.#lines = lines;
    this.#at = range.from;
    this.#end = range.end;
    this.notes = [...notes];
  }

  /** The line to read next; undefined at the end marker. */
  get line(): string | undefined {
    return this.#at < this.#end ? this.#lines[this.#at] : undefined;
  }

  /** Its number in the patch, from 1. */
  get number(): number {
    return this.#at + 1;
  }

  next(): void {
    this.#at += 1;
  }

  /** Notes are few sentences, each said once however often it applies. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** A fault at the current line, or at the one given. */
  fault(why: FormatFault, number = this.number): { readonly ok: false; readonly error: BadFormat } {
    const found = shorten(this.#lines[number - 1] as string);
    return err({
      kind: 'bad-format',
      why,
      line: number,
      found,
      ...(this.file === undefined ? {} : { file: this.file }),
    });
  }
}

/** The header of a file section: verb and path. Undefined for any other line. */
export function readHeader(
  line: string,
): { readonly verb: 'add' | 'delete' | 'update'; readonly path: string } | undefined {
  for (const verb of ['add', 'delete', 'update'] as const) {
    if (line.startsWith(markers[verb])) return { verb, path: readPath(line.slice(markers[verb].length)) };
  }
  return undefined;
}

/** Blanks and one pair of quotes or backticks taken off. */
export function readPath(text: string): string {
  const path = trim(text);
  const quoted = /^(["'`])(.*)\1$/.exec(path);
  return quoted ? trim(quoted[2] as string) : path;
}

/** What is wrong with a line that stands where only the header of the next file may. */
export function faultOfMarker(marker: string, otherwise: FormatFault): FormatFault {
  if (marker === markers.begin || marker === markers.end) return 'secondEnvelope';
  return marker.startsWith(markers.move) ? 'misplacedMove' : otherwise;
}

/** A remark of unified diffs, never content. */
export function isNewlineRemark(line: string): boolean {
  return line.startsWith('\\ No newline');
}
