/** Why a turn found in the service's cache what it found, in one line. Pure. */
import type { CacheReason, CacheStory } from '../core/cost/why.ts';
import { duration, exactCount, percent } from './figures.ts';
import { l10n } from './l10n.ts';

export function cacheText({ input, cached, reason }: CacheStory): string {
  const share = input === 0 || cached === 0 ? undefined : percent(Math.min(1, cached / input));
  switch (reason.kind) {
    case 'first':
      return share === undefined
        ? l10n.t('First question: nothing was cached.')
        : l10n.t('First question: {0} of it was cached already.', share);
    case 'found':
      return l10n.t('The beginning was found in the cache.');
    case 'partly':
      return l10n.t(
        'Of about {0} tokens that were cached, only a part was found.',
        exactCount(reason.expected),
      );
    case 'changed':
      return changedText(reason, share);
    case 'short':
      return l10n.t('What was sent before is too short to be cached.');
    case 'expired':
      return l10n.t(
        'The cache had expired: {0} since the last request, kept for {1}.',
        duration(reason.idle),
        duration(reason.life),
      );
    case 'mayHaveExpired':
      return l10n.t(
        'The cache had probably expired: {0} since the last request, kept for {1}.',
        duration(reason.idle),
        duration(reason.life),
      );
    case 'missed':
      return l10n.t(
        'Nothing was found in the cache, only {0} after the last request. It should be kept for {1}.',
        duration(reason.idle),
        duration(reason.life),
      );
    case 'running':
    case 'unbilled':
    case 'untold':
      return l10n.t('The service told nothing of its cache.');
  }
}

/** Whole sentences, for languages that put them together otherwise. */
function changedText(
  { by, same, of }: Extract<CacheReason, { kind: 'changed' }>,
  share: string | undefined,
): string {
  switch (by) {
    case 'model':
      return share === undefined
        ? l10n.t('New model: nothing was cached.')
        : l10n.t('New model: {0} was cached all the same.', share);
    case 'effort':
      return share === undefined
        ? l10n.t('New effort: nothing was cached.')
        : l10n.t('New effort: {0} was cached all the same.', share);
    case 'instructions':
      return share === undefined
        ? l10n.t('New instructions: nothing was cached.')
        : l10n.t('New instructions: {0} was cached all the same.', share);
    case 'tools':
      return share === undefined
        ? l10n.t('Other tools: nothing was cached.')
        : l10n.t('Other tools: {0} was cached all the same.', share);
    case 'input':
      return l10n.t(
        'The conversation was changed behind {0} of {1} items: what follows was read anew.',
        exactCount(same),
        exactCount(of),
      );
  }
}
