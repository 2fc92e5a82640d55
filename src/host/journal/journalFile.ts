/**
 * One journal on the disk: appends lines, soon and in order, and never writes over what is there. Knows nothing of what the lines say,
 * and nothing of VS Code.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Milliseconds that a line may wait for others. With the time that writing takes, no more than half a second is lost with the window. */
export const restTime = 200;

/** Why nothing is written any more. */
export type JournalFailure =
  /** No room, no permission, a broken disk: `code` is the platform's. It is tried again with the next line. */
  | { readonly kind: 'failing'; readonly code: string }
  /** Somebody else wrote to it. It is left to them. */
  | { readonly kind: 'taken' };

export interface JournalFilePorts {
  /** Told once when writing begins to fail, and again only after it worked in between. */
  onDidFail(failure: JournalFailure): void;
  /** What could not be written was written after all. */
  onDidRecover(): void;
}

export class JournalFile {
  readonly #path: string;
  readonly #ports: JournalFilePorts;
  #handle: FileHandle | undefined;
  /** Bytes that are known to be in the file. */
  #size: number | undefined;
  /** Lines that are not, in order. What is just being written is among them until it is done. */
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failure: JournalFailure | undefined;
  #isClosed = false;
  /** The file ends within a line that nobody finished. */
  #isTorn: boolean;

  /** @param size what was read of it, in bytes, when it was there; it is not written to when it has another size by then */
  constructor(path: string, ports: JournalFilePorts, read?: { readonly size: number; readonly isTorn: boolean }) {
    this.#path = path;
    this.#ports = ports;
    this.#size = read?.size;
    this.#isTorn = read?.isTorn ?? false;
  }

  get failure(): JournalFailure | undefined {
    return this.#failure;
  }

  /** Lines without their ends. Written within `restTime`, at once with `now`. */
  append(lines: readonly string[], now = false): void {
    if (this.#isClosed || this.#failure?.kind === 'taken' || lines.length === 0) return;
    this.#waiting.push(...lines);
    if (now) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), restTime);
  }

  /** Resolves when everything so far is in the file, or could not be written. Never rejects. */
  async flush(): Promise<void> {
    this.#stopTimer();
    // What came while something was being written goes after it, in one piece.
    while (this.#writing !== undefined) await this.#writing;
    if (this.#waiting.length === 0 || this.#failure?.kind === 'taken') return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes what waits and lets go of the file. For the end of the window, which waits for nobody: done when it returns. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    const text = this.#takeText();
    if (text === '' || this.#failure?.kind === 'taken') return;
    try {
      // What is just being written is written once more, the same bytes at the same place.
      const file = openSync(this.#path, this.#size === undefined ? 'wx' : 'r+', 0o600);
      try {
        const size = this.#size ?? 0;
        const isOurs = this.#writing !== undefined || fstatSync(file).size === size;
        if (isOurs) writeSync(file, text, size);
        else this.#fail({ kind: 'taken' });
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.#fail({ kind: 'failing', code: codeOf(error) });
    }
  }

  /** As `flush`, and lets go of the file. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }

  async #write(): Promise<void> {
    const count = this.#waiting.length;
    try {
      const handle = await this.#open();
      const { size } = await handle.stat();
      if (this.#isClosed) return;
      if (size !== (this.#size ?? 0)) return this.#fail({ kind: 'taken' });
      const bytes = Buffer.from(this.#takeText(count));
      await writeAll(handle, bytes, size);
      if (this.#isClosed) return;
      this.#size = size + bytes.length;
      this.#isTorn = false;
      this.#waiting.splice(0, count);
      if (this.#failure === undefined) return;
      this.#failure = undefined;
      this.#ports.onDidRecover();
    } catch (error) {
      await this.#repair();
      this.#fail({ kind: 'failing', code: codeOf(error) });
    }
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle !== undefined) return this.#handle;
    await mkdir(dirname(this.#path), { recursive: true });
    // A new one must not be there yet: it would be somebody else's.
    this.#handle = await open(this.#path, this.#size === undefined ? 'wx+' : 'r+', 0o600);
    return this.#handle;
  }

  /** On a full disk a part may have been written: it is taken away again, so that the next attempt writes a whole. */
  async #repair(): Promise<void> {
    try {
      await this.#handle?.truncate(this.#size ?? 0);
      if (this.#handle !== undefined) this.#size ??= 0;
    } catch {
      // Then the next attempt finds another size, and leaves the file alone.
    }
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }

  #takeText(count = this.#waiting.length): string {
    if (count === 0) return '';
    return `${this.#isTorn ? '\n' : ''}${this.#waiting.slice(0, count).join('\n')}\n`;
  }

  #fail(failure: JournalFailure): void {
    const isNews = this.#failure?.kind !== failure.kind;
    this.#failure = failure;
    if (failure.kind === 'taken') this.#waiting = [];
    if (isNews) this.#ports.onDidFail(failure);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
