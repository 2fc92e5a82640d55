/** Random choices of one case, from the seed of the run and the number of the case: the same two always make the same case. */
export class Chance {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = mixed(seed) ^ mixed(index + 0x9e37_79b9);
  }

  /** A whole number from 0 to below `limit`, 0 where that is none. */
  below(limit: number): number {
    return limit <= 0 ? 0 : Math.floor(this.#next() * limit);
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    // Lists here are never empty.
    return from[this.below(from.length)] as T;
  }

  /** Small numbers far more often than large ones. */
  few(most: number): number {
    return Math.floor(this.#next() ** 3 * (most + 1));
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.few(most) }, make);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    return (mixed(this.#state) >>> 0) / 2 ** 32;
  }
}

function mixed(value: number): number {
  let mix = value | 0;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85eb_ca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2_ae35);
  return mix ^ (mix >>> 16);
}
