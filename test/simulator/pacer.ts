/** How fast an answer comes. */
import type { Pace } from './script.ts';
import { pause } from './signals.ts';

/** Waits as long as a model would take for so many tokens. */
export class Pacer {
  readonly #pace: Pace | undefined;
  readonly #gone: AbortSignal;
  #thought = false;

  constructor(pace: Pace | undefined, gone: AbortSignal) {
    this.#pace = pace;
    this.#gone = gone;
  }

  async before(tokens: number): Promise<void> {
    if (this.#pace === undefined || tokens === 0) return;
    let wait = (1000 * tokens) / this.#pace.tokensPerSecond;
    if (!this.#thought) {
      this.#thought = true;
      wait += this.#pace.thinkFor ?? 0;
    }
    await pause(wait, this.#gone);
  }
}
