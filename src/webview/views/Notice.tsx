/** How a turn ended when it did not end well: one sentence, one button that helps. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Turn, TurnEnd } from '../../core/conversation/conversation.ts';
import { useEnv, useService } from '../env.ts';
import { endHelp, type HelpButton } from '../failureText.ts';
import { runningTime } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { brokenWords, cutOffOf } from '../turnFacts.ts';
import { WarningIcon } from './icons.tsx';
import { useArmed, useCountdown } from './hooks.ts';

export interface NoticeProps {
  readonly turn: Turn;
  /** Only the last turn can go on. */
  readonly last: boolean;
}

/** Nearly every turn of a long conversation has nothing of it, and is to cost nothing. */
export function Notice({ turn, last }: NoticeProps): VNode | null {
  return turn.end === undefined || turn.end.kind === 'completed' ? null : (
    <EarlyEnd turn={turn} end={turn.end} last={last} />
  );
}

function EarlyEnd({ turn, end, last }: NoticeProps & { readonly end: TurnEnd }): VNode | null {
  const { help, isAlone } = useEnv();
  const service = useService();
  const armed = useArmed(`${end.kind} ${turn.endedAt ?? ''}`);
  const [told, setTold] = useState(false);
  const info = endHelp(end, {
    words: brokenWords(turn, l10n.locale),
    service,
    cutOff: cutOffOf(turn),
    alone: isAlone(turn),
    nothing: turn.parts.length === 0,
  });
  const waitUntil =
    info?.waitFor === undefined || turn.endedAt === undefined || !last
      ? undefined
      : turn.endedAt + info.waitFor;
  const left = useCountdown(waitUntil);
  if (info === undefined) return null;
  const failed = end.kind === 'failed';
  const button = ({ label, action }: HelpButton, className: string, wait: number): VNode => (
    <button
      type="button"
      class={className}
      disabled={wait > 0}
      onClick={armed(() => help(action, { id: turn.id, question: turn.question.text }))}
    >
      {wait > 0 ? l10n.t('{0} in {1}', label, runningTime(wait + 999)) : label}
    </button>
  );
  // What the model no longer sees can't be gone on with.
  const goesOn = last && turn.cut?.whole !== true;
  const buttons = goesOn || info.detail !== undefined;
  return (
    <div class={failed ? 'notice failed' : 'notice quiet-end'}>
      {failed ? <WarningIcon /> : null}
      <div class="notice-body">
        <p>{info.text}</p>
        {buttons ? (
          <div class="notice-buttons">
            {goesOn ? button(info.button, failed ? 'button' : 'text-button', left) : null}
            {goesOn && info.also !== undefined ? button(info.also, 'text-button', 0) : null}
            {info.detail === undefined ? null : (
              <button type="button" class="text-button" aria-expanded={told} onClick={() => setTold(!told)}>
                {told ? l10n.t('Hide details') : l10n.t('Details')}
              </button>
            )}
          </div>
        ) : null}
        {told && info.detail !== undefined ? (
          // Long text is scrolled, also with the keyboard.
          <pre class="notice-detail" dir="auto" tabIndex={0} role="group" aria-label={l10n.t('Details')}>
            {info.detail}
          </pre>
        ) : null}
      </div>
    </div>
  );
}
