/**
 * Searches that the service made in the web, and the sources that an answer names: what they are, and how they are read. References
 * differ in what they give, so whatever is missing or of another type is left out and never a reason to lose an answer.
 */
import { isObject, type JsonObject } from './json.ts';

/** What one `web_search_call` item tells. */
export interface WebSearch {
  readonly action: SearchAction;
  /** In the order of the service, which it gives only when it is asked for them. */
  readonly sources: readonly WebSource[];
  readonly images: readonly WebImage[];
  /** The service says that it did not work. */
  readonly failed?: true;
}

export type SearchAction =
  /** Nearly always one. Empty when the service did not tell. */
  | { readonly kind: 'search'; readonly queries: readonly string[] }
  | { readonly kind: 'openPage'; readonly url?: string }
  | { readonly kind: 'findInPage'; readonly pattern: string; readonly url?: string }
  /** Of a kind that no reference names. */
  | { readonly kind: 'other'; readonly name: string };

export interface WebSource {
  readonly url: string;
  readonly title?: string;
}

/** Never loaded: a link. */
export interface WebImage {
  readonly url: string;
  /** The page that it stands in. */
  readonly page?: string;
  readonly caption?: string;
}

/** The service says that a stretch of its answer comes from a page. */
export interface Citation {
  /** Index of the answer's section. */
  readonly section: number;
  /** Characters (code points) of the section: the first one, and the one behind the last. They may lie outside of the text. */
  readonly from: number;
  readonly to: number;
  readonly url: string;
  readonly title?: string;
}

export const noSearch: WebSearch = { action: { kind: 'search', queries: [] }, sources: [], images: [] };

/** Far more than any search gives. */
const mostEntries = 200;
/** UTF-16 units. What is longer can't be opened anyway. */
const longestUrl = 8192;
const longestText = 2000;

/** Of a `web_search_call` item. */
export function readSearch(item: JsonObject): WebSearch {
  const action = isObject(item['action']) ? item['action'] : {};
  return {
    action: readAction(action),
    sources: list(action['sources']).flatMap(readSource),
    images: list(item['results']).flatMap(readImage),
    ...((item['status'] === 'failed' || item['status'] === 'incomplete') && { failed: true as const }),
  };
}

/** Undefined when it is an annotation of another kind. */
export function readCitation(value: unknown, section: number): Citation | undefined {
  if (!isObject(value) || value['type'] !== 'url_citation') return undefined;
  const url = text(value['url'], longestUrl);
  if (url === undefined) return undefined;
  const from = position(value['start_index']);
  return {
    section,
    from: from ?? 0,
    // Without a place it speaks of all of it.
    to: position(value['end_index']) ?? from ?? Number.MAX_SAFE_INTEGER,
    url,
    ...titled(value['title']),
  };
}

export function readCitations(annotations: unknown, section: number): readonly Citation[] {
  return list(annotations).flatMap((each) => readCitation(each, section) ?? []);
}

function readAction(action: JsonObject): SearchAction {
  const url = text(action['url'], longestUrl);
  switch (action['type'] ?? 'search') {
    case 'search': {
      const queries = list(action['queries']).flatMap((each) => text(each) ?? []);
      const query = text(action['query']);
      return { kind: 'search', queries: queries.length > 0 || query === undefined ? queries : [query] };
    }
    case 'open_page':
      return { kind: 'openPage', ...(url !== undefined && { url }) };
    case 'find_in_page':
      return {
        kind: 'findInPage',
        pattern: text(action['pattern']) ?? '',
        ...(url !== undefined && { url }),
      };
    default:
      return { kind: 'other', name: text(action['type']) ?? '' };
  }
}

function readSource(value: unknown): readonly WebSource[] {
  const source = isObject(value) ? value : { url: value };
  const url = text(source['url'], longestUrl);
  return url === undefined ? [] : [{ url, ...titled('title' in source ? source['title'] : undefined) }];
}

function readImage(value: unknown): readonly WebImage[] {
  if (!isObject(value)) return [];
  const page = text(value['source_website_url'], longestUrl);
  const url = text(value['image_url'], longestUrl) ?? page;
  if (url === undefined) return [];
  const caption = text(value['caption']);
  return [{ url, ...(page !== undefined && { page }), ...(caption !== undefined && { caption }) }];
}

function titled(value: unknown): { readonly title?: string } {
  const title = text(value);
  return title === undefined ? {} : { title };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, mostEntries) : [];
}

/** Undefined for what is no text, blank, or too long to be what it should be. */
function text(value: unknown, longest = longestText): string | undefined {
  if (typeof value !== 'string' || value.length > longest) return undefined;
  return value.trim() === '' ? undefined : value.trim();
}

function position(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
