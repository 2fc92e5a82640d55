/**
 * The sources of a turn with their numbers, and where in an answer its references stand. Pure. The numbers go through the whole turn, so
 * that a reference in the answer means the source of that number in a search above it.
 */
import type { Citation, Part, SearchPart, WebSource } from '../core/conversation/conversation.ts';
import { beginsWith } from './markdown/blocks.ts';
import { linkTarget } from './markdown/links.ts';

export interface NumberedSource {
  /** From 1. */
  readonly number: number;
  readonly url: string;
  readonly title?: string;
}

export interface Sources {
  readonly byUrl: ReadonlyMap<string, NumberedSource>;
  readonly byNumber: readonly NumberedSource[];
  /** Named by answers and listed by no search. */
  readonly unlisted: readonly NumberedSource[];
}

export const noSources: Sources = { byUrl: new Map(), byNumber: [], unlisted: [] };

/** They keep their identity while nothing of them changes: text that streams in must not draw them anew. */
export class TurnSources {
  #of: readonly unknown[] = [];
  #sources = noSources;

  of(parts: readonly Part[]): Sources {
    const of: unknown[] = [];
    for (const part of parts) {
      if (part.kind === 'search') of.push(part.search);
      else if (part.kind === 'answer' && part.citations !== undefined) of.push(part.citations);
    }
    if (of.length !== this.#of.length || of.some((one, index) => one !== this.#of[index])) {
      this.#of = of;
      this.#sources = sourcesOf(parts);
    }
    return this.#sources;
  }
}

export function sourcesOf(parts: readonly Part[]): Sources {
  const byUrl = new Map<string, NumberedSource>();
  const add = ({ url, title }: WebSource): NumberedSource | undefined => {
    const key = sameUrl(url);
    if (byUrl.has(key)) return undefined;
    const source = { number: byUrl.size + 1, url, ...(title !== undefined && { title }) };
    byUrl.set(key, source);
    return source;
  };
  for (const part of parts) {
    if (part.kind === 'search') for (const source of part.search.sources) add(source);
  }
  const unlisted: NumberedSource[] = [];
  for (const part of parts) {
    if (part.kind !== 'answer') continue;
    for (const citation of part.citations ?? []) {
      const added = add(citation);
      if (added !== undefined) unlisted.push(added);
    }
  }
  if (byUrl.size === 0) return noSources;
  return { byUrl, byNumber: [...byUrl.values()], unlisted };
}

/** The sources of one search, each once, under their numbers in the turn. */
export function listedSources({ search }: SearchPart, sources: Sources): readonly NumberedSource[] {
  return [...new Set(search.sources.flatMap(({ url }) => sources.byUrl.get(sameUrl(url)) ?? []))];
}

