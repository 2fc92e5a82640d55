/** What is being attached at the moment, so that a question that is sent meanwhile has it. Knows no chips. */
import { within } from '../within.ts';

/** Milliseconds that a question waits for it at most: files may lie far away. */
const longestWait = 5_000;

export class AttachingNow {
  readonly #running = new Set<PromiseLike<unknown>>();
  readonly #limit: number;

  /** @param limit in milliseconds; only tests give another */
  constructor(limit = longestWait) {
    this.#limit = limit;
  }

  /** Returns what it is given. */
  watch<T extends PromiseLike<unknown> | undefined>(attaching: T): T {
    if (attaching === undefined) return attaching;
    this.#running.add(attaching);
    const done = (): void => {
      this.#running.delete(attaching);
    };
    attaching.then(done, done);
    return attaching;
  }

  /** Undefined when nothing is being attached; else whether all that is by now is attached within the limit, or could not be. */
  settled(): Promise<boolean> | undefined {
    if (this.#running.size === 0) return undefined;
    const all = Promise.allSettled([...this.#running]).then(() => true);
    return within(all, this.#limit, false);
  }
}
