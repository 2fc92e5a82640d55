/** A set of line keys that can be asked for a stretch of a text without cutting it out. Knows nothing of files and patches. */

/** Keys looked at to learn where they differ. */
const sampleSize = 64;
const probeReach = 48;
const probeCount = 8;
/** Slots for each key, in powers of two between these bounds: few enough to be cheap, enough to be mostly empty. */
const slotsPerKey = 64;
const minSlots = 1 << 8;
const maxSlots = 1 << 16;
/** Keys made to fall into one slot would cost a walk along all of them for every line; from here on the platform's hash decides. */
const longChain = 16;

/**
 * Most lines of a file are none of the keys, and that has to be found out in a few steps. The slot of a line follows from its length
 * and from those few characters, counted from the start or from the end, in which the keys differ most: lines that look alike
 * (`value17 = …`, `value18 = …`) differ just there. Keys that fall into one slot form a chain.
 */
export class KeyTable {
  /** `keys[id - 1]`. */
  readonly #keys: readonly string[];
  /** Offsets from the start; negative ones from the end. */
  readonly #probes: Int32Array;
  /** First id of a slot's chain, and the id behind each id; 0 ends it. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  /** For every length up to the longest key's whether a key has it. */
  readonly #lengths: Uint8Array;
  #ids: Map<string, number> | undefined;

  /**
   * Ids count from 1 in the order of the keys, which must be distinct. `others` are some of the lines that will be asked for: lines
   * often differ from the keys in a place where the keys do not differ from each other.
   */
  constructor(keys: readonly string[], others: readonly string[] = []) {
    this.#keys = keys;
    this.#probes = chooseProbes(keys, others);
    let slots = minSlots;
    while (slots < maxSlots && slots < keys.length * slotsPerKey) slots *= 2;
    this.#first = new Int32Array(slots);
    this.#next = new Int32Array(keys.length + 1);
    this.#lengths = new Uint8Array(keys.reduce((longest, key) => Math.max(longest, key.length), 0) + 1);
    for (const [index, key] of keys.entries()) {
      const slot = this.#slot(key, 0, key.length);
      this.#next[index + 1] = this.#first[slot] as number;
      this.#first[slot] = index + 1;
      this.#lengths[key.length] = 1;
    }
  }

  /** The id of the key that equals `text[start, end)`, or 0. */
  find(text: string, start: number, end: number): number {
    if (this.#lengths[end - start] !== 1) return 0;
    let id = this.#first[this.#slot(text, start, end)] as number;
    for (let steps = 0; id !== 0; steps += 1) {
      if (steps === longChain) return this.#findByHash(text.slice(start, end));
      const key = this.#keys[id - 1] as string;
      if (key.length === end - start && text.startsWith(key, start)) return id;
      id = this.#next[id] as number;
    }
    return 0;
  }

  #findByHash(key: string): number {
    this.#ids ??= new Map(this.#keys.map((known, index) => [known, index + 1]));
    return this.#ids.get(key) ?? 0;
  }

  #slot(text: string, start: number, end: number): number {
    const length = end - start;
    const probes = this.#probes;
    let hash = length;
    for (let index = 0; index < probeCount; index += 1) {
      const probe = probes[index] as number;
      const at = probe < 0 ? length + probe : probe;
      hash = Math.imul(hash, 0x01000193) ^ (at >= 0 && at < length ? text.charCodeAt(start + at) : 0);
    }
    hash = Math.imul(hash, 0x9e3779b1);
    return (hash ^ (hash >>> 15)) & (this.#first.length - 1);
  }
}

/** The offsets at which a sample of the keys, together with the other lines, has most different characters. */
function chooseProbes(keys: readonly string[], others: readonly string[]): Int32Array {
  const step = Math.max(1, Math.floor(keys.length / sampleSize));
  const sample = [...keys.filter((_, index) => index % step === 0), ...others];
  // Which probe has met a character last, so that nothing has to be cleared.
  const metBy = new Int32Array(256);
  const variety: { probe: number; met: number }[] = [];
  for (let probe = -probeReach; probe < probeReach; probe += 1) {
    const mark = probe + probeReach + 1;
    let met = 0;
    for (const key of sample) {
      const at = probe < 0 ? key.length + probe : probe;
      const code = at >= 0 && at < key.length ? key.charCodeAt(at) & 255 : 0;
      if (metBy[code] === mark) continue;
      metBy[code] = mark;
      met += 1;
    }
    variety.push({ probe, met });
  }
  variety.sort((one, other) => other.met - one.met);
  return Int32Array.from(variety.slice(0, probeCount), ({ probe }) => probe);
}
