/** The conversation from top to bottom, and its way of staying at the end. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { attach, type Sticky } from '../stickToBottom.ts';
import { Empty } from './Empty.tsx';
import { LatestIcon } from './icons.tsx';
import { Orphans } from './Orphans.tsx';
import { Place } from './Place.tsx';
import { TurnView } from './TurnView.tsx';

export interface TranscriptProps {
  readonly conversation: Conversation;
  readonly panel: PanelState;
  /** Grows by one each time the end must come into view because the person sent something. */
  readonly endShown: number;
}

/** Turns drawn together. Of a long conversation only the group in which something happens is looked at. */
const groupSize = 50;

function groupsOf(turns: readonly Turn[]): (readonly Turn[])[] {
  const count = Math.ceil(turns.length / groupSize);
  return Array.from({ length: count }, (_, index) => turns.slice(index * groupSize, (index + 1) * groupSize));
}

interface TurnsProps {
  readonly turns: readonly Turn[];
  /** The last of them is the last of the conversation. */
  readonly last: boolean;
}

const Turns = memo(
  ({ turns, last }: TurnsProps): VNode => (
    <div>
      {turns.map((turn, index) => (
        <Place key={turn.id} name={turn.id}>
          <TurnView turn={turn} last={last && index === turns.length - 1} />
        </Place>
      ))}
    </div>
  ),
  (before, after) =>
    before.last === after.last &&
    before.turns.length === after.turns.length &&
    before.turns.every((turn, index) => turn === after.turns[index]),
);

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
      <div ref={scroller} class="transcript" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <div ref={content} class="transcript-content">
          {panel.orphans === undefined ? null : <Orphans proposals={panel.orphans} />}
          {turns.length === 0 ? <Empty panel={panel} /> : null}
          {groupsOf(turns).map((group) => (
            <Turns key={group[0]?.id} turns={group} last={group.at(-1) === turns.at(-1)} />
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
