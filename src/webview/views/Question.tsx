/** What the person asked, as typed. Long questions are folded after eight lines. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Question as QuestionData } from '../../core/conversation/conversation.ts';
import { l10n } from '../l10n.ts';
import { Chips } from './Chips.tsx';
import { useKept } from './hooks.ts';

export function Question({ question, turn }: { question: QuestionData; turn: string }): VNode {
  const text = useRef<HTMLDivElement>(null);
  const [long, setLong] = useState(false);
  const [open, setOpen] = useKept('question', false);
  useEffect(() => {
    const element = text.current;
    if (element === null || open) return undefined;
    // Told before the first painting too; asking for the height here would lay out every question of a long conversation.
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 2));
    observer.observe(element);
    return () => observer.disconnect();
  }, [open, question.text]);
  return (
    <div class="question">
      <Chips attachments={question.attachments} turn={turn} />
      <div ref={text} class={open ? 'question-text' : 'question-text folded'} dir="auto">
        {question.text}
      </div>
      {long || open ? (
        <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? l10n.t('Show less') : l10n.t('Show all')}
        </button>
      ) : null}
    </div>
  );
}
