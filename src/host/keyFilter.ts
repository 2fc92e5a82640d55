/**
 * Takes the key out of what a server says (some repeat it in their errors, and some gateways show the whole request), and out of what
 * it is told. Knows no connection.
 */

/** Stands in place of the key. */
const mask = '••••••••';

/** Shorter keys are not accepted, and words would pass for them. */
const shortest = 8;

export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < shortest ? text : text.replaceAll(key, mask);
}

/** Of one that begins as another does nothing is left either. */
export function withoutKeys(text: string, keys: Iterable<string>): string {
  return [...keys].toSorted((one, other) => other.length - one.length).reduce(withoutKey, text);
}

/** As `withoutKeys`, of JSON: the quotes and the backslashes of a key are escaped there. */
export function withoutKeysInJson(json: string, keys: Iterable<string>): string {
  return withoutKeys(
    json,
    Array.from(keys, (key) => JSON.stringify(key).slice(1, -1)),
  );
}

/** The keys that requests carried since the window opened, so that nothing that is sent or shown of them holds one. */
export class KeysSent {
  readonly #keys = new Set<string>();

  add(key: string): void {
    this.#keys.add(key);
  }

  /** Also for what the person wrote: a key that they typed in the wrong place goes nowhere else. */
  without(text: string, others: Iterable<string> = []): string {
    return withoutKeys(text, [...this.#keys, ...others]);
  }
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
    const from = beginningOf(this.#key, clean);
    this.#held = clean.slice(from);
    return from === clean.length ? clean : clean.slice(0, from);
  }

  /** What was held back and turned out not to be the key. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Where in the text a beginning of the key stands that goes to its end; the text's length when there is none. */
function beginningOf(key: string, text: string): number {
  const [first = ''] = key;
  for (let at = text.length - key.length + 1; ; at++) {
    at = text.indexOf(first, at);
    if (at === -1) return text.length;
    if (key.startsWith(text.slice(at))) return at;
  }
}
