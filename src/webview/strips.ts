/** Cuts a list that is long and mostly stays as it is into strips that keep their identity, so that views pass over them unseen. */

export class Strips<T> {
  readonly #size: number;
  #list: readonly T[] = [];
  #strips: readonly (readonly T[])[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Strips of the list, all of them full but the last one. One is the same value as before while the same members are in it. */
  of(list: readonly T[]): readonly (readonly T[])[] {
    if (list === this.#list) return this.#strips;
    const size = this.#size;
    const strips: (readonly T[])[] = [];
    for (let from = 0; from < list.length; from += size) {
      const to = Math.min(list.length, from + size);
      const before = this.#strips[from / size];
      strips.push(before?.length === to - from && this.#same(list, from, to) ? before : list.slice(from, to));
    }
    const all =
      strips.length === this.#strips.length && strips.every((strip, at) => strip === this.#strips[at]);
    this.#list = list;
    if (!all) this.#strips = strips;
    return this.#strips;
  }

  #same(list: readonly T[], from: number, to: number): boolean {
    for (let at = from; at < to; at += 1) if (list[at] !== this.#list[at]) return false;
    return true;
  }
}
