/** Ways to make room in the context window. What is left out stays on the screen and can be had back. */
import type { VNode } from 'preact';
import type { ContextFacts } from '../../core/cost/facts.ts';
import type { Forecast } from '../../core/cost/forecast.ts';
import type { RoomOffer } from '../../protocol/toWebview.ts';
import { freesText, roomLabel, summaryFrees, summaryText } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { exactCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { useArmed } from './hooks.ts';

export interface RoomProps {
  readonly offers: readonly RoomOffer[];
  readonly context: ContextFacts;
  /** What the next question costs: the one for a summary takes about as much. */
  readonly next: Forecast;
}

export function Room({ offers, context, next }: RoomProps): VNode {
  const { post, hostNow } = useEnv();
  // The second half of a double click must not leave out what the first half made the next.
  const armed = useArmed(offers.map(({ what, turns }) => `${what} ${turns}`).join(), true);
  const frees = summaryFrees(context);
  return (
    <ul class="room">
      {offers.map((offer) => (
        <li key={offer.what}>
          <button
            type="button"
            class="button secondary"
            onClick={armed(() => post({ kind: 'makeRoom', what: offer.what }))}
          >
            {roomLabel(offer.what, offer.turns)}
          </button>
          <span class="quiet" title={exactCount(offer.tokens)}>
            {freesText(offer, context.cacheUntil, hostNow())}
          </span>
        </li>
      ))}
      <li>
        <button type="button" class="button secondary" onClick={armed(() => post({ kind: 'summarize' }))}>
          {l10n.t('New chat with a summary')}
        </button>
        <span class="quiet" title={exactCount(frees)}>
          {summaryText(context, next)}
        </span>
      </li>
    </ul>
  );
}
