/**
 * Keeps API keys in the editor's secret storage, one for each origin. A key never leaves this file but to its own origin, and to whoever
 * looks for it in what is sent.
 */
import * as vscode from 'vscode';

import { DisposableStore } from './disposables.ts';

export class ApiKeys implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #secrets: vscode.SecretStorage;
  readonly #patience: number;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  /** Keys that could not be kept and live until the window closes. */
  readonly #unkept = new Map<string, string>();
  /** Those that were read or set since the window opened. */
  readonly #known = new Set<string>();

  /** Fires for changes in other windows too. */
  readonly onDidChange = this.#changed.event;

  /**
   * @param patience milliseconds after which a storage that does not answer counts as one that can't be read or written: some wait for
   *   a password of their own in a window that nobody sees
   */
  constructor(secrets: vscode.SecretStorage, patience = 30_000) {
    this.#secrets = secrets;
    this.#patience = patience;
    this.#store.add(
      secrets.onDidChange((event) => {
        if (!event.key.startsWith(prefix)) return;
        // What another window kept is newer than what this one could not keep.
        this.#unkept.delete(event.key.slice(prefix.length));
        this.#changed.fire();
      }),
    );
  }

  /** Reads anew each time: another window may have changed it. Rejects when the storage can't be read. */
  async get(origin: string): Promise<string | undefined> {
    const key = this.#unkept.get(origin) ?? (await this.#answer(this.#secrets.get(prefix + origin)));
    if (key !== undefined) this.#known.add(key);
    return key;
  }

  /** All that this window has met, so that they can be found in what is sent. */
  get known(): Iterable<string> {
    return this.#known;
  }

  /** Rejects when the storage can't be written (Linux without a keyring); then `useUntilClosed` is left. */
  async set(origin: string, key: string): Promise<void> {
    this.#known.add(key);
    await this.#answer(this.#secrets.store(prefix + origin, key));
    this.#unkept.delete(origin);
    this.#changed.fire();
  }

  useUntilClosed(origin: string, key: string): void {
    this.#known.add(key);
    this.#unkept.set(origin, key);
    this.#changed.fire();
  }

  /** False when there was no key. Rejects when the storage can't be written: a key that was kept is then still there. */
  async clear(origin: string): Promise<boolean> {
    const unkept = this.#unkept.delete(origin);
    if (unkept) this.#changed.fire();
    if (await this.#isEmpty(origin)) return unkept;
    await this.#answer(this.#secrets.delete(prefix + origin));
    this.#changed.fire();
    return true;
  }

  async #isEmpty(origin: string): Promise<boolean> {
    try {
      return (await this.#answer(this.#secrets.get(prefix + origin))) === undefined;
    } catch {
      // What can't be read may be there all the same.
      return false;
    }
  }

  async #answer<T>(answer: PromiseLike<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error('The secret storage does not answer.'));
      }, this.#patience);
    });
    try {
      return await Promise.race([answer, silent]);
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const prefix = 'kimiChat.apiKey:';
