/** What the model says: plain on the panel's background. */
import type { MarkedToken } from 'marked';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AnswerPart } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { spokenText } from '../markdown/plainText.ts';
import { memo } from '../memo.ts';
import { Place } from './Place.tsx';

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
  const [onSettled] = useState(() =>
    hostNow() - part.openedAt < justNow ? (block: MarkedToken) => announce(spokenText(block)) : undefined,
  );
  const closed = ended || part.closedAt !== undefined;
  return (
    <div class="answer">
      {part.sections.map((section, index) => (
        <Place key={index} name={String(index)}>
          <Markdown
            text={section}
            done={closed || index < part.sections.length - 1}
            {...(onSettled !== undefined && { onSettled })}
          />
        </Place>
      ))}
    </div>
  );
});
