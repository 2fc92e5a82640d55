/** The conversation from top to bottom, and its way of staying at the end. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { l10n } from '../l10n.ts';
import { attach, type Sticky } from '../stickToBottom.ts';
import { Empty } from './Empty.tsx';
import { LatestIcon } from './icons.tsx';
import { TurnView } from './TurnView.tsx';

export interface TranscriptProps {
  readonly conversation: Conversation;
  readonly panel: PanelState;
  /** Grows by one each time the end must come into view because the person sent something. */
  readonly endShown: number;
}

export function Transcript({ conversation, panel, endShown }: TranscriptProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stickyRef = useRef<Sticky | undefined>(undefined);
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    if (scroller.current === null || content.current === null) return undefined;
    const attached = attach(scroller.current, content.current, setOffered);
    stickyRef.current = attached;
    return () => attached.dispose();
  }, []);
  useEffect(() => stickyRef.current?.jump(), [endShown, conversation.id]);
  const { turns } = conversation;
  return (
    <div class="transcript-frame">
      {/* Scrolled with the keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={scroller} class="transcript" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <div ref={content} class="transcript-content">
          {turns.length === 0 ? <Empty panel={panel} /> : null}
          {turns.map((turn, index) => (
            <TurnView key={turn.id} turn={turn} last={index === turns.length - 1} />
          ))}
        </div>
      </div>
      {offered ? (
        <button type="button" class="jump" onClick={() => stickyRef.current?.jump()}>
          <LatestIcon />
          {l10n.t('Jump to latest')}
        </button>
      ) : null}
    </div>
  );
}
