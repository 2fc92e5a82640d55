/** What is said of a question that something secret was found in. Pure. */
import { exactCount } from './figures.ts';
import { l10n } from './l10n.ts';
import type { SecretsStep } from './store.ts';

type Found = Pick<SecretsStep, 'places' | 'more'>;

export function secretsTitle({ places, more }: Found): string {
  const count = places.reduce((sum, { found }) => sum + found.length, more);
  return count === 1
    ? l10n.t('Something here looks secret. Nothing was sent yet.')
    : l10n.t('{0} places here look secret. Nothing was sent yet.', exactCount(count));
}

/** What the choice comes to. */
export function secretsNote(step: Found): string {
  const masked = l10n.t('Masked, the model sees that something stood there, not what.');
  return hasOwn(step) ? l10n.flow(masked, l10n.t('The API key of this chat is masked in any case.')) : masked;
}

export function moreText(more: number): string {
  return more === 1 ? l10n.t('And 1 more.') : l10n.t('And {0} more.', exactCount(more));
}

/** There is something in it that leaves when the person says so. */
export function mayBeSent({ places, more }: Found): boolean {
  return more > 0 || places.some(({ found }) => found.some(({ what }) => what !== 'ownKey'));
}

function hasOwn({ places }: Found): boolean {
  return places.some(({ found }) => found.some(({ what }) => what === 'ownKey'));
}
