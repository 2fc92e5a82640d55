/** One question with all that answered it. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Part, Turn } from '../../core/conversation/conversation.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { activityOf, headingOf, isPatch, reasoningTokens } from '../turnFacts.ts';
import { Answer } from './Answer.tsx';
import { Cut } from './Cut.tsx';
import { Deleted } from './Deleted.tsx';
import { Footer } from './Footer.tsx';
import { Guard } from './Guard.tsx';
import { Notice } from './Notice.tsx';
import { PatchCard } from './PatchCard.tsx';
import { Place } from './Place.tsx';
import { Question } from './Question.tsx';
import { Reasoning } from './Reasoning.tsx';
import { Retry } from './Retry.tsx';
import { ToolLine } from './ToolLine.tsx';
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
      {turn.parts.map((part, index) => (
        <Guard key={part.id} text={part.kind === 'tool' ? part.input : part.sections.join('\n\n')}>
          <Place name={part.id}>
            <PartView part={part} turn={turn} current={index === turn.parts.length - 1} />
          </Place>
        </Guard>
      ))}
      {activity?.kind === 'retrying' ? <Retry retry={activity.retry} /> : null}
      {activity === undefined || activity.kind === 'retrying' ? null : (
        <Waiting turn={turn} activity={activity} />
      )}
      <Notice turn={turn} last={last} />
      <Footer turn={turn} />
    </article>
  );
});

function PartView({ part, turn, current }: { part: Part; turn: Turn; current: boolean }): VNode {
  const ended = turn.end !== undefined;
  switch (part.kind) {
    case 'reasoning': {
      const tokens = reasoningTokens(turn, part);
      return (
        <Reasoning
          part={part}
          current={current && !ended}
          ended={ended}
          {...(tokens !== undefined && { tokens })}
        />
      );
    }
    case 'answer':
      return <Answer part={part} ended={ended} />;
    case 'tool':
      return isPatch(part) ? <PatchCard part={part} ended={ended} /> : <ToolLine part={part} ended={ended} />;
  }
}
