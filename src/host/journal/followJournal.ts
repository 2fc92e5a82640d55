/**
 * Reads on in a journal that somebody else writes to, as it grows. Knows nothing of what the lines say, and nothing of VS Code. What watches
 * files misses some changes, on disks that lie far away all of them: it looks by itself as well.
 */
import { watch, type FSWatcher } from 'node:fs';
import { open } from 'node:fs/promises';

import { chunksOf } from './chunks.ts';

export interface FollowPorts {
  /** Lines that were ended since, without their ends, in their order. */
  onLines(lines: readonly string[]): void;
  /** What was read is no longer what stands there, or it is gone. Nothing more is told. */
  onDidBreak(): void;
}

/** Milliseconds after which it is looked again. */
const interval = 1_000;
const lineEnd = 0x0a;

export class FollowedJournal {
  readonly #path: string;
  readonly #ports: FollowPorts;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  /** Bytes that were read. */
  #read: number;
  /** Of them those of a line that is not ended yet. */
  #rest: readonly Buffer[] = [];
  #looking: Promise<void> | undefined;
  /** Something may have come while it was being looked. */
  #isStale = false;
  #isDisposed = false;

  /** @param from bytes that are known: where the first line begins that is to be told */
  constructor(path: string, from: number, ports: FollowPorts) {
    this.#path = path;
    this.#read = from;
    this.#ports = ports;
    this.#timer = setInterval(() => void this.look(), interval).unref();
    try {
      this.#watcher = watch(path, { persistent: false }, () => void this.look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Then it is found a moment later.
    }
    void this.look();
  }

  /** Resolves when everything that was there when it was called is told. Never rejects. */
  async look(): Promise<void> {
    this.#isStale = true;
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  async #lookOn(): Promise<void> {
    while (this.#isStale && !this.#isDisposed) {
      this.#isStale = false;
      try {
        await this.#readOn();
      } catch {
        this.#break();
      }
    }
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path, 'r');
    try {
      // Who could not write a whole line takes it back: then the next line stands where that was.
      if ((await file.stat()).size < this.#read) return this.#break();
      for await (const bytes of chunksOf(file, this.#read)) {
        if (this.#isDisposed) return;
        this.#read += bytes.length;
        this.#take(bytes);
      }
    } finally {
      await file.close();
    }
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(lineEnd);
    if (end === -1) {
      this.#rest = [...this.#rest, bytes];
      return;
    }
    const text = Buffer.concat([...this.#rest, bytes.subarray(0, end)]).toString('utf8');
    this.#rest = end + 1 < bytes.length ? [bytes.subarray(end + 1)] : [];
    this.#ports.onLines(text.split('\n'));
  }

  #break(): void {
    if (this.#isDisposed) return;
    this.dispose();
    this.#ports.onDidBreak();
  }
}
