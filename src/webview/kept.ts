/** What a person opened, folded or switched in the conversation, by the name of the place: it outlives the elements, which are there only near the screen. */
import { createContext } from 'preact';

/** So many places are remembered; beyond, those that were not touched for the longest time are as they were at first. */
const most = 20_000;

export class Kept {
  readonly #values = new Map<string, unknown>();
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Undefined when nothing was chosen there. */
  get(place: string): unknown {
    return this.#values.get(place);
  }

  set(place: string, value: unknown): void {
    if (Object.is(this.#values.get(place), value)) return;
    this.#values.delete(place);
    this.#values.set(place, value);
    if (this.#values.size > most) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    for (const tell of this.#watchers.get(place) ?? []) tell();
  }

  /** `tell` is called at each change, until what is returned is called. */
  watch(place: string, tell: () => void): () => void {
    const watchers = this.#watchers.get(place) ?? new Set();
    this.#watchers.set(place, watchers);
    watchers.add(tell);
    return () => {
      watchers.delete(tell);
      if (watchers.size === 0 && this.#watchers.get(place) === watchers) this.#watchers.delete(place);
    };
  }
}

export const KeptContext = createContext(new Kept());

/** Names of the places around, from outside in: conversation, turn, part, section. */
export const PlaceContext = createContext('');

/** The name of a place within another one. */
export function placeIn(outer: string, ...inner: readonly string[]): string {
  return [outer, ...inner].join('/');
}
