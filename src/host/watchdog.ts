/** Notices silence: time spent waiting for the other side, not time that our own side takes to read. */
export class Watchdog {
  readonly #milliseconds: number;
  readonly #onSilence: () => void;
  #fired = false;

  /** 0 milliseconds switches it off. `onSilence` is called at most once, and must make what is awaited settle. */
  constructor(milliseconds: number, onSilence: () => void) {
    this.#milliseconds = milliseconds;
    this.#onSilence = onSilence;
  }

  get fired(): boolean {
    return this.#fired;
  }

  async over<T>(waiting: Promise<T>): Promise<T> {
    if (this.#milliseconds <= 0) return await waiting;
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Where this process, or the machine, stood still, what came meanwhile is read only after the timers that ran out.
      immediate = setImmediate(() => {
        this.#fired = true;
        this.#onSilence();
      });
    }, this.#milliseconds);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      clearImmediate(immediate);
    }
  }
}
