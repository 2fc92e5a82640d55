/** How the search of the service in the web is offered, and which sites a person may keep it to. Knows no settings. */
import type { WebSearchDeclaration } from './wire.ts';

/** Most sites that the service takes. */
export const mostDomains = 100;

/** Where it may search. */
export interface WebSearchScope {
  /** Domain names; everywhere when empty. At most `mostDomains`. */
  readonly domains: readonly string[];
}

/** Images are asked for as well: they come as addresses, which are shown as links. */
export function webSearchDeclaration({ domains }: WebSearchScope): WebSearchDeclaration {
  return {
    type: 'web_search',
    ...(domains.length > 0 && { filters: { allowed_domains: domains } }),
    search_content_types: ['text', 'image'],
  };
}

export interface ReadDomains {
  /** Each once, in small letters, in the order in which they were given. */
  readonly domains: readonly string[];
  /** What is no domain name, or one too many. */
  readonly unread: readonly string[];
}

/**
 * Domain names as people write them: `docs.python.org`, with a scheme, a path or `*.` around them or not. An entry that can't be read is
 * left out, which never lets the search go further than the person said; see `scopeOf`.
 */
export function readDomains(value: unknown): ReadDomains {
  if (value === undefined || value === null) return { domains: [], unread: [] };
  const domains: string[] = [];
  const unread: string[] = [];
  for (const entry of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const domain = typeof entry === 'string' ? domainIn(entry) : undefined;
    if (domain === '' || (domain !== undefined && domains.includes(domain))) continue;
    if (domain === undefined || domains.length === mostDomains) unread.push(textOf(entry));
    else domains.push(domain);
  }
  return { domains, unread };
}

/** Undefined where all that was given can't be read: without a site that is meant, it is not searched everywhere. */
export function scopeOf({ domains, unread }: ReadDomains): WebSearchScope | undefined {
  return domains.length === 0 && unread.length > 0 ? undefined : { domains };
}

/** Longest name of a host. */
const longestName = 253;

/** Empty for a blank entry, undefined for what is no domain name. */
function domainIn(entry: string): string | undefined {
  const name = entry
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z\d+.-]*:\/\//, '')
    .replace(/^\*\./, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '');
  if (name === '') return entry.trim() === '' ? '' : undefined;
  const labels = name.split('.');
  const isName =
    name.length <= longestName &&
    // Letters behind the last dot tell a name from a number of the network.
    /\.[^.]*\p{L}[^.]*$/u.test(name) &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(label));
  return isName ? name : undefined;
}

function textOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? '');
}
