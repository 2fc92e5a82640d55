/** What the model says: plain on the panel's background. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AnswerPart, Citation } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { memo } from '../memo.ts';
import { Cited } from './Cited.tsx';
import { Place } from './Place.tsx';

const none: readonly Citation[] = [];

/** Milliseconds. */
const justNow = 5000;

export interface AnswerProps {
  readonly part: AnswerPart;
  /** The turn has ended, so nothing will be added even if the part was never closed. */
  readonly ended: boolean;
}

export const Answer = memo(({ part, ended }: AnswerProps): VNode => {
  const { hostNow, announce } = useEnv();
  // What was there when the panel opened is not read out.
  const [onSentence] = useState(() => (hostNow() - part.openedAt < justNow ? announce : undefined));
  const closed = ended || part.closedAt !== undefined;
  return (
    <div class="answer">
      {part.sections.map((section, index) => (
        <Place key={index} name={String(index)}>
          <Cited
            section={index}
            citations={part.citations ?? none}
            text={section}
            done={closed || index < part.sections.length - 1}
            {...(onSentence !== undefined && { onSentence })}
          />
        </Place>
      ))}
    </div>
  );
});
