/** Questions that wait for the end of the turn: above the composer, in the order in which they will be asked. */
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { QueuedQuestion, QueueFacts } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { queueText, sendNowText, type QueueMoment } from '../queueText.ts';
import { headingOf } from '../turnFacts.ts';
import { Chips } from './Chips.tsx';
import { IconButton } from './IconButton.tsx';
import { CloseIcon, EditIcon, SendIcon } from './icons.tsx';

export interface QueuedProps {
  readonly queue: QueueFacts;
  readonly moment: QueueMoment;
  /** What stands in the composer now. */
  readonly draft: () => string;
}

/** In characters as people count them: more than fits into a line. */
const longest = 200;

export function Queued({ queue: { questions, paused }, moment, draft }: QueuedProps): VNode | null {
  const { post, announce } = useEnv();
  const list = useRef<HTMLOListElement>(null);
  /** The button that takes the place of the one that was pressed. */
  const nextRef = useRef<string | undefined>(undefined);
  /** Of these one is on its way to the composer: until it is there, what stands in the composer would be exchanged twice. */
  const editedRef = useRef<readonly QueuedQuestion[] | undefined>(undefined);
  const edit = (id: string): void => {
    if (editedRef.current === questions) return;
    editedRef.current = questions;
    post({ kind: 'editQueued', question: id, draft: draft() });
  };
  // Of what was taken out nothing is to be said but that.
  const waits = questions.some(({ removed }) => removed !== true);
  const status = waits ? queueText(paused, moment) : '';
  useLayoutEffect(() => {
    if (nextRef.current === undefined) return;
    const next = list.current?.querySelector<HTMLElement>(nextRef.current);
    if (next === null || next === undefined) return;
    nextRef.current = undefined;
    next.focus();
  });
  const pausedText = paused === undefined ? '' : status;
  useEffect(() => {
    if (pausedText !== '') announce(pausedText);
  }, [announce, pausedText]);
  if (questions.length === 0) return null;
  const next = (id: string, button: string): void => {
    nextRef.current = `[data-question="${CSS.escape(id)}"] ${button}`;
  };
  return (
    <section class="queue" aria-label={l10n.t('Queued questions')}>
      {status === '' ? null : (
        <p class={paused === undefined ? 'queue-status' : 'queue-status paused'}>{status}</p>
      )}
      <ol ref={list}>
        {questions.map((question) =>
          question.removed === true ? (
            <li key={question.id} class="queued removed" data-question={question.id}>
              <span class="queued-text">{l10n.t('Removed from the queue.')}</span>
              <button
                type="button"
                class="link queue-undo"
                onClick={() => {
                  next(question.id, '.queue-remove');
                  post({ kind: 'restoreQueued', question: question.id });
                }}
              >
                {l10n.t('Undo')}
              </button>
            </li>
          ) : (
            <Row
              key={question.id}
              question={question}
              sendTitle={sendNowText(moment)}
              onEdit={() => edit(question.id)}
              onRemove={() => {
                next(question.id, '.queue-undo');
                post({ kind: 'removeQueued', question: question.id });
              }}
              onSend={() => post({ kind: 'sendQueued', question: question.id })}
            />
          ),
        )}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly question: QueuedQuestion;
  readonly sendTitle: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onSend: () => void;
}

function Row({ question, sendTitle, onEdit, onRemove, onSend }: RowProps): VNode {
  const id = useId();
  const line = headingOf(question.text, longest);
  const name = visibleText(line);
  return (
    <li class="queued" data-question={question.id}>
      <span id={id} class="queued-text" dir="auto" title={name}>
        <Plain text={line} />
      </span>
      <span class="queued-buttons">
        <IconButton
          className="queue-edit"
          name={l10n.t('Edit {0}', name)}
          title={l10n.t('Edit in the composer')}
          icon={<EditIcon />}
          onPress={onEdit}
        />
        <IconButton
          className="queue-remove"
          name={l10n.t('Remove {0}', name)}
          title={l10n.t('Remove')}
          icon={<CloseIcon />}
          onPress={onRemove}
        />
        <IconButton
          className="queue-send"
          name={sendTitle}
          describedBy={id}
          icon={<SendIcon />}
          onPress={onSend}
        />
      </span>
      <Chips attachments={question.attachments} queued />
    </li>
  );
}