/** Services add marks of their own to an address that is the same page. */
function sameUrl(url: string): string {
  return URL.canParse(url)
    ? new URL(url).href
        .replace(/#.*$/, '')
        .replace(/[?&]utm_source=[^&]*$/, '')
        .replace(/\/$/, '')
    : url;
}

/** The host that a source leads to; undefined when it can't be opened. */
export function sourceHost(url: string): string | undefined {
  const target = linkTarget(url, '');
  return target.kind === 'open' && URL.canParse(target.href) ? new URL(target.href).host : undefined;
}

/** The address that a reference is written with in the text of an answer. No link of a model can be opened by it. */
function referenceHref(number: number | string): string {
  return `source:${number}`;
}

export function referencedSource(href: string, label: string, sources: Sources): NumberedSource | undefined {
  return isReference(href, label) ? sources.byNumber[Number(label) - 1] : undefined;
}

/** Whether a link is written as a reference is. */
export function isReference(href: string, label: string): boolean {
  return /^[1-9]\d{0,3}$/.test(label) && href === referenceHref(label);
}

/**
 * The section with a reference behind each stretch that has a source. `done`: no more of it comes; until then a reference behind the
 * end of the text waits for the text.
 */
export function withReferences(cited: CitedText): string {
  return referenced(cited).result;
}

interface Referenced {
  readonly result: string;
  /** Behind the last reference and what it is for, in the text as it came. */
  readonly last: number;
  /** Of the references that wait for their text, where the first one belongs at the earliest. */
  readonly waits: number;
}

function referenced({ text, citations, sources, done }: CitedText): Referenced {
  const unitAt = unitsOf(text);
  const fences = fencesOf(text);
  const marks = new Map<number, NumberedSource[]>();
  let waits = Infinity;
  let last = 0;
  for (const citation of citations) {
    const source = sources.byUrl.get(sameUrl(citation.url));
    if (source === undefined) continue;
    const end = unitAt(citation.to);
    if (end === undefined && !done) {
      waits = Math.min(waits, citation.to);
      continue;
    }
    const at = placeFor(text, end ?? text.length, fences);
    last = Math.max(last, at, end ?? text.length);
    const there = marks.get(at) ?? [];
    if (!there.includes(source)) marks.set(at, [...there, source]);
  }
  let result = '';
  let from = 0;
  for (const at of [...marks.keys()].toSorted((a, b) => a - b)) {
    const before = text.slice(from, at);
    const written = (marks.get(at) ?? [])
      .toSorted((a, b) => a.number - b.number)
      .map(({ number }) => `[${number}](${referenceHref(number)})`)
      .join(' ');
    // Behind a block of code it is a paragraph of its own.
    const alone = fences.some(({ to }) => to === at);
    result += `${before}${alone ? `\n\n${written}\n\n` : written}`;
    from = at;
  }
  return { result: result + text.slice(from), last, waits };
}

export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly sources: Sources;
  readonly done: boolean;
}

/**
 * The same for a text that streams in. What only grew behind the paragraph of its last reference is taken as it comes: to look through
 * all of it at each piece would cost too much.
 */
export class ReferencedText {
  #known: (CitedText & Referenced) | undefined;

  of(next: CitedText): string {
    const known = this.#known;
    if (next.citations.length === 0) return next.text;
    const same =
      known?.citations === next.citations && known.sources === next.sources && known.done === next.done;
    if (known !== undefined && same && known.text === next.text) return known.result;
    const grew =
      same &&
      !next.done &&
      known.waits > next.text.length &&
      known.text.lastIndexOf('\n\n') >= known.last &&
      beginsWith(next.text, known.text);
    const now = grew
      ? { ...known, result: known.result + next.text.slice(known.text.length) }
      : referenced(next);
    this.#known = { ...now, ...next };
    return now.result;
  }
}

/** From code points to UTF-16 units; undefined for a place behind the end. */
function unitsOf(text: string): (point: number) => number | undefined {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => (point <= text.length ? point : undefined);
  const units: number[] = [];
  let unit = 0;
  for (const character of text) {
    units.push(unit);
    unit += character.length;
  }
  units.push(unit);
  return (point) => units[point];
}

/** Where something begins inside of which a reference would be shown as it is written, or break what it stands in. */
const opening =
  /`+|!?\[|<|https?:\/\/[^\s<>]*|\$\$|\\[([]|&#?\w{1,20};|[*_~]{2,3}|\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;

/** Stretches of a paragraph that are not to be broken, in order. Linear: no end is looked for twice. */
function* unbroken(text: string): Generator<readonly [from: number, to: number]> {
  const closes = ends(text);
  const found = new RegExp(opening);
  for (let match = found.exec(text); match !== null; match = found.exec(text)) {
    const [mark] = match;
    const end = endOf(mark, text, match.index + mark.length, closes);
    if (end === undefined) continue;
    yield [match.index, end];
    found.lastIndex = end;
  }
}

/** What is looked for under one `key` is looked for from left to right. */
type Ends = (mark: string, from: number, key?: string) => number | undefined;

/** Undefined where it does not end: then it is a mark like any other. */
function endOf(mark: string, text: string, from: number, closes: Ends): number | undefined {
  switch (mark) {
    case '[':
    case '![': {
      const label = closes(']', from);
      // The mark of a footnote is whole by itself.
      if (label === undefined || text.charAt(from) === '^') return label;
      const next = text.charAt(label);
      return next === '('
        ? closes(')', label + 1)
        : next === '['
          ? closes(']', label + 1, 'second')
          : undefined;
    }
    case '<':
      return closes('>', from);
    case '$$':
      return closes('$$', from);
    case '\\(':
      return closes('\\)', from);
    case '\\[':
      return closes('\\]', from);
    default:
      return mark.startsWith('`') ? closes(mark, from) : from;
  }
}

