/** Binary search in ascending numbers. */

/** Index of the first number that is at least `value`; the length where there is none. */
export function firstAtLeast(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
