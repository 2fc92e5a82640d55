/**
 * The sources of a turn with their numbers, and where in an answer its references stand. Pure. The numbers go through the whole turn, so
 * that a reference in the answer means the source of that number in a search above it.
 */
import type { Citation, Part, SearchPart, WebSource } from '../core/conversation/conversation.ts';
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
export function referenceHref(number: number): string {
  return `source:${number}`;
}

export function referencedSource(href: string, label: string, sources: Sources): NumberedSource | undefined {
  const number = /^source:([1-9]\d{0,3})$/.exec(href)?.[1];
  return number === undefined || number !== label ? undefined : sources.byNumber[Number(number) - 1];
}

/**
 * The section with a reference behind each stretch that has a source. `done`: no more of it comes; until then a reference behind the
 * end of the text waits for the text.
 */
export function withReferences({ text, citations, sources, done }: CitedText): string {
  const unitAt = unitsOf(text);
  const fences = fencesOf(text);
  const marks = new Map<number, NumberedSource[]>();
  for (const citation of citations) {
    const source = sources.byUrl.get(sameUrl(citation.url));
    const end = unitAt(citation.to);
    if (source === undefined || (end === undefined && !done)) continue;
    const at = placeFor(text, end ?? text.length, fences);
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
  return result + text.slice(from);
}

export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly sources: Sources;
  readonly done: boolean;
}

/**
 * The same for a text that streams in. What only grew behind its last reference is taken as it comes: to look through all of it at each
 * piece would cost too much.
 */
export class ReferencedText {
  #known: (CitedText & { readonly result: string }) | undefined;

  of(next: CitedText): string {
    const known = this.#known;
    if (next.citations.length === 0) return next.text;
    const same =
      known?.citations === next.citations && known.sources === next.sources && known.done === next.done;
    if (known !== undefined && same && known.text === next.text) return known.result;
    const grew = same && !next.done && known !== undefined && next.text.startsWith(known.text);
    const result =
      grew && next.citations.every(({ to }) => to < known.text.length)
        ? known.result + next.text.slice(known.text.length)
        : withReferences(next);
    this.#known = { ...next, result };
    return result;
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

/** Inside of these a reference would be shown as it is written, or break what it stands in. */
const whole =
  /(`+)[^`][\s\S]*?\1(?!`)|!?\[[^\]\n]*\]\([^)\n]*\)|!?\[[^\]\n]*\]\[[^\]\n]*\]|<[^>\n]*>|https?:\/\/[^\s<>]*|\$\$[\s\S]*?\$\$|\\\([\s\S]*?\\\)|\\\[[\s\S]*?\\\]|&#?\w{1,20};|[*_~]{2,3}|\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;

function placeFor(text: string, wanted: number, fences: readonly Fence[]): number {
  let at = wanted;
  // Not at the start of the next line.
  while (at > 0 && /\s/.test(text[at - 1] as string)) at -= 1;
  const fence = fences.find(({ from, to }) => from < at && at <= to);
  if (fence !== undefined) return fence.to;
  const start = Math.max(text.lastIndexOf('\n\n', at - 1) + 1, at - 4000, 0);
  const end = text.indexOf('\n\n', at);
  const near = text.slice(start, Math.min(end === -1 ? text.length : end, at + 4000));
  for (const match of near.matchAll(whole)) {
    const from = start + match.index;
    const to = from + match[0].length;
    if (from < at && at < to) return to;
  }
  return at;
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
