/** One question with all that answered it. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Turn } from '../../core/conversation/conversation.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { activityOf, headingOf } from '../turnFacts.ts';
import { CommitMessage } from './CommitMessage.tsx';
import { Cut } from './Cut.tsx';
import { Deleted } from './Deleted.tsx';
import { Footer } from './Footer.tsx';
import { Notice } from './Notice.tsx';
import { Parts } from './Parts.tsx';
import { Question } from './Question.tsx';
import { Retry } from './Retry.tsx';
import { Versions } from './Versions.tsx';
import { Waiting } from './Waiting.tsx';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly last: boolean;
}

export const TurnView = memo(({ turn, last }: TurnViewProps): VNode => {
  const id = useId();
  if (turn.removed === true) {
    return (
      <article class={last ? 'turn removed last' : 'turn removed'} aria-labelledby={id}>
        <h2 id={id} class="visually-hidden">
          {l10n.t('Deleted question')}
        </h2>
        <Deleted turn={turn.id} />
        <Versions turn={turn.id} />
      </article>
    );
  }
  const heading = headingOf(turn.question.text);
  const activity = activityOf(turn);
  return (
    <article
      class={['turn', last ? 'last' : '', turn.cut?.whole === true ? 'left-out' : ''].join(' ').trim()}
      aria-labelledby={id}
    >
      <h2 id={id} class="visually-hidden">
        {heading === '' ? l10n.t('Question') : heading}
      </h2>
      <Question question={turn.question} turn={turn.id} />
      <Versions turn={turn.id} />
      <Cut turn={turn} />
      <Parts turn={turn} />
      {activity?.kind === 'retrying' ? <Retry retry={activity.retry} /> : null}
      {activity === undefined || activity.kind === 'retrying' ? null : (
        <Waiting turn={turn} activity={activity} />
      )}
      <CommitMessage turn={turn} />
      <Notice turn={turn} last={last} />
      <Footer turn={turn} />
    </article>
  );
});
