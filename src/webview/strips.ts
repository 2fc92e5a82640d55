/**
 * Cuts a list that is long and mostly stays as it is into strips that keep their identity, so that views pass over them unseen. It may grow at
 * both ends.
 */

export class Strips<T> {
  readonly #size: number;
  #list: readonly T[] = [];
  #strips: readonly (readonly T[])[] = [];
  /** How long the first strip is, when it is not full: what came before the list was cut first. */
  #head = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Strips of the list, all of them full but the last one and, when something came in front, the first. One is the same value as before while
   * the same members are in it.
   */
  of(list: readonly T[]): readonly (readonly T[])[] {
    if (list === this.#list) return this.#strips;
    const size = this.#size;
    const added = this.#addedInFront(list);
    const before = new Map<number, readonly T[]>();
    let start = added ?? 0;
    for (const strip of this.#strips) {
      before.set(start, strip);
      start += strip.length;
    }
    this.#head = added === undefined ? 0 : (this.#head + added) % size;
    const strips: (readonly T[])[] = [];
    for (let from = 0; from < list.length;) {
      const to = Math.min(list.length, from === 0 && this.#head > 0 ? this.#head : from + size);
      const known = before.get(from);
      strips.push(known?.length === to - from && isAt(known, list, from) ? known : list.slice(from, to));
      from = to;
    }
    const all =
      strips.length === this.#strips.length && strips.every((strip, at) => strip === this.#strips[at]);
    this.#list = list;
    if (!all) this.#strips = strips;
    return this.#strips;
  }

  /** Undefined when it is another list. */
  #addedInFront(list: readonly T[]): number | undefined {
    const before = this.#list;
    const [first] = before;
    if (first === undefined || list[0] === first) return 0;
    const at = list.indexOf(first);
    if (at !== -1) return at;
    // The first one itself may have changed meanwhile.
    const last = list.lastIndexOf(before.at(-1)!);
    const added = last === -1 ? list.length - before.length : last - (before.length - 1);
    return added < 0 || (last === -1 && added !== 0) ? undefined : added;
  }
}

function isAt<T>(strip: readonly T[], list: readonly T[], from: number): boolean {
  return strip.every((member, at) => member === list[from + at]);
}
