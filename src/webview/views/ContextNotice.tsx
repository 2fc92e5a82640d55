/** Above the composer when the window is nearly or more than full: what is the matter, and what helps. Sending stays possible. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContextFacts, ContextLevel, SpendingFacts } from '../../core/cost/facts.ts';
import type { RoomOffer } from '../../protocol/toWebview.ts';
import { levelWith, tooMuch, warningText } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { WarningIcon } from './icons.tsx';
import { Room } from './Room.tsx';

export interface ContextNoticeProps {
  readonly context: ContextFacts;
  readonly spending: SpendingFacts;
  readonly room: readonly RoomOffer[];
  /** Something was asked, so that something can be left out. */
  readonly started: boolean;
  readonly onRoom: () => void;
}

export function ContextNotice({
  context,
  spending,
  room,
  started,
  onRoom,
}: ContextNoticeProps): VNode | null {
  const { announce } = useEnv();
  const level = levelWith(context, spending.next);
  const text = warningText(context, spending.next);
  const announcedRef = useRef<ContextLevel>('fine');
  useLayoutEffect(() => {
    // Once a level, not with each further token.
    if (announcedRef.current === level) return;
    announcedRef.current = level;
    if (text !== undefined) announce(text);
  });
  if (level === 'fine' || level === 'high' || text === undefined) return null;
  const helps = tooMuch(context, spending.next);
  return (
    <div class="notice context-notice">
      <WarningIcon />
      <div class="notice-body">
        <p>{text}</p>
        {helps.question ? (
          <p>{l10n.t('Much of it is the question itself: attach less, or shorten it.')}</p>
        ) : null}
        {!started || !helps.past ? null : level === 'over' ? (
          <Room offers={room} context={context} next={spending.next} />
        ) : (
          <button type="button" class="button secondary" onClick={onRoom}>
            {l10n.t('Make room')}
          </button>
        )}
      </div>
    </div>
  );
}
