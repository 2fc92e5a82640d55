/** The wait before a request is sent again: over after its time, when the turn is stopped, and as soon as the person wants no more of it. */
import type { CancelSignal } from '../../core/cancel.ts';

export class ResendWait {
  #end: () => void = () => undefined;

  /** Never rejects. */
  start(milliseconds: number, signal: CancelSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#end = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      this.#end = end;
    });
  }

  /** Ends the one that goes on, if any. */
  endNow(): void {
    this.#end();
  }
}
