/** What the core needs to know of a cancellation. The platform's `AbortSignal` fits; the core itself names no platform type. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What the work resolves with, or undefined as soon as the signal is aborted: the work need not heed it, and is let go. */
export function untilAborted<T>(work: Promise<T>, signal: CancelSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    // Starting the work may have aborted it.
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
