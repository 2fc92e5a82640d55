/**
 * A few turns that are drawn together, and only while they are near the screen. Far away each is an article with its heading and
 * nothing else: the outline of the conversation stays whole for a screen reader, at three nodes a turn.
 */
import type { VNode } from 'preact';
import type { Turn } from '../../core/conversation/conversation.ts';
import { waitsForReview } from '../../core/conversation/waiting.ts';
import { turnHeight } from '../heights.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { useNear } from '../nearScreen.ts';
import { headingOf } from '../turnFacts.ts';
import { Place } from './Place.tsx';
import { TurnView } from './TurnView.tsx';

export interface TurnGroupProps {
  readonly turns: readonly Turn[];
  /** The last of them is the last of the conversation. */
  readonly last: boolean;
  /** Among the last ones: what is on the screen first. */
  readonly first: boolean;
  /** Something in it has to be there. */
  readonly pinned: boolean;
}

export const TurnGroup = memo(({ turns, last, first, pinned }: TurnGroupProps): VNode => {
  const { element, near, height } = useNear(
    first,
    pinned || last || turns.some((turn) => turn.end === undefined || waitsForReview(turn)),
  );
  if (near) {
    return (
      <div ref={element}>
        {turns.map((turn, index) => (
          <Place key={turn.id} name={turn.id}>
            <div data-turn={turn.id}>
              <TurnView turn={turn} last={last && index === turns.length - 1} />
            </div>
          </Place>
        ))}
      </div>
    );
  }
  const reckoned = height ?? turns.reduce((sum, turn) => sum + turnHeight(turn), 0);
  return (
    <div ref={element} class="far-turns" style={{ height: `${reckoned}px` }}>
      {turns.map((turn) => (
        <FarTurn key={turn.id} turn={turn.id} text={turn.question.text} />
      ))}
    </div>
  );
});

const FarTurn = memo(({ turn, text }: { turn: string; text: string }): VNode => {
  const heading = headingOf(text);
  return (
    <article data-far-turn={turn}>
      <h2>{heading === '' ? l10n.t('Question') : heading}</h2>
    </article>
  );
});
