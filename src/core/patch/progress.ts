/**
 * What is certain about a patch that is still arriving: which files, and how many complete lines so far. For showing only: it looks
 * nothing up, keeps no text and never becomes a patch.
 */
import { trim, trimEnd } from './blanks.ts';
import { readHeader } from './cursor.ts';
import { markers } from './grammar.ts';

export interface PatchProgress {
  readonly files: readonly FileProgress[];
}

export interface FileProgress {
  /** As the patch writes it. */
  readonly path: string;
  readonly change: 'add' | 'update' | 'delete' | 'move';
  readonly added: number;
  readonly removed: number;
}

/** Files listed; a patch with more is counted no further. */
const maxFiles = 200;
/** Characters kept of the line that is arriving: enough for any marker and path. */
const maxKept = 4_096;

export class PatchProgressReader {
  readonly #files: { -readonly [Field in keyof FileProgress]: FileProgress[Field] }[] = [];
  #state: 'before' | 'inside' | 'after' = 'before';
  /** A hunk of an update is open, so a leading blank means context. */
  #hunkOpen = false;
  #line = '';
  #afterReturn = false;

  /** Takes the next piece of the input; returns the progress if the piece completed a line that changes it. */
  feed(text: string): PatchProgress | undefined {
    let changed = false;
    let at = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    while (at < text.length) {
      const end = endOfLine(text, at);
      this.#line += text.slice(at, Math.min(end, at + maxKept - this.#line.length));
      if (end === text.length) break;
      changed = this.#complete(this.#line) || changed;
      this.#line = '';
      at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    }
    return changed ? { files: this.#files.map((file) => ({ ...file })) } : undefined;
  }

  /** True when the line adds to what is known. */
  #complete(line: string): boolean {
    if (this.#state === 'before') {
      if (trim(line) === markers.begin) this.#state = 'inside';
      return false;
    }
    if (this.#state === 'after') return false;
    const marker = this.#hunkOpen ? trimEnd(line) : trim(line);
    const header = readHeader(marker);
    if (header) return this.#open(header.path, header.verb);
    if (marker === markers.end) this.#state = 'after';
    else if (marker === markers.endOfFile) this.#hunkOpen = false;
    else return this.#body(line, marker);
    return false;
  }

  #open(path: string, change: 'add' | 'update' | 'delete'): boolean {
    this.#hunkOpen = false;
    if (path === '' || this.#files.length >= maxFiles) {
      this.#state = 'after';
      return false;
    }
    this.#files.push({ path, change, added: 0, removed: 0 });
    return true;
  }

  #body(line: string, marker: string): boolean {
    const file = this.#files.at(-1);
    if (!file || file.change === 'delete') return false;
    if (file.change !== 'add') {
      if (!this.#hunkOpen && marker.startsWith(markers.move)) {
        file.change = 'move';
        return true;
      }
      if (marker !== '') this.#hunkOpen = true;
      if (line.startsWith('-')) {
        file.removed += 1;
        return true;
      }
    }
    if (!line.startsWith('+')) return false;
    file.added += 1;
    return true;
  }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}
