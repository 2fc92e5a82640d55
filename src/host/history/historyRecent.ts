/** The conversations that changed last, for panels in which nothing was asked yet. Looks for them only while such a panel is shown. */
import * as vscode from 'vscode';

import type { RecentConversation } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import { shortTitle } from '../sessions/conversationTitle.ts';
import type { HistoryEntry } from './historyEntries.ts';
import { HistoryList } from './historyList.ts';
import type { HistoryParts } from './historyParts.ts';
import { isEmpty } from '../sessions/sessions.ts';

const most = 3;
/** Milliseconds between two looks: of thousands of conversations each costs some time on the disk. */
const restTime = 1_000;

export class RecentConversations implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: Pick<HistoryParts, 'sessions' | 'kept' | 'queue' | 'clock' | 'log'>;
  readonly #list: HistoryList;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  #current: readonly RecentConversation[] = [];
  #isStale = true;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** `current` is another. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: Pick<HistoryParts, 'sessions' | 'kept' | 'queue' | 'clock' | 'log'>) {
    this.#parts = parts;
    this.#list = new HistoryList(parts);
    const { sessions, kept, queue } = parts;
    const stale = (): void => {
      this.#isStale = true;
      this.#lookSoon();
    };
    if (kept !== undefined) this.#store.add(kept.store.onDidChange(stale));
    for (const event of [sessions.onDidAsk, sessions.onDidEndTurn, sessions.onDidClose])
      this.#store.add((event as vscode.Event<unknown>)(stale));
    if (queue !== undefined) this.#store.add(queue.onDidChange(stale));
    this.#store.add(sessions.onDidShow(stale));
    this.#lookSoon(0);
  }

  /** As they were found last, the newest first. */
  get current(): readonly RecentConversation[] {
    return this.#current;
  }

  /** Resolves when everything that happened until now is looked through. */
  async whenLooked(): Promise<void> {
    if (this.#timer !== undefined) this.#lookNow();
    await this.#looking;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #lookSoon(rest = restTime): void {
    if (this.#store.isDisposed) return;
    this.#timer ??= setTimeout(() => this.#lookNow(), rest);
  }

  #lookNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#looking = this.#look().catch((error: unknown) => this.#parts.log.bug('conversations', error));
  }

  async #look(): Promise<void> {
    const { sessions } = this.#parts;
    const isWanted = sessions.all.some((session) => isEmpty(session) && sessions.isShown(session));
    if (!isWanted || !this.#isStale || this.#store.isDisposed) return;
    this.#isStale = false;
    const found = (await this.#list.own()).slice(0, most).map(recentOf);
    if (this.#store.isDisposed || JSON.stringify(found) === JSON.stringify(this.#current)) return;
    this.#current = found;
    this.#changed.fire();
  }
}

function recentOf({ id, title, changedAt: at, state }: HistoryEntry): RecentConversation {
  return {
    ...{ id, title: shortTitle(title), at },
    ...(state !== undefined && state !== 'unanswered' && { state }),
  };
}
