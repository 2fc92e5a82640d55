/** Divides bytes into writes. Whatever the cut, the writes joined are the bytes that went in. */
import type { Cut } from './script.ts';

/** Takes the bytes of one frame at a time and gives the writes that are due; `rest` gives what was held back. */
export class Cutter {
  readonly #cut: Cut;
  readonly #random: () => number;
  #held: Buffer = Buffer.alloc(0);
  #next: number;

  constructor(cut: Cut) {
    this.#cut = cut;
    this.#random = cut.kind === 'random' ? seededRandom(cut.seed) : () => 0;
    this.#next = this.#size();
  }

  /** A write may hold the end of one frame and the start of the next. */
  take(bytes: Buffer): readonly Buffer[] {
    if (this.#cut.kind === 'frames') return [bytes];
    let ready = Buffer.concat([this.#held, bytes]);
    const writes: Buffer[] = [];
    while (ready.length >= this.#next) {
      writes.push(ready.subarray(0, this.#next));
      ready = ready.subarray(this.#next);
      this.#next = this.#size();
    }
    this.#held = ready;
    return writes;
  }

  /** To be called at gates, breaks and the end: nothing stays behind. */
  rest(): readonly Buffer[] {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held.length === 0 ? [] : [held];
  }

  #size(): number {
    switch (this.#cut.kind) {
      case 'bytes':
        return Math.max(1, Math.floor(this.#cut.size));
      case 'random':
        return 1 + Math.floor(this.#random() * Math.max(1, this.#cut.max));
      case 'frames':
      case 'joined':
        return Infinity;
    }
  }
}

/** A small generator with a 32-bit state (mulberry32), so that a cut can be had again from its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