/** Where the next one of a closing mark ends. What closes a link or a tag stands in the same line; backticks are as many as those before. */
function ends(text: string): Ends {
  const patterns = new Map<string, RegExp>();
  const known = new Map<string, RegExpExecArray | null>();
  return (mark, from, key = mark) => {
    let last = known.get(key);
    if (last === undefined || (last !== null && last.index < from)) {
      let pattern = patterns.get(key);
      if (pattern === undefined) {
        pattern = closing(mark);
        patterns.set(key, pattern);
      }
      pattern.lastIndex = from;
      last = pattern.exec(text);
      known.set(key, last);
    }
    return last === null || last[0] === '\n' ? undefined : last.index + last[0].length;
  };
}

function closing(mark: string): RegExp {
  if (mark.startsWith('`')) return new RegExp(`(?<!\`)${mark}(?!\`)`, 'g');
  const literal = mark.replace(/[\\$)\]]/g, '\\$&');
  return new RegExp(mark.length === 1 ? `${literal}|\\n` : literal, 'g');
}

/** Under a heading, between the head of a table and its rows, or across: more in such a line would make text of it. */
const ruler = /^[ \t>]*[-=|:][ \t=|:-]*$/;

function placeFor(text: string, wanted: number, fences: readonly Fence[]): number {
  let at = behindText(text, wanted);
  const fence = fences.find(({ from, to }) => from < at && at <= to);
  if (fence !== undefined) return fence.to;
  for (let line = lineAt(text, at); ruler.test(line.text); line = lineAt(text, at)) {
    at = behindText(text, line.start);
    if (at === 0) break;
  }
  const start = Math.max(text.lastIndexOf('\n\n', at - 1) + 1, at - 4000, 0);
  const end = text.indexOf('\n\n', at);
  const near = text.slice(start, Math.min(end === -1 ? text.length : end, at + 4000));
  for (const [from, to] of unbroken(near)) {
    if (start + from >= at) break;
    if (at < start + to) at = start + to;
  }
  // Behind the last cell of a row nothing is shown.
  const row = lineAt(text, at);
  return at > row.start + 1 &&
    /^[ \t>]*\|.*[^\\]\|[ \t]*$/.test(row.text) &&
    text.slice(at, row.end).trim() === ''
    ? behindText(text, text.lastIndexOf('|', at - 1))
    : at;
}

/** Not at the start of the next line. */
function behindText(text: string, wanted: number): number {
  let at = wanted;
  while (at > 0 && /\s/.test(text[at - 1] as string)) at -= 1;
  return at;
}

/** Of a longer one no more than this on both sides: it is none of those that are looked for. */
const longestLine = 4000;

function lineAt(text: string, at: number): { start: number; end: number; text: string } {
  const from = Math.max(0, at - longestLine);
  const before = text.slice(from, at);
  const rest = /^[^\n]*/.exec(text.slice(at, at + longestLine))?.[0] ?? '';
  const start = from + before.lastIndexOf('\n') + 1;
  return { start, end: at + rest.length, text: text.slice(start, at + rest.length) };
}

interface Fence {
  readonly from: number;
  /** Behind its last line. */
  readonly to: number;
}

/** Fenced blocks, in order; one that was never closed goes to the end. */
function fencesOf(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { readonly ticks: string; readonly from: number } | undefined;
  for (const match of text.matchAll(/^[ \t>]*(`{3,}|~{3,})([^\n]*)(?:\n|$)/gm)) {
    const [line, ticks = '', rest = ''] = match;
    if (open === undefined) open = { ticks, from: match.index };
    else if (ticks[0] === open.ticks[0] && ticks.length >= open.ticks.length && rest.trim() === '') {
      fences.push({ from: open.from, to: match.index + line.length });
      open = undefined;
    }
  }
  return open === undefined ? fences : [...fences, { from: open.from, to: text.length }];
}
