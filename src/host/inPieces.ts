/** Does long work piece by piece, so that the extension host goes on with everything else meanwhile. Knows nothing of the work. */

/** Milliseconds after which something else has its turn. */
const longest = 15;

/** Resolves when what waits in the extension host has had its turn. */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * What the work comes to; undefined when it was called off. Rejects as the work throws.
 * @param isCancelled asked between pieces
 */
export async function inPieces<T>(
  work: Generator<unknown, T>,
  isCancelled: () => boolean,
): Promise<T | undefined> {
  let until = performance.now() + longest;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await othersFirst();
    if (isCancelled()) return undefined;
    until = performance.now() + longest;
  }
}
