/** Sentences of an answer to be read aloud, each as soon as it is whole and never twice. Pure; knows no screen reader. */
import { settledBehind, type Block, type Blocks } from './blocks.ts';
import { spokenText } from './plainText.ts';

/** What ends a sentence in any script that does. Without one among what is new nothing has to be looked at. */
const end = /[.!?…。！？؟।]/u;

/** UTF-16 units between the end of a sentence and the beginning of the next one: marks, quotes, a blank. */
const behind = 8;

/** UTF-16 units: a block that is longer is heard when it is whole. */
const longest = 20_000;

export class Sentences {
  readonly #segmenter: Intl.Segmenter;
  /** Blocks that were said to their end. Counted, as their offsets change when the numbers of sources are put between them. */
  #blocks = 0;
  /** Of the next one, how many sentences were said, and how much of it was looked at. */
  #said = 0;
  #looked = 0;

  constructor(locale: string) {
    this.#segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' });
  }

  /** Those that were not said yet, of the next state of the same text. */
  of(blocks: Blocks): readonly string[] {
    const whole = settledBehind(blocks, this.#blocks).flatMap((block) => this.#settled(block));
    const [tail] = blocks.tail;
    return tail === undefined ? whole : [...whole, ...this.#growing(tail)];
  }

  /** Of a block that text is still added to: those that another one follows. */
  #growing({ raw, token }: Block): readonly string[] {
    if (token.type !== 'paragraph' && token.type !== 'list' && token.type !== 'blockquote') return [];
    const known = this.#looked;
    this.#looked = raw.length;
    // What ends a sentence is known by what comes behind it.
    if (raw.length > longest || !end.test(raw.slice(Math.max(0, known - behind)))) return [];
    return this.#take(this.#cut(spokenText(token)).slice(0, -1));
  }

  /** Of a block that can't change any more: what was not said yet. Blocks come in order. */
  #settled({ token }: Block): readonly string[] {
    const sentences = this.#take(this.#cut(spokenText(token)));
    this.#blocks += 1;
    this.#said = 0;
    this.#looked = 0;
    return sentences;
  }

  #cut(text: string): readonly string[] {
    return [...this.#segmenter.segment(text)]
      .map(({ segment }) => segment.trim())
      .filter((segment) => segment !== '');
  }

  #take(sentences: readonly string[]): readonly string[] {
    const next = sentences.slice(this.#said);
    this.#said = Math.max(this.#said, sentences.length);
    return next;
  }
}
