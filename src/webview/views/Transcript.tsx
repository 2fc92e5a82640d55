/** The conversation from top to bottom, and its way of staying at the end. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { l10n } from '../l10n.ts';
import { NearContext, NearScreen } from '../nearScreen.ts';
import { attach, type Sticky } from '../stickToBottom.ts';
import { Empty } from './Empty.tsx';
import { LatestIcon } from './icons.tsx';
import { Orphans } from './Orphans.tsx';
import { Place } from './Place.tsx';
import { TurnGroup } from './TurnGroup.tsx';

export interface TranscriptProps {
  readonly conversation: Conversation;
  readonly panel: PanelState;
  /** Grows by one each time the end must come into view because the person sent something. */
  readonly endShown: number;
}

/** Turns that come and go together. */
const groupSize = 8;

function groupsOf(turns: readonly Turn[]): (readonly Turn[])[] {
  const count = Math.ceil(turns.length / groupSize);
  return Array.from({ length: count }, (_, index) => turns.slice(index * groupSize, (index + 1) * groupSize));
}

export function Transcript({ conversation, panel, endShown }: TranscriptProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stickyRef = useRef<Sticky | undefined>(undefined);
  const [offered, setOffered] = useState(false);
  const [near] = useState(() => new NearScreen());
  useEffect(() => {
    if (scroller.current === null || content.current === null) return undefined;
    const attached = attach(scroller.current, content.current, setOffered);
    stickyRef.current = attached;
    const stop = near.start(scroller.current);
    return () => {
      attached.dispose();
      stop();
    };
  }, [near]);
  useEffect(() => stickyRef.current?.jump(), [endShown, conversation.id]);
  const { turns } = conversation;
  const groups = groupsOf(turns);
  return (
    <div class="transcript-frame">
      {/* Scrolled with the keyboard too. */}
      <div ref={scroller} class="transcript" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <div ref={content} class="transcript-content">
          {panel.orphans === undefined ? null : <Orphans proposals={panel.orphans} />}
          {turns.length === 0 ? <Empty panel={panel} /> : null}
          <NearContext.Provider value={near}>
            <Place name={conversation.id}>
              {groups.map((group, index) => (
                <TurnGroup
                  key={group[0]?.id}
                  turns={group}
                  last={index === groups.length - 1}
                  first={index >= groups.length - 2}
                  pinned={false}
                />
              ))}
            </Place>
          </NearContext.Provider>
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
