/** How full the model's window is and what was spent, in one quiet line that opens to tell what it is made of. */
import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { BillSum } from '../../core/cost/bill.ts';
import type { ContextFacts, ContextLevel, SpendingFacts } from '../../core/cost/facts.ts';
import type { LeftOut, RoomOffer } from '../../protocol/toWebview.ts';
import { costText, familyLines, lastTurnText, namingLine, spentText } from '../billText.ts';
import {
  cacheEndText,
  forecastLines,
  levelWith,
  shareWith,
  todayText,
  usedText,
  warningText,
  withLimit,
} from '../contextText.ts';
import { dotted } from '../dot.ts';
import { useEnv } from '../env.ts';
import { exactCount, percent, shortCounts } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { RunningSum } from '../runningSum.ts';
import { otherOffers } from '../windowMap.ts';
import { useEscape, useMinutes } from './hooks.ts';
import { WarningIcon } from './icons.tsx';
import { Room } from './Room.tsx';
import { WindowMap } from './WindowMap.tsx';

export interface MeterProps {
  readonly conversation: Conversation;
  readonly context: ContextFacts;
  readonly spending: SpendingFacts;
  readonly room: readonly RoomOffer[];
  readonly leftOut: LeftOut | undefined;
  /** Grows by one each time what can be left out is to be shown. */
  readonly shown: number;
}

export function Meter({ conversation, context, spending, room, leftOut, shown }: MeterProps): VNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const details = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  const [running] = useState(() => new RunningSum());
  // A meter of a new conversation is not what was to be shown in the one before.
  const shownRef = useRef(shown);
  useEscape(details, () => {
    setOpen(false);
    button.current?.focus();
  });
  useEffect(() => {
    if (shown === shownRef.current) return;
    shownRef.current = shown;
    setOpen(true);
    button.current?.focus();
  }, [shown]);
  const { used, window } = context;
  const level = levelWith(context, spending.next);
  const own = running.of(conversation, spending.prices);
  const sum = spending.family?.whole ?? own;
  const cost = costText(sum);
  const text = [
    l10n.t('{0} of {1} tokens', ...shortCounts(used, window)),
    ...(cost === undefined ? [] : [cost]),
  ];
  return (
    <div class={`meter meter-${level}`}>
      <section
        ref={details}
        id={id}
        class="meter-details"
        aria-label={l10n.t('Context and cost')}
        hidden={!open}
      >
        {open ? <Details {...{ sum, context, spending, room, leftOut }} turns={conversation.turns} /> : null}
      </section>
      <button
        ref={button}
        type="button"
        class="fold-line meter-line"
        aria-expanded={open}
        aria-controls={id}
        title={l10n.t(
          '{0} of {1} tokens, {2} of the context window',
          exactCount(used),
          exactCount(window),
          percent(used / window),
        )}
        onClick={() => setOpen(!open)}
      >
        <Ring share={used / window} />
        <span class="fold-summary">{dotted(text)}</span>
        {level === 'fine' ? null : <Warning level={level} share={shareWith(context, spending.next)} />}
      </button>
    </div>
  );
}

function Warning({ level, share }: { level: ContextLevel; share: number }): VNode {
  return (
    <span class="meter-warning">
      <WarningIcon />
      {level === 'over' ? l10n.t('too much') : l10n.t('{0} used', percent(share))}
    </span>
  );
}

/** Decoration: the share stands beside it in figures. */
function Ring({ share }: { share: number }): VNode {
  const around = 2 * Math.PI * 5.5;
  // A little is to be seen, too.
  const filled = around * Math.min(1, Math.max(0.02, share));
  return (
    <svg class="ring" viewBox="0 0 16 16" width="16" height="16" fill="none" aria-hidden="true">
      <circle class="ring-whole" cx="8" cy="8" r="5.5" />
      <circle
        class="ring-share"
        cx="8"
        cy="8"
        r="5.5"
        stroke-dasharray={`${filled} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}

interface DetailsProps extends Pick<MeterProps, 'context' | 'spending' | 'room' | 'leftOut'> {
  readonly sum: BillSum;
  readonly turns: readonly Turn[];
}

function Details({ sum, turns, context, spending, room, leftOut }: DetailsProps): VNode {
  const { post } = useEnv();
  const warning = warningText(context, spending.next);
  const last = lastTurnText(turns, spending.prices);
  const naming = namingLine(turns, spending.prices);
  return (
    <>
      {warning === undefined ? null : <p class="meter-warning-text">{warning}</p>}
      <h3>{l10n.t('What the model sees')}</h3>
      <WindowMap context={context} offers={room} leftOut={leftOut} turns={turns} />
      <p>{usedText(context)}</p>
      <h3>{l10n.t('The next question')}</h3>
      {forecastLines(spending.next).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {context.cacheUntil === undefined ? null : <CacheEnd until={context.cacheUntil} />}
      <h3>{l10n.t('Spent')}</h3>
      {last === undefined ? null : <p>{last}</p>}
      <p>{l10n.t('In this chat: {0}', withLimit(spentText(sum), spending.limits.conversation))}</p>
      {naming === undefined ? null : <p>{naming}</p>}
      {familyLines(spending.family).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>{l10n.t('Today, in all windows: {0}', todayText(spending))}</p>
      {spending.unkept === true ? (
        <p>{l10n.t('The usage history can’t be written: only what this window spent is known.')}</p>
      ) : null}
      <div class="notice-buttons">
        <button type="button" class="text-button" onClick={() => post({ kind: 'showUsage' })}>
          {l10n.t('Usage history')}
        </button>
        <button type="button" class="text-button" onClick={() => post({ kind: 'openSettings' })}>
          {l10n.t('Settings')}
        </button>
      </div>
      {turns.length === 0 ? null : (
        <>
          <h3>{l10n.t('Make room')}</h3>
          <Room offers={otherOffers(room)} context={context} next={spending.next} />
        </>
      )}
    </>
  );
}

function CacheEnd({ until }: { until: number }): VNode {
  const { hostNow } = useEnv();
  useMinutes(until);
  return <p>{cacheEndText(until, hostNow())}</p>;
}
