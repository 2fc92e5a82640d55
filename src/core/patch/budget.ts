/**
 * A bound on the work of placing one patch. Real patches use a small part of it; it is there for texts made to be slow (many hunks
 * of lines that repeat everywhere). Running out is a typed end, not a guess.
 */

/** A unit is about the cost of comparing two numbers; the whole is well under a second. */
const allowance = 100_000_000;

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

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
