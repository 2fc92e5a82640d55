/** Counts what the product holds at a moment: things owned by its stores, listeners on its emitters, timers. Must not know what for. */
import * as vscode from 'vscode';

import { DisposableStore } from '../../src/host/disposables.ts';

export interface Count {
  readonly owned: number;
  readonly listeners: number;
  readonly timers: number;
}

/**
 * Everything made while it is open is counted, and of listeners and timers only those that code of ours made: VS Code, mocha and the
 * simulator live in the same process.
 */
export class Census {
  readonly #stores = new Set<DisposableStore>();
  readonly #listeners = new Set<object>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #restore: (() => void)[] = [];

  constructor() {
    this.#countStores();
    this.#countListeners();
    this.#countTimers();
  }

  get now(): Count {
    let owned = 0;
    for (const store of this.#stores) owned += store.size;
    return { owned, listeners: this.#listeners.size, timers: this.#timers.size };
  }

  close(): void {
    for (const restore of this.#restore) restore();
  }

  #countStores(): void {
    const stores = this.#stores;
    const { add } = DisposableStore.prototype;
    DisposableStore.prototype.add = function count(this: DisposableStore, one) {
      stores.add(this);
      return add.call(this, one) as typeof one;
    };
    this.#restore.push(() => {
      DisposableStore.prototype.add = add;
    });
  }

  #countListeners(): void {
    const { prototype } = vscode.EventEmitter;
    const original = Object.getOwnPropertyDescriptor(prototype, 'event');
    if (original?.get === undefined) throw new Error('an emitter of VS Code has no getter `event`');
    const listeners = this.#listeners;
    const read = original.get;
    Object.defineProperty(prototype, 'event', {
      ...original,
      get(this: vscode.EventEmitter<unknown>): vscode.Event<unknown> {
        const event = read.call(this) as vscode.Event<unknown>;
        return (listener, thisArgs, disposables) => {
          const real = event(listener, thisArgs, disposables);
          if (!isOurs()) return real;
          const entry = {};
          listeners.add(entry);
          return new vscode.Disposable(() => {
            listeners.delete(entry);
            real.dispose();
          });
        };
      },
    });
    this.#restore.push(() => Object.defineProperty(prototype, 'event', original));
  }

  #countTimers(): void {
    const timers = this.#timers;
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const counting = (
      then: (...values: unknown[]) => void,
      ...rest: [number?, ...unknown[]]
    ): NodeJS.Timeout => {
      const [milliseconds, ...values] = rest;
      const timer: NodeJS.Timeout = set(
        (...passed: unknown[]) => {
          timers.delete(timer);
          then(...passed);
        },
        milliseconds,
        ...values,
      );
      if (isOurs()) timers.add(timer);
      return timer;
    };
    const clearing = (timer?: NodeJS.Timeout | string | number): void => {
      if (typeof timer === 'object') timers.delete(timer);
      clear(timer);
    };
    globalThis.setTimeout = Object.assign(counting, set);
    globalThis.clearTimeout = clearing;
    this.#restore.push(() => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    });
  }
}

/** Whether whoever called what is counted stands in the bundle that holds the product and these tests. */
function isOurs(): boolean {
  return new Error().stack?.split('\n')[3]?.includes('host.cjs') === true;
}
