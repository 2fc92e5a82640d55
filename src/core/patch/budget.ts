/**
 * A bound on the work of placing one patch. Real patches use a small part of it; it is there for texts made to be slow (many hunks
 * of lines that repeat everywhere). Running out is a typed end, not a guess.
 */

/** A unit is worth about five nanoseconds, so the whole is a good fifth of a second. */
const allowance = 50_000_000;

export class Budget {
  #left: number;

  constructor(units = allowance) {
    this.#left = units;
  }

  /** False from the moment on at which more was asked for than is there. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  /** More work is allowed, since there is more to do: keeps the whole in proportion to the texts. */
  allow(units: number): void {
    this.#left += units;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
