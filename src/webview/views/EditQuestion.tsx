/** A question that is written anew in its place: its chips, its text, and what sending it costs. The turn stays as another version. */
import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Question } from '../../core/conversation/conversation.ts';
import { ChoiceContext, useBranches, useWeighed } from '../branches.ts';
import { useEnv } from '../env.ts';
import { keyMeaning, readKey } from '../keys.ts';
import { l10n } from '../l10n.ts';
import { Chips } from './Chips.tsx';
import { Forecast } from './Forecast.tsx';
import { growField } from './growField.ts';
import { useComposition } from './hooks.ts';

export interface EditQuestionProps {
  readonly question: Question;
  readonly turn: string;
  /** The person thought better of it. */
  readonly onCancel: () => void;
}

/** Milliseconds without a key after which the price of what is there is asked for. */
const restTime = 400;

export function EditQuestion({ question, turn, onCancel }: EditQuestionProps): VNode {
  const { post, announce, sendKey } = useEnv();
  const branches = useBranches();
  const choice = useContext(ChoiceContext);
  const weighed = useWeighed(turn, true);
  const field = useRef<HTMLTextAreaElement>(null);
  const composition = useComposition();
  const [edit, setEdit] = useState(() => branches.editOf(turn) ?? { text: question.text, dropped: [] });
  const { text, dropped } = edit;
  const { model, effort } = choice;
  const kept = question.attachments.filter(({ id }) => !dropped.includes(id));
  const change = (next: typeof edit): void => {
    setEdit(next);
    branches.changeEdit(turn, next);
  };
  // Before the first paint: the next key is for it.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || !branches.takes(`edit ${turn}`)) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [branches, turn]);
  useLayoutEffect(() => growField(field.current), [text]);
  const weighedRef = useRef(false);
  useEffect(() => {
    const attachments = question.attachments.map(({ id }) => id).filter((id) => !dropped.includes(id));
    const ask = (): void => {
      weighedRef.current = true;
      post({ kind: 'weigh', turn, model, effort, edit: { text, attachments } });
    };
    if (!weighedRef.current) return ask();
    const timer = setTimeout(ask, restTime);
    return () => clearTimeout(timer);
  }, [post, turn, model, effort, text, dropped, question.attachments]);

  const isKept = branches.isKept(turn);
  useEffect(() => {
    if (!isKept) announce(unkeptText());
  }, [announce, isKept]);

  const send = (): void => branches.sendEdit(turn, question);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !composition.takes(event)) {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
      return;
    }
    const typing = { ...composition.at(event), running: false, sendKey: sendKey() };
    if (keyMeaning(readKey(event), typing) !== 'send') return;
    event.preventDefault();
    send();
  };
  return (
    <div class="question editing" role="group" aria-label={l10n.t('Edit the question')}>
      <Chips
        attachments={kept}
        turn={turn}
        onRemove={(id) => {
          change({ text, dropped: [...dropped, id] });
          field.current?.focus();
        }}
      />
      <textarea
        ref={field}
        class="edit-text"
        rows={1}
        dir="auto"
        aria-label={l10n.t('Changed question')}
        value={text}
        onInput={(event) => change({ text: event.currentTarget.value, dropped })}
        onKeyDown={onKeyDown}
        {...composition.handlers}
      />
      {isKept ? null : <p class="hint">{unkeptText()}</p>}
      {weighed === undefined ? null : <Forecast turn={turn} next={weighed.next} />}
      <div class="notice-buttons">
        <button type="button" class="button" aria-disabled={text.trim() === ''} onClick={send}>
          {l10n.t('Send')}
        </button>
        <button type="button" class="button secondary" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </div>
  );
}

function unkeptText(): string {
  return l10n.t(
    'This is too long to be kept: send or copy it before you hide the panel or reload the window.',
  );
}
