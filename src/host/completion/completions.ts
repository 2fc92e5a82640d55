/** Answers what the composer asks while a name is typed: one list at a time, the newest. Knows no page. */
import { mostCompletions, type CompletionItem, type CompletionTrigger } from '../../protocol/completion.ts';
import type { Candidate } from './candidate.ts';

export interface Offer {
  readonly list: number;
  readonly items: readonly CompletionItem[];
  readonly looking: boolean;
}

/** Finds what fits; `show` may be called again with more below, and is told nothing once the signal is aborted. */
export type Finder = (
  query: string,
  show: (candidates: readonly Candidate[]) => void,
  signal: AbortSignal,
) => Promise<void>;

export interface CompletionsParts {
  /** What is found behind each trigger. */
  readonly finders: Readonly<Record<CompletionTrigger, Finder>>;
  readonly tell: (offer: Offer) => void;
}

/** More keys than anybody types before an answer comes. */
const keptLists = 16;

export class Completions {
  readonly #parts: CompletionsParts;
  #running: AbortController | undefined;
  /** What the newest lists hold: one may be taken from while the next is on its way. */
  readonly #lists = new Map<number, readonly Candidate[]>();

  constructor(parts: CompletionsParts) {
    this.#parts = parts;
  }

  /** Rejects when what is asked fails; what was found until then was told. */
  async complete(list: number, trigger: CompletionTrigger, query: string): Promise<void> {
    this.end();
    const controller = new AbortController();
    const { signal } = controller;
    this.#running = controller;
    this.#lists.delete(list);
    this.#lists.set(list, []);
    for (const old of [...this.#lists.keys()].slice(0, -keptLists)) this.#lists.delete(old);
    const tell = (looking: boolean): void => {
      if (signal.aborted) return;
      this.#parts.tell({ list, items: (this.#lists.get(list) ?? []).map(itemOf), looking });
    };
    try {
      await this.#parts.finders[trigger](
        query,
        (candidates) => {
          if (signal.aborted) return;
          this.#lists.set(list, candidates.slice(0, mostCompletions));
          tell(true);
        },
        signal,
      );
    } finally {
      tell(false);
      if (this.#running === controller) this.#running = undefined;
    }
  }

  /** What an item attaches; undefined when it attaches nothing, or when the list is long gone. */
  taken(list: number, item: string): (() => PromiseLike<unknown>) | undefined {
    return this.#lists.get(list)?.[Number(item)]?.attach;
  }

  /** Calls off what is still looked for. What was found can still be taken. */
  end(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}

function itemOf({ attach: _, ...item }: Candidate, at: number): CompletionItem {
  return { ...item, id: String(at) };
}
