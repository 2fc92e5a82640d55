/**
 * Puts the rows of the list into VS Code's, and knows which of them are there: what is pressed VS Code tells by the place of its row, and until
 * it has drawn the rows that were set last, that is a place among those before. Knows nothing of what the rows say.
 */
import { isDeepStrictEqual } from 'node:util';

import * as vscode from 'vscode';

import type { HistoryItem } from './historyItems.ts';

export class ShownRows {
  readonly #pick: vscode.QuickPick<HistoryItem>;
  readonly #ready: () => void;
  #rows: readonly HistoryItem[] = [];
  /** Those that are there until these are; absent when these are. */
  #before: readonly HistoryItem[] | undefined;
  /** What was typed when those were set that are there. */
  #query: string | undefined;

  /** @param ready told when rows that were set are there */
  constructor(pick: vscode.QuickPick<HistoryItem>, ready: () => void) {
    this.#pick = pick;
    this.#ready = ready;
  }

  /** Rows can be set: one after the other, for with more of them on their way none could tell which of them a place is in. */
  get isReady(): boolean {
    return this.#before === undefined;
  }

  /** What is there was set for what is typed now. */
  get isUpToDate(): boolean {
    return this.#query === this.#pick.value;
  }

  /** The row that is meant by what VS Code tells. */
  meant(item: HistoryItem | undefined): HistoryItem | undefined {
    if (this.#before === undefined || item === undefined) return item;
    return this.#before[this.#rows.indexOf(item)];
  }

  /**
   * Who is at a row stays there, or comes to the next when it is gone. Who types goes on from the first row, which is left to VS Code: it has
   * an order of its own while something is typed.
   *
   * @param wanted where the person is to be put, by the id of its conversation
   */
  set(rows: readonly HistoryItem[], wanted?: string): void {
    const pick = this.#pick;
    const query = pick.value;
    const before = this.#rows;
    // What is drawn anew loses the focus of a row's button.
    if (isDeepStrictEqual(rows, before)) {
      this.#query = query;
      return;
    }
    const id = wanted ?? (query === this.#query ? pick.activeItems[0]?.entry?.id : undefined);
    const next = id === undefined ? undefined : nearest(id, rows, query === '' ? before : []);
    this.#rows = rows;
    this.#before = before;
    pick.keepScrollPosition = next !== undefined;
    pick.items = rows;
    if (next !== undefined) pick.activeItems = [next];
    void this.#areDrawn().then(() => {
      this.#before = undefined;
      this.#query = query;
      this.#ready();
    });
  }

  /** Resolves when VS Code has drawn what was set: it does what it is told one after the other, and answers to a command. */
  async #areDrawn(): Promise<void> {
    // What is set is told to it in a timer of this length.
    await new Promise((resolve) => setTimeout(resolve, 0));
    await vscode.commands
      .executeCommand('setContext', 'kimiChat.rowsDrawn', true)
      .then(undefined, () => undefined);
  }
}

/** The row of this conversation; where it is gone, the one that came after it, or else before it. */
function nearest(
  id: string,
  rows: readonly HistoryItem[],
  before: readonly HistoryItem[],
): HistoryItem | undefined {
  const at = before.findIndex(({ entry }) => entry?.id === id);
  const near = at < 0 ? [] : [...before.slice(at + 1), ...before.slice(0, at).toReversed()];
  for (const one of [id, ...near.flatMap(({ entry }) => entry?.id ?? [])]) {
    const row = rows.find(({ entry }) => entry?.id === one);
    if (row !== undefined) return row;
  }
  return undefined;
}
