/** What is said of a search that the service made in the web. Pure. */
import type { SearchPart } from '../core/conversation/conversation.ts';
import { visibleText } from './invisible.ts';
import { l10n } from './l10n.ts';
import { sourceHost } from './sources.ts';
import { headingOf } from './turnFacts.ts';

/** `going`: it is being done, or it was not done to its end. */
export function searchText({ search }: Pick<SearchPart, 'search'>, going: boolean): string {
  const { action } = search;
  switch (action.kind) {
    case 'search': {
      if (action.queries.length === 0)
        return going ? l10n.t('Searching the web') : l10n.t('Searched the web');
      const queries = action.queries
        .slice(0, 3)
        .map((query) => l10n.t('“{0}”', visibleText(headingOf(query, 60))))
        .join(l10n.t(', '));
      return going
        ? l10n.t('Searching the web for {0}', queries)
        : l10n.t('Searched the web for {0}', queries);
    }
    case 'openPage': {
      const host = hostText(action.url);
      return going ? l10n.t('Opening {0}', host) : l10n.t('Opened {0}', host);
    }
    case 'findInPage': {
      const pattern = l10n.t('“{0}”', visibleText(headingOf(action.pattern, 60)));
      const host = hostText(action.url);
      return going
        ? l10n.t('Looking for {0} in {1}', pattern, host)
        : l10n.t('Looked for {0} in {1}', pattern, host);
    }
    case 'other': {
      const name = visibleText(headingOf(action.name, 60));
      if (name === '') return going ? l10n.t('Using the web') : l10n.t('Used the web');
      return going ? l10n.t('Using the web: {0}', name) : l10n.t('Used the web: {0}', name);
    }
  }
}

export function sourcesText(count: number): string {
  return count === 1 ? l10n.t('1 source') : l10n.t('{0} sources', count);
}

function hostText(url: string | undefined): string {
  return (url === undefined ? undefined : sourceHost(url)) ?? l10n.t('a page');
}
