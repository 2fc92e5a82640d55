/** What is said before another model or effort is taken in a conversation. Pure. */
import type { Effort, ModelId } from '../core/conversation/conversation.ts';
import type { Forecast } from '../core/cost/forecast.ts';
import { plainMoney, shortCount } from './figures.ts';
import { l10n } from './l10n.ts';
import { askedWith } from './modelText.ts';

export interface SwitchFacts {
  readonly model: ModelId;
  readonly effort: Effort;
  /** The next question as things are. */
  readonly now: Forecast;
  /** The next question after switching; undefined until it is known. */
  readonly next: Forecast | undefined;
}

/** Nothing is lost where nothing would be found in the cache. */
export function losesCache(started: boolean, now: Forecast | undefined): boolean {
  return started && now !== undefined && now.cached > 0;
}

export function switchLines({ model, effort, now, next }: SwitchFacts): readonly string[] {
  return [
    l10n.t(
      'Switching to {0} loses the cache: about {1} tokens of this conversation are read anew.',
      askedWith({ model, effort }),
      shortCount(now.cached),
    ),
    ...(next === undefined
      ? []
      : [
          l10n.t(
            'The next question costs about {0} instead of {1}.',
            plainMoney(next.money.likely),
            plainMoney(now.money.likely),
          ),
        ]),
    ...(effort === 'max' ? [maxText()] : []),
  ];
}

export function maxText(): string {
  return l10n.t('Max thinks longest: answers take a while and cost most.');
}
