/** What is said of the switch that lets the service search the web. Pure. */
import type { PanelState, WebSearchFacts } from '../protocol/toWebview.ts';
import { shortCount } from './figures.ts';
import { visibleText } from './invisible.ts';
import { l10n } from './l10n.ts';

/** The state and what it means, a line each. */
export function webSearchTitle(facts: WebSearchFacts): string {
  return [
    facts.on
      ? l10n.t('Web search is on in this conversation. What the service finds is paid for as input.')
      : l10n.t('Web search is off in this conversation.'),
    ...sitesLine(facts),
  ].join('\n');
}

function sitesLine({ domains = [], domainCount = domains.length, unusable }: WebSearchFacts): string[] {
  if (unusable === true || domains.length === 0) return [];
  const named = domains.map(visibleText).join(l10n.t(', '));
  const others = domainCount - domains.length;
  if (others === 0) return [l10n.t('Only on {0}.', named)];
  return [
    others === 1
      ? l10n.t('Only on {0} and 1 other site.', named)
      : l10n.t('Only on {0} and {1} other sites.', named, others),
  ];
}

export interface WebSearchHint {
  readonly text: string;
  /** It is about the list of sites in the settings. */
  readonly sites?: true;
}

/** What a person should know before they send; undefined when there is nothing. */
export function webSearchHint({
  webSearch,
  context,
}: Pick<PanelState, 'webSearch' | 'context'>): WebSearchHint | undefined {
  if (webSearch === undefined) return undefined;
  const { on, differs, unread = 0, unusable } = webSearch;
  if (on && unusable === true) {
    return {
      text: l10n.t('The web is not searched: none of the sites in the settings can be read.'),
      sites: true,
    };
  }
  if (differs === true) {
    const used = context?.used ?? 0;
    const what = on
      ? l10n.t('Web search is on from the next question.')
      : l10n.t('Web search is off from the next question.');
    return {
      text:
        used === 0
          ? what
          : l10n.flow(
              what,
              l10n.t(
                'It loses the cache: about {0} tokens of this conversation are read anew.',
                shortCount(used),
              ),
            ),
    };
  }
  if (on && unread > 0) {
    return {
      text:
        unread === 1
          ? l10n.t('1 of the sites for web search can’t be read and is left out.')
          : l10n.t('{0} of the sites for web search can’t be read and are left out.', unread),
      sites: true,
    };
  }
  return undefined;
}
