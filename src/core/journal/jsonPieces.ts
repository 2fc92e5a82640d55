/** Long JSON piece by piece, so that whoever writes or reads it can do something else in between. Pure; knows nothing of what it says. */
import { err, ok, type Result } from '../result.ts';

/**
 * What `JSON.stringify(value, replacer, 1)` gives, in pieces. Of lists and objects within each other the outer `levels` are taken apart.
 * @param place how deep it stands: the lines behind the first one begin with so many blanks
 */
export function* jsonOf(
  value: unknown,
  replacer: (name: string, value: unknown) => unknown,
  { levels, place }: { readonly levels: number; readonly place: number },
): Generator<string, void> {
  const isList = Array.isArray(value);
  const members =
    levels === 0 || typeof value !== 'object' || value === null
      ? []
      : isList
        ? (value as readonly unknown[]).map((one) => ['', one] as const)
        : Object.entries(value).filter(([, one]) => one !== undefined);
  const indent = `\n${' '.repeat(place)}`;
  if (members.length === 0) {
    yield JSON.stringify(value, replacer, 1).replaceAll('\n', indent);
    return;
  }
  let before = isList ? '[' : '{';
  for (const [name, one] of members) {
    yield `${before}${indent} ${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* jsonOf(one, replacer, { levels: levels - 1, place: place + 1 });
    before = ',';
  }
  yield `${indent}${isList ? ']' : '}'}`;
}

export interface JsonLimits {
  /** Lists and objects within each other. */
  readonly levels: number;
  readonly values: number;
  /** UTF-16 units that are looked at at a time; only tests give another. A text within them is taken whole, however long it is. */
  readonly piece?: number;
}

/** `excessive`: it nests deeper, or has more values, than is given. What is that may also be no JSON. */
export type JsonProblem = 'notJson' | 'excessive';

/** What `JSON.parse` gives. Never throws. */
export function* parsedJson(text: string, limits: JsonLimits): Generator<void, Result<unknown, JsonProblem>> {
  try {
    return ok(yield* new Parser(text, limits).whole());
  } catch (error) {
    return err(error instanceof Beyond ? 'excessive' : 'notJson');
  }
}

const usualPiece = 65_536;

class Beyond extends Error {}

class Parser {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #piece: number;
  #at = 0;
  #rested = 0;
  #level = 0;
  #values = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
    this.#piece = limits.piece ?? usualPiece;
  }

  *whole(): Generator<void, unknown> {
    // The mark that some editors put in front.
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1;
    const { value } = this.#short() ?? { value: yield* this.#long() };
    this.#skip();
    if (this.#at < this.#text.length) throw new SyntaxError();
    return value;
  }

  /** Undefined for a list or an object of more than a piece. */
  #short(): { readonly value: unknown } | undefined {
    this.#skip();
    const start = this.#at;
    const unit = this.#text.charCodeAt(start);
    if (unit === openBracket || unit === openBrace) {
      const end = this.#endSoon();
      if (end === undefined) return undefined;
      this.#at = end;
    } else if (unit === quote) this.#at = this.#endOfText(start);
    else {
      plain.lastIndex = start;
      this.#at += plain.exec(this.#text)?.[0].length ?? 0;
    }
    const value: unknown = JSON.parse(this.#text.slice(start, this.#at));
    return { value };
  }

  *#long(): Generator<void, unknown> {
    const isList = this.#text.charCodeAt(this.#at) === openBracket;
    const end = isList ? closeBracket : closeBrace;
    this.#level += 1;
    this.#count(this.#level);
    this.#at += 1;
    const values: unknown[] = [];
    const names: string[] = [];
    // It may be long with nothing in it.
    this.#skip();
    let isEnd = this.#text.charCodeAt(this.#at) === end;
    if (isEnd) this.#at += 1;
    while (!isEnd) {
      if (!isList) names.push(this.#name());
      // A generator for each value would take longer than the value.
      const { value } = this.#short() ?? { value: yield* this.#long() };
      values.push(value);
      this.#skip();
      const unit = this.#text.charCodeAt(this.#at);
      this.#at += 1;
      isEnd = unit === end;
      if (!isEnd && unit !== comma) throw new SyntaxError();
      if (!isEnd) this.#count(this.#level);
      if (this.#at - this.#rested < this.#piece) continue;
      this.#rested = this.#at;
      yield;
    }
    this.#level -= 1;
    return isList ? values : Object.fromEntries(names.map((name, index) => [name, values[index]]));
  }

  #name(): string {
    this.#skip();
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== quote) throw new SyntaxError();
    this.#at = this.#endOfText(start);
    const name = JSON.parse(this.#text.slice(start, this.#at)) as unknown;
    this.#skip();
    if (this.#text.charCodeAt(this.#at) !== colon) throw new SyntaxError();
    this.#at += 1;
    return String(name);
  }

  /** Where the list or the object ends that begins here, if it does within a piece. */
  #endSoon(): number | undefined {
    const most = this.#at + this.#piece;
    const values = this.#values;
    let level = this.#level;
    for (let at = this.#at; at < most && at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === quote) at = this.#endOfText(at) - 1;
      else if (unit === comma) this.#count(level);
      else if (unit === openBracket || unit === openBrace) {
        level += 1;
        this.#count(level);
      } else if (unit === closeBracket || unit === closeBrace) level -= 1;
      if (level === this.#level) return at + 1;
    }
    // They are counted when it is taken apart.
    this.#values = values;
    return undefined;
  }

  /** Behind the text that begins here. */
  #endOfText(start: number): number {
    for (let at = this.#text.indexOf('"', start + 1); at !== -1; at = this.#text.indexOf('"', at + 1)) {
      let escapes = 0;
      while (this.#text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
      if (escapes % 2 === 0) return at + 1;
    }
    throw new SyntaxError();
  }

  #skip(): void {
    while (blanks.has(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #count(level: number): void {
    this.#values += 1;
    if (level > this.#limits.levels || this.#values > this.#limits.values) throw new Beyond();
  }
}

/** A number or a word, or else nothing that there is. */
const plain = /[^\s,\]}]+/y;
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [quote, backslash, comma, colon, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;
