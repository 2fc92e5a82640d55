/** Turns events that several running jobs push into one sequence to be read. Knows nothing of what they are. */
export class EventQueue<T> {
  #waiting: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** After `close` nothing is taken in any more. */
  push(value: T): void {
    if (this.#closed) return;
    this.#waiting.push(value);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** All that was and will be pushed, in order, until closed. For one reader. */
  async *read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const values = this.#waiting;
      this.#waiting = [];
      yield* values;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}
