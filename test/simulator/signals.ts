/** Waiting for an abort signal, alone or beside a timer. */

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves after so long, or when the signal is aborted. */
export async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
  if (gone.aborted || milliseconds <= 0) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    gone.addEventListener('abort', done);
  });
}
