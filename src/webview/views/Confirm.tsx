/** In the composer: what is dearer than the person wants without being asked. What they typed stays. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Forecast } from '../../core/cost/forecast.ts';
import type { DearIntent } from '../../protocol/toHost.ts';
import { confirmText, forecastLines } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { useArmed, useEscape } from './hooks.ts';

export interface ConfirmProps {
  readonly asked: DearIntent;
  readonly next: Forecast;
  readonly confirmAbove: number | undefined;
  readonly onSend: () => void;
  readonly onCancel: () => void;
}

export function Confirm({ asked, next, confirmAbove, onSend, onCancel }: ConfirmProps): VNode {
  const { announce } = useEnv();
  const group = useRef<HTMLDivElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const text = confirmText(asked.kind, next, confirmAbove);
  const id = askedId(asked);
  // A second Enter meant for the composer must not agree.
  const armed = useArmed(`${id} ${next.money.likely}`);
  useEscape(group, onCancel);
  useLayoutEffect(() => send.current?.focus(), [id, text]);
  useEffect(() => announce(text), [announce, id, text]);
  return (
    <div ref={group} class="confirm" role="group" aria-label={text}>
      <p>{text}</p>
      {forecastLines(next).map((line) => (
        <p key={line} class="quiet">
          {line}
        </p>
      ))}
      <div class="notice-buttons">
        <button
          ref={send}
          type="button"
          class="button"
          onKeyDown={(event) => {
            // The key that sent the question, held down for longer.
            if (event.repeat && event.key === 'Enter') event.preventDefault();
          }}
          onClick={armed(onSend)}
        >
          {agreeLabel(asked.kind)}
        </button>
        <button type="button" class="button secondary" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </div>
  );
}

/** Changes with what is asked about. */
function askedId(asked: DearIntent): string {
  switch (asked.kind) {
    case 'send':
      return asked.id;
    case 'resume':
      return asked.turn;
    case 'summarize':
      return asked.kind;
    case 'edit':
    case 'answerAgain':
      return asked.id;
    case 'sendQueued':
      return asked.question;
  }
}

function agreeLabel(kind: DearIntent['kind']): string {
  switch (kind) {
    case 'send':
      return l10n.t('Send');
    case 'resume':
      return l10n.t('Go on');
    case 'summarize':
      return l10n.t('Ask for it');
    case 'edit':
    case 'sendQueued':
      return l10n.t('Send');
    case 'answerAgain':
      return l10n.t('Answer again');
  }
}
