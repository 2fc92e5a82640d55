/**
 * Looks now and then whether files that wait have been written. Watchers see nothing on many network drives, across the border of
 * WSL or a container, and at times in a folder that was made a moment ago. Reads no text and decides nothing.
 */
import * as vscode from 'vscode';

import { DisposableStore } from '../../disposables.ts';
import { fewAtOnce } from '../files/fewAtOnce.ts';
import type { PendingFile, Shown } from './pendingProposal.ts';
import type { WaitingProposals } from './waitingProposals.ts';

/** Between two glances, in milliseconds. */
const restTime = 2000;

/** How far back a file may have been written to be looked at closely at the first glance, in milliseconds: clocks of drives differ. */
const justNow = 60_000;

interface Sight {
  /** Another one when any of the places was written. */
  readonly key: string;
  /** When a file in them was written last, in milliseconds since 1970; undefined when there is none. */
  readonly written: number | undefined;
}

export class DiskGlances implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #waiting: WaitingProposals;
  readonly #look: (shown: Shown) => Promise<void>;
  readonly #came = new WeakMap<PendingFile, number>();
  readonly #seen = new WeakMap<PendingFile, string>();
  #timer: NodeJS.Timeout | undefined;
  #isGlancing = false;

  /** @param look is called for a file that may have been written since it was read or since the last glance; never rejects */
  constructor(waiting: WaitingProposals, look: (shown: Shown) => Promise<void>) {
    this.#waiting = waiting;
    this.#look = look;
    this.#store.add(waiting.onDidChange(() => this.#schedule(restTime)));
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        this.#stop();
        // The person may come from another program, which has written.
        if (focused) this.#schedule(0);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
    this.#stop();
  }

  /** No timer runs while nothing waits or the person is elsewhere. */
  #schedule(delay: number): void {
    if (this.#store.isDisposed) return;
    const files = this.#onDisk();
    for (const { file } of files) if (!this.#came.has(file)) this.#came.set(file, Date.now());
    if (files.length === 0 || !vscode.window.state.focused) return this.#stop();
    if (this.#timer !== undefined || this.#isGlancing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#glance();
    }, delay);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #glance(): Promise<void> {
    this.#isGlancing = true;
    try {
      await fewAtOnce(this.#onDisk(), async (shown) => {
        const sight = await sightOf(shown.file);
        if (!this.#store.isDisposed && this.#isNews(shown.file, sight)) await this.#look(shown);
      });
    } finally {
      this.#isGlancing = false;
      this.#schedule(restTime);
    }
  }

  #isNews(file: PendingFile, { key, written }: Sight): boolean {
    const before = this.#seen.get(file);
    this.#seen.set(file, key);
    if (before !== undefined) return key !== before;
    // Looking closely opens the file, which is dear for a patch to many: only where it may have been written since it was read.
    if (written === undefined) return file.edit.kind !== 'add';
    return written > (this.#came.get(file) ?? 0) - justNow;
  }

  /** Other file systems tell of their changes themselves, and asking them may cost a request each. */
  #onDisk(): Shown[] {
    return this.#waiting.open().filter(({ file }) => file.at.uri.scheme === 'file');
  }
}

async function sightOf({ at, to }: PendingFile): Promise<Sight> {
  const uris = [at.uri, ...(to === undefined ? [] : [to.uri])];
  const stats = await Promise.all(uris.map(statOf));
  const times = stats.flatMap((stat) => (stat === undefined ? [] : [stat.mtime]));
  return {
    key: JSON.stringify(uris.map((uri, index) => [uri.path, stats[index]?.mtime, stats[index]?.size])),
    written: times.length === 0 ? undefined : Math.max(...times),
  };
}

/** Undefined where nothing is, or nothing can be reached: looking closely tells which. */
async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}
