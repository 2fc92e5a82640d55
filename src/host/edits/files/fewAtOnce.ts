/** Does the same for many files, few at a time. Knows nothing of what is done. */

/**
 * VS Code closes documents that no editor shows when some fifty of them are open, the oldest first: of many that are opened at once it
 * closes the first before it hands them out, and opening them fails.
 */
const atOnce = 16;

/** The results in the order of the values. */
export async function fewAtOnce<T, R>(values: readonly T[], make: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < values.length; from += atOnce) {
    results.push(...(await Promise.all(values.slice(from, from + atOnce).map(make))));
  }
  return results;
}
