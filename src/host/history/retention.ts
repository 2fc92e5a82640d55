/**
 * Deletes what was kept for long enough: conversations older than the person wants to keep, in all workspaces, and what was put aside a while
 * ago. What is too old is put aside first, and has to be so for a week: when the clock is found to have been wrong, it is had back. Looks some
 * time after the window has opened, and then now and again. Shows nothing; never takes what is open, pinned, or has a patch that waits.
 */
import type * as vscode from 'vscode';

import type { JournalStore } from '../journal/journalStore.ts';
import { withOtherStore } from '../journal/otherStore.ts';
import type { Log } from '../log.ts';
import type { HistoryFolders } from './historyFolders.ts';

const day = 86_400_000;
/** Milliseconds that a deleted conversation can be had back. */
export const trashTime = 30 * day;
/** Milliseconds that a conversation that is too old is still there, in case that the clock was wrong. */
export const doubtTime = 7 * day;
/** Milliseconds: the window has better things to do when it opens. */
const firstLook = 60_000;
const lookAgain = 6 * 3_600_000;

export interface RetentionParts {
  /** Of the conversations of this workspace. */
  readonly store: Pick<JournalStore, 'retire' | 'clearOld' | 'emptyTrash'>;
  /** In which they are. */
  readonly folder: string;
  readonly folders?: Pick<HistoryFolders, 'others'>;
  /** Days after their last change that conversations are kept; 0 is for ever. */
  readonly days: () => number;
  readonly clock: () => number;
  readonly log: Log;
}

export class Retention implements vscode.Disposable {
  readonly #parts: RetentionParts;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#lookIn(firstLook);
  }

  /**
   * Takes away what is due. Never rejects.
   * @returns how many conversations that were in the list before
   */
  async run(): Promise<number> {
    const { store, folder, folders, clock, log } = this.#parts;
    let count = 0;
    try {
      count += await this.#retire(store);
      for (const other of (await folders?.others(folder)) ?? []) {
        if (this.#isDisposed) break;
        count += await withOtherStore(other.folder, clock, (each) => this.#retire(each));
      }
    } catch (error) {
      log.bug('deleting what is old', error);
    }
    if (count > 0)
      log.info('Conversations were put aside that were older than the settings keep them', { count });
    return count;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #lookIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      void this.run().then(() => {
        if (!this.#isDisposed) this.#lookIn(lookAgain);
      });
    }, milliseconds);
  }

  async #retire(store: RetentionParts['store']): Promise<number> {
    const { days, clock } = this.#parts;
    const now = clock();
    await store.emptyTrash(now - trashTime);
    const kept = days();
    const isForEver = !(kept > 0);
    // What was put aside at a time that is yet to come was not old. Who keeps everything wants what is still there.
    await store.clearOld(isForEver ? { gone: 0, back: 0 } : { gone: now - doubtTime, back: now });
    return isForEver ? 0 : await store.retire(now - kept * day);
  }
}
