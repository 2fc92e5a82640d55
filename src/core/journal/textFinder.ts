/**
 * Looks for words in the lines of a journal, one after the other: in what was asked and in what was answered, and not in what was deleted.
 * Reads of most lines no more than their beginning. Pure but for what it has found so far; never throws.
 */
import type { Turn } from '../conversation/conversation.ts';
import { cutAt } from '../cutAt.ts';
import type { HistoryItem } from '../responses/wire.ts';
import { decodeRecord, recordIn, type JournalRecord } from './record.ts';

export interface FoundText {
  readonly in: 'question' | 'answer';
  /** One line around what was found, `…` where it was cut. Without line ends; what else is not seen is still in it. */
  readonly line: string;
  /** What was found in `line`, in UTF-16 units; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The words that are looked for, in any case. */
export class Words {
  readonly #words: readonly { readonly plain: RegExp; readonly written: RegExp }[];

  /** @param query words between blanks; what more there is than 16 of them is left out */
  constructor(query: string) {
    const words = query.split(/\s+/u).filter((word) => word !== '');
    // The longest one says soonest that a text has not all of them.
    this.#words = words
      .slice(0, mostWords)
      .toSorted((a, b) => b.length - a.length)
      .map((word) => {
        const whole = word.toWellFormed();
        return { plain: patternOf(whole), written: patternOf(JSON.stringify(whole).slice(1, -1)) };
      });
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** Whether all of them may be in a text of this JSON. */
  mayBeIn(json: string): boolean {
    return this.#words.every(({ written }) => written.test(json));
  }

  /** The first place of the longest word in a text that has all of them. */
  findIn(text: string): { readonly from: number; readonly to: number } | undefined {
    if (this.isEmpty || !this.#words.every(({ plain }) => plain.test(text))) return undefined;
    const { index: from, 0: found } = this.#words[0]!.plain.exec(text)!;
    return { from, to: from + found.length };
  }
}

const mostWords = 16;

function patternOf(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'iu');
}

export class TextFinder {
  readonly #words: Words;
  /** In the order of their turns. The first one of a turn that was not deleted is told. */
  readonly #found: { readonly turn: string; readonly found: FoundText }[] = [];
  readonly #removed = new Set<string>();

  constructor(words: Words) {
    this.#words = words;
  }

  /** A line that was ended, without its end. */
  take(line: string): void {
    const kind = /"kind":"(conversation|seeded|turnStarted|itemsKept|turnRemoved|turnRestored)"/.exec(
      line.slice(0, headLength),
    )?.[1];
    if (kind === undefined) return;
    const hasTexts = kind !== 'turnRemoved' && kind !== 'turnRestored';
    if (hasTexts && !this.#words.mayBeIn(line)) return;
    const record = recordIn(decodeRecord(line));
    if (record !== undefined) this.#takeRecord(record);
  }

  /** The first place in a question, or else in an answer. */
  get found(): FoundText | undefined {
    const left = this.#found.filter(({ turn }) => !this.#removed.has(turn));
    return (left.find(({ found }) => found.in === 'question') ?? left[0])?.found;
  }

  #takeRecord(record: JournalRecord): void {
    if (record.kind === 'conversation') {
      for (const turn of record.seed?.conversation.turns ?? []) this.#lookInTurn(turn);
      return;
    }
    if (record.kind === 'seeded' && record.turn !== undefined) this.#lookInTurn(record.turn);
    if (record.kind !== 'event') return;
    const { event } = record;
    switch (event.kind) {
      case 'turnStarted':
        this.#look(event.turn, 'question', event.question.text);
        return;
      case 'itemsKept':
        for (const item of event.items)
          for (const text of answersOf(item)) this.#look(event.turn, 'answer', text);
        return;
      case 'turnRemoved':
        this.#removed.add(event.turn);
        return;
      case 'turnRestored':
        this.#removed.delete(event.turn);
        return;
      default:
    }
  }

  #lookInTurn({ id, question, parts, removed }: Turn): void {
    if (removed === true) this.#removed.add(id);
    this.#look(id, 'question', question.text);
    for (const part of parts) {
      if (part.kind !== 'answer') continue;
      for (const text of part.sections) this.#look(id, 'answer', text);
    }
  }

  #look(turn: string, where: FoundText['in'], text: string): void {
    const place = this.#words.findIn(text);
    if (place !== undefined) this.#found.push({ turn, found: { in: where, ...lineAround(text, place) } });
  }
}

/** UTF-16 units within which a line says what it is. */
const headLength = 120;

function answersOf(item: HistoryItem): readonly string[] {
  return item.type === 'message' && item.role === 'assistant' ? item.content.map(({ text }) => text) : [];
}

/** UTF-16 units before and behind what was found. */
const before = 40;
const behind = 120;

function lineAround(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Omit<FoundText, 'in'> {
  const start = startBefore(text, from);
  const head = `${start === 0 ? '' : '…'}${inLine(text.slice(start, from)).trimStart()}`;
  const found = inLine(text.slice(from, to));
  const rest = text.slice(to);
  const tail = cutAt(rest, behind);
  const end = `${inLine(tail).trimEnd()}${tail.length < rest.length ? '…' : ''}`;
  return { line: `${head}${found}${end}`, from: head.length, to: head.length + found.length };
}

/** Where a word begins before a place, or else a character; not far before it. */
function startBefore(text: string, from: number): number {
  const near = Math.max(0, from - before);
  if (near === 0) return 0;
  const word = /\s\S/u.exec(text.slice(near, from));
  if (word !== null) return near + word.index + 1;
  // Not within a pair of units.
  return /[\uDC00-\uDFFF]/.test(text.charAt(near)) ? near + 1 : near;
}

function inLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/gu, ' ');
}
