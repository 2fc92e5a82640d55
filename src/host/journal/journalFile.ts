/**
 * One journal on the disk: appends lines, in order, and never writes over what is there. Knows nothing of what the lines say, nothing of
 * when they are written, and nothing of VS Code.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import { isThere } from '../isThere.ts';
import { chunksOf } from './chunks.ts';

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
  #writing: Promise<void> | undefined;
  #failure: JournalFailure | undefined;
  #isClosed = false;
  /** The file ends within a line that nobody finished. */
  #isTorn: boolean;

  /** @param size what was read of it, in bytes, when it was there; it is not written to when it has another size by then */
  constructor(
    path: string,
    ports: JournalFilePorts,
    read?: { readonly size: number; readonly isTorn: boolean },
  ) {
    this.#path = path;
    this.#ports = ports;
    this.#size = read?.size;
    this.#isTorn = read?.isTorn ?? false;
  }

  get failure(): JournalFailure | undefined {
    return this.#failure;
  }

  /** Nothing waits to be written. */
  get isWritten(): boolean {
    return this.#waiting.length === 0;
  }

  /** Bytes that are known to be in the file. */
  get size(): number {
    return this.#size ?? 0;
  }

  /** Lines without their ends. They are written with the next `flush` or `closeNow`. */
  append(lines: readonly string[]): void {
    if (this.#isClosed || this.#failure?.kind === 'taken') return;
    for (const line of lines) this.#waiting.push(line);
  }

  /** Resolves when everything so far is in the file, or could not be written. Never rejects. */
  async flush(): Promise<void> {
    // What came while something was being written goes after it, in one piece.
    while (this.#writing !== undefined) await this.#writing;
    if (this.#isClosed || this.#waiting.length === 0 || this.#failure?.kind === 'taken') return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes what waits and lets go of the file. For the end of the window, which waits for nobody: done when it returns. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Others close the handle when they are done with it.
    if (this.#writing === undefined) void this.#letGo();
    const bytes = Buffer.from(this.#takeText());
    if (bytes.length === 0 || this.#failure?.kind === 'taken') return;
    const isNew = this.#size === undefined;
    const size = this.#size ?? 0;
    try {
      if (isNew) mkdirSync(dirname(this.#path), { recursive: true });
      // What is just being written is written once more, the same bytes at the same place.
      const isOurs = this.#writing !== undefined;
      const { O_CREAT, O_EXCL, O_RDWR } = constants;
      const file = openSync(this.#path, O_RDWR | (isNew ? O_CREAT | (isOurs ? 0 : O_EXCL) : 0), 0o600);
      try {
        const now = fstatSync(file).size;
        if (now === size || (isOurs && now >= size && now <= size + bytes.length)) {
          for (let done = 0; done < bytes.length;) {
            done += writeSync(file, bytes, done, bytes.length - done, size + done);
          }
          this.#size = size + bytes.length;
          this.#waiting = [];
        } else this.#fail({ kind: 'taken' });
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.#fail(failureOf(error));
    }
  }

  /** As `flush`, and lets go of the file. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => undefined);
  }

  async #write(): Promise<void> {
    const count = this.#waiting.length;
    try {
      const handle = await this.#openThere();
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
      // Closed meanwhile: then everything was written at once, or told of.
      if (this.#isClosed) return;
      await this.#repair();
      this.#fail(failureOf(error));
    } finally {
      if (this.#isClosed) await this.#letGo();
    }
  }

  /** Its folder may have been removed under the window: what was in the file is still there as long as it is open, and is written anew. */
  async #openThere(): Promise<FileHandle> {
    const handle = await this.#open();
    if ((await handle.stat()).nlink > 0 || (await isThere(this.#path))) return handle;
    await mkdir(dirname(this.#path), { recursive: true });
    const anew = await open(this.#path, 'wx+', 0o600);
    try {
      await copyAll(handle, anew);
    } catch (error) {
      await anew.close();
      await rm(this.#path, { force: true });
      throw error;
    }
    this.#handle = anew;
    await handle.close();
    return anew;
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
    await this.#letGo();
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
}

async function copyAll(from: FileHandle, to: FileHandle): Promise<void> {
  let done = 0;
  for await (const bytes of chunksOf(from)) {
    await writeAll(to, bytes, done);
    done += bytes.length;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function failureOf(error: unknown): JournalFailure {
  const { code = 'unknown', syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Made by somebody else in the moment in which it was to begin.
  return code === 'EEXIST' && syscall === 'open' ? { kind: 'taken' } : { kind: 'failing', code };
}
