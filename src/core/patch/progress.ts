/**
 * What is certain about a patch that is still arriving: which files, and how many complete lines so far. For showing only: it looks
 * nothing up, keeps no text and never becomes a patch.
 */
import { trim, trimEnd } from './blanks.ts';
import { readHeader } from './cursor.ts';
import { markers } from './grammar.ts';

/** What is new about the file at this place of the patch: all when it is told first, and then only what changed. */
export interface FileNews extends Partial<FileProgress> {
  readonly index: number;
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
  /** What was not told yet, by the place of the file. */
  readonly #news = new Map<number, Partial<FileProgress>>();
  #state: 'before' | 'inside' | 'after' = 'before';
  /** A hunk of an update is open, so a leading blank means context. */
  #hunkOpen = false;
  #line = '';
  #afterReturn = false;

  /** Takes the next piece of the input; returns what is new if the piece completed a line that adds to what is known. */
  feed(text: string): readonly FileNews[] | undefined {
    let at = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    while (at < text.length) {
      const end = endOfLine(text, at);
      this.#line += text.slice(at, Math.min(end, at + maxKept - this.#line.length));
      if (end === text.length) break;
      this.#complete(this.#line);
      this.#line = '';
      at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    }
    if (this.#news.size === 0) return undefined;
    const news = [...this.#news].map(([index, what]) => ({ index, ...what }));
    this.#news.clear();
    return news;
  }

  #complete(line: string): void {
    if (this.#state === 'before') {
      if (trim(line) === markers.begin) this.#state = 'inside';
      return;
    }
    if (this.#state === 'after') return;
    const marker = this.#hunkOpen ? trimEnd(line) : trim(line);
    const header = readHeader(marker);
    if (header) this.#open(header.path, header.verb);
    else if (marker === markers.end) this.#state = 'after';
    else if (marker === markers.endOfFile) this.#hunkOpen = false;
    else this.#body(line, marker);
  }

  #open(path: string, change: 'add' | 'update' | 'delete'): void {
    this.#hunkOpen = false;
    if (path === '' || this.#files.length >= maxFiles) {
      this.#state = 'after';
      return;
    }
    const file = { path, change, added: 0, removed: 0 };
    this.#files.push(file);
    this.#tell(file);
  }

  #body(line: string, marker: string): void {
    const file = this.#files.at(-1);
    if (!file || file.change === 'delete') return;
    if (file.change !== 'add') {
      if (!this.#hunkOpen && marker.startsWith(markers.move)) {
        file.change = 'move';
        this.#tell({ change: file.change });
        return;
      }
      if (marker !== '') this.#hunkOpen = true;
      if (line.startsWith('-')) {
        file.removed += 1;
        this.#tell({ removed: file.removed });
        return;
      }
    }
    if (!line.startsWith('+')) return;
    file.added += 1;
    this.#tell({ added: file.added });
  }

  /** Of the last file: those before it are complete. */
  #tell(news: Partial<FileProgress>): void {
    const index = this.#files.length - 1;
    this.#news.set(index, { ...this.#news.get(index), ...news });
  }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}
