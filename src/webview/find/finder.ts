/**
 * Finds a text in the whole conversation, also where nothing of it is drawn. Works in steps and keeps what it found turn by turn: a
 * piece of text that arrives costs one comparison of references for each turn, and a search of what it changed.
 */
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import { TurnReader, type Field, type Where } from './fields.ts';
import { matchesIn, type Query } from './query.ts';

export interface Hit {
  readonly turn: string;
  readonly where: Where;
  /** Among the matches of that place, from 0. */
  readonly nth: number;
  /** Among those of the same section of a part, from 0: it stays when what may still change is settled. */
  readonly ordinal: number;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** False while turns are still to be looked at. */
  readonly complete: boolean;
  /** There are more than are told. */
  readonly more: boolean;
}

/** Matches that are told at most. */
export const mostHits = 10_000;

export const nothingFound: Found = { hits: [], complete: true, more: false };

export class Finder {
  readonly #reader = new TurnReader();
  /** Of each field's text; texts that did not change are not searched again. */
  #counts = new WeakMap<Field, number>();
  #cache: { readonly query: Query; found: WeakMap<Turn, readonly Hit[]> } | undefined;
  #going: { readonly turn: Turn; readonly steps: Generator<undefined, readonly Field[]> } | undefined;

  /** Looks on until `enough` says so, which is asked after each step of some milliseconds. */
  find({ turns }: Conversation, query: Query, enough: () => boolean): Found {
    if (query.text === '') return nothingFound;
    if (this.#cache === undefined || !sameQuery(this.#cache.query, query)) {
      this.#cache = { query, found: new WeakMap() };
      this.#counts = new WeakMap();
    }
    const { found } = this.#cache;
    const hits: Hit[] = [];
    for (const turn of turns) {
      let own = found.get(turn);
      if (own === undefined) {
        own = this.#look(turn, query, enough);
        if (own === undefined) return { hits, complete: false, more: false };
        found.set(turn, own);
      }
      for (const hit of own) {
        if (hits.length === mostHits) return { hits, complete: true, more: true };
        hits.push(hit);
      }
    }
    return { hits, complete: true, more: false };
  }

  /** Undefined when there was no time to finish. */
  #look(turn: Turn, query: Query, enough: () => boolean): readonly Hit[] | undefined {
    // A turn that changed meanwhile is read from where it was before.
    if (this.#going?.turn !== turn) this.#going = { turn, steps: this.#reader.read(turn) };
    for (;;) {
      const step = this.#going.steps.next();
      if (step.done === true) {
        this.#going = undefined;
        return this.#hits(turn, step.value, query);
      }
      if (enough()) return undefined;
    }
  }

  #hits(turn: Turn, fields: readonly Field[], query: Query): readonly Hit[] {
    const ordinals = new Map<string, number>();
    return fields.flatMap((field) => {
      let count = this.#counts.get(field);
      if (count === undefined) {
        count = matchesIn(field.text, query, mostHits + 1).length;
        this.#counts.set(field, count);
      }
      const section = sectionOf(field.where);
      const first = ordinals.get(section) ?? 0;
      ordinals.set(section, first + count);
      return Array.from({ length: count }, (_, nth) => ({
        turn: turn.id,
        where: field.where,
        nth,
        ordinal: first + nth,
      }));
    });
  }
}

function sameQuery(a: Query, b: Query): boolean {
  return a.text === b.text && a.matchCase === b.matchCase && a.wholeWord === b.wholeWord;
}

/** Where `hit` is now, or what comes after its turn's beginning; -1 when there is none. */
export function indexOfHit(hits: readonly Hit[], hit: Hit): number {
  const same = hits.findIndex((other) => sameHit(other, hit));
  return same === -1 ? hits.findIndex(({ turn }) => turn === hit.turn) : same;
}

function sameHit(a: Hit, b: Hit): boolean {
  return a.turn === b.turn && a.ordinal === b.ordinal && sectionOf(a.where) === sectionOf(b.where);
}

function sectionOf(where: Where): string {
  if (where.kind === 'question') return where.kind;
  return `${where.kind} ${where.part} ${where.kind === 'text' ? where.section : where.index}`;
}
