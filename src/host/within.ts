/** Waits for something no longer than a while. */

/** Resolves as `work` does, or with `late` when that takes more than so many milliseconds. Rejects when `work` does before. */
export async function within<T, L>(work: PromiseLike<T>, milliseconds: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, milliseconds, late);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
