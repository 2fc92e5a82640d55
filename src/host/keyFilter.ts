/**
 * Takes the key out of what a server says: some repeat it in their errors, and some gateways show the whole request. Knows no
 * connection.
 */

/** Stands in place of the key. */
const mask = '••••••••';

/** Shorter keys are not accepted, and words would pass for them. */
const shortest = 8;

export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < shortest ? text : text.replaceAll(key, mask);
}

/** For text that comes in pieces: the key may be cut in two by them. */
export class KeyFilter {
  readonly #key: string;
  /** What may be the beginning of the key. */
  #held = '';

  constructor(key: string | undefined) {
    this.#key = key === undefined || key.length < shortest ? '' : key;
  }

  /** Without the key, and without an end that may become one. */
  feed(text: string): string {
    if (this.#key === '') return text;
    const clean = withoutKey(this.#held + text, this.#key);
    let length = Math.min(this.#key.length - 1, clean.length);
    while (length > 0 && !clean.endsWith(this.#key.slice(0, length))) length -= 1;
    this.#held = clean.slice(clean.length - length);
    return clean.slice(0, clean.length - length);
  }

  /** What was held back and turned out not to be the key. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
