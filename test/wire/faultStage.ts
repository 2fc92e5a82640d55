/**
 * What tests of faults need: a model that tells how far its answer was read, the watchdog's clock held by the test, and a count of
 * everything that a turn has to give back.
 */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

import type { ModelPort } from '../../src/core/conversation/modelPort.ts';
import type { KimiClient } from '../../src/host/kimiClient.ts';

/** As the client's setting: no other timer has this length, so that the watchdog's can be told from all others. */
export const heldSilence = 54_321;

/** While installed the watchdog's timers run only when the test says so. All others are left alone. */
export class HeldTimers {
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #held = new Map<unknown, () => void>();
  #watchers: (() => void)[] = [];

  install(): void {
    const real = this.#setTimeout;
    globalThis.setTimeout = ((callback: () => void, milliseconds?: number, ...rest: []) => {
      if (milliseconds !== heldSilence * 1000) return real(callback, milliseconds, ...rest);
      const handle = {};
      this.#held.set(handle, callback);
      for (const tell of this.#watchers.splice(0)) tell();
      return handle;
    }) as typeof globalThis.setTimeout;
    globalThis.clearTimeout = ((handle: NodeJS.Timeout | undefined) => {
      if (!this.#held.delete(handle)) this.#clearTimeout.call(globalThis, handle);
    }) as typeof globalThis.clearTimeout;
  }

  uninstall(): void {
    globalThis.setTimeout = this.#setTimeout;
    globalThis.clearTimeout = this.#clearTimeout;
  }

  get count(): number {
    return this.#held.size;
  }

  /** Waits until the watchdog waits, and lets its time pass. */
  async fire(): Promise<void> {
    if (this.#held.size === 0) await new Promise<void>((tell) => this.#watchers.push(tell));
    const [entry] = this.#held;
    assert.ok(entry !== undefined && this.#held.size === 1);
    this.#held.delete(entry[0]);
    entry[1]();
  }
}

/** The client, telling when the reader has taken so much of an answer and wants more. */
export class TappedModel implements ModelPort {
  readonly #client: KimiClient;
  #characters = 0;
  #wanted = 0;
  #reached = Promise.withResolvers<void>();

  constructor(client: KimiClient) {
    this.#client = client;
  }

  /** Resolves when that many characters of the next answer have been read. */
  expect(characters: number): Promise<void> {
    this.#characters = 0;
    this.#wanted = characters;
    this.#reached = Promise.withResolvers();
    return this.#reached.promise;
  }

  async *send(...args: Parameters<ModelPort['send']>): ReturnType<KimiClient['send']> {
    for await (const chunk of this.#client.send(...args)) {
      if (chunk.kind === 'text') this.#characters += chunk.text.length;
      yield chunk;
      this.answered();
    }
  }

  /** To be called when the head of an answer has come, too: nothing more may be expected. */
  answered(): void {
    if (this.#characters >= this.#wanted) this.#reached.resolve();
  }

  origin(): string | undefined {
    return this.#client.origin();
  }
}

/** What keeps the process alive, by kind. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Sockets, timers and other handles, counted when it is made and again when it is asked. */
export class Ledger {
  readonly #before = resources();
  readonly #signals: AbortSignal[] = [];

  /** A test runner sets a timer of its own once a promise is awaited: it is to be on both sides of the count. */
  static async open(): Promise<Ledger> {
    await turnOfTheLoop();
    return new Ledger();
  }

  watch(signal: AbortSignal): AbortSignal {
    this.#signals.push(signal);
    return signal;
  }

  /** Handles close a few turns of the loop after they were told to. */
  async allGivenBack(): Promise<void> {
    for (let turn = 0; turn < 200 && this.#left().length > 0; turn++) await turnOfTheLoop();
    assert.deepEqual(this.#left(), []);
    for (const signal of this.#signals)
      assert.equal(getEventListeners(signal, 'abort').length, 0, 'listeners');
  }

  #left(): readonly string[] {
    return [...resources()].flatMap(([kind, count]) => {
      // What the test itself waits with.
      if (kind === 'Immediate') return [];
      const more = count - (this.#before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  }
}
