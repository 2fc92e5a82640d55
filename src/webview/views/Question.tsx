/** What the person asked, as typed. Long questions are folded after eight lines. It can be written anew in its place. */
import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Question as QuestionData } from '../../core/conversation/conversation.ts';
import { EditedContext, useBranches } from '../branches.ts';
import { l10n } from '../l10n.ts';
import { Chips } from './Chips.tsx';
import { EditQuestion } from './EditQuestion.tsx';
import { useKept } from './hooks.ts';
import { IconButton } from './IconButton.tsx';
import { EditIcon } from './icons.tsx';

export function Question({ question, turn }: { question: QuestionData; turn: string }): VNode {
  const branches = useBranches();
  const edited = useContext(EditedContext).includes(turn);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!edited && branches.takes(`question ${turn}`)) button.current?.focus();
  }, [edited, branches, turn]);
  if (edited) {
    return (
      <EditQuestion
        question={question}
        turn={turn}
        onCancel={() => {
          branches.want(`question ${turn}`);
          branches.cancelEdit(turn);
        }}
      />
    );
  }
  return (
    <div class="question">
      <Chips attachments={question.attachments} turn={turn} />
      <div class="question-row">
        <Words text={question.text} />
        <IconButton
          button={button}
          className="question-edit"
          name={l10n.t('Edit the question')}
          icon={<EditIcon />}
          onPress={() => branches.startEdit(turn, question)}
        />
      </div>
    </div>
  );
}

function Words({ text }: { text: string }): VNode {
  const words = useRef<HTMLDivElement>(null);
  const [long, setLong] = useState(false);
  const [open, setOpen] = useKept('question', false);
  useEffect(() => {
    const element = words.current;
    if (element === null || open) return undefined;
    // Told before the first painting too; asking for the height here would lay out every question of a long conversation.
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 2));
    observer.observe(element);
    return () => observer.disconnect();
  }, [open, text]);
  return (
    <div class="question-words">
      <div ref={words} class={open ? 'question-text' : 'question-text folded'} dir="auto">
        {text}
      </div>
      {long || open ? (
        <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? l10n.t('Show less') : l10n.t('Show all')}
        </button>
      ) : null}
    </div>
  );
}
