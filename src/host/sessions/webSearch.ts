/** What the panel is told of searching the web. Knows no panel. */
import type { WebSearchFacts } from '../../protocol/toWebview.ts';
import type { WebSearchSettings } from '../settings.ts';
import type { ChatSession } from './session.ts';

/** Sites that are named; of the others only the number is told. */
const mostNamed = 5;

export function webSearchFacts(
  { webSearch: on, webSearchDiffers }: Pick<ChatSession, 'webSearch' | 'webSearchDiffers'>,
  { scope, unread }: Pick<WebSearchSettings, 'scope' | 'unread'>,
): WebSearchFacts {
  const domains = scope?.domains ?? [];
  return {
    on,
    ...(webSearchDiffers && { differs: true }),
    ...(domains.length > 0 && { domains: domains.slice(0, mostNamed), domainCount: domains.length }),
    ...(unread.length > 0 && { unread: unread.length }),
    ...(scope === undefined && { unusable: true }),
  };
}
