/** The conversation from top to bottom, and its way of staying at the end. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { onCopy } from '../copySelection.ts';
import { longestQuery, type Query } from '../find/query.ts';
import { RevealedContext, type Revealed } from '../find/revealed.ts';
import { l10n } from '../l10n.ts';
import { NearContext, NearScreen } from '../nearScreen.ts';
import { attach, type Sticky } from '../stickToBottom.ts';
import { Empty } from './Empty.tsx';
import { FindBar } from './FindBar.tsx';
import { LatestIcon } from './icons.tsx';
import { Orphans } from './Orphans.tsx';
import { Place } from './Place.tsx';
import { TurnGroup } from './TurnGroup.tsx';

export interface TranscriptProps {
  readonly conversation: Conversation;
  readonly panel: PanelState;
  /** Grows by one each time the end must come into view because the person sent something. */
  readonly endShown: number;
  /** Grows by one each time find is asked for. */
  readonly findAsked: number;
}

/** Turns that come and go together. */
const groupSize = 8;

function groupsOf(turns: readonly Turn[]): (readonly Turn[])[] {
  const count = Math.ceil(turns.length / groupSize);
  return Array.from({ length: count }, (_, index) => turns.slice(index * groupSize, (index + 1) * groupSize));
}

export function Transcript({ conversation, panel, endShown, findAsked }: TranscriptProps): VNode {
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
  const [find, setFind] = useState<
    { readonly from: Element | null; readonly scroller: HTMLElement } | undefined
  >();
  const [query, setQuery] = useState<Query>({ text: '', matchCase: false, wholeWord: false });
  const [revealed, setRevealed] = useState<Revealed | undefined>();
  const [asked, setAsked] = useState(0);
  const askedRef = useRef(findAsked);
  useLayoutEffect(() => {
    if (askedRef.current === findAsked) return;
    askedRef.current = findAsked;
    // Whoever types in it already goes on.
    if (document.activeElement?.matches('.find-text') === true) return;
    const text = selectedText();
    if (text !== undefined) setQuery((before) => ({ ...before, text }));
    const { current } = scroller;
    if (current !== null) setFind((before) => before ?? { from: document.activeElement, scroller: current });
    setAsked((count) => count + 1);
  }, [findAsked]);
  const closeFind = (): void => {
    setFind(undefined);
    setRevealed(undefined);
    const back = find?.from;
    if (back instanceof HTMLElement && back.isConnected && back !== document.body)
      back.focus({ preventScroll: true });
    else document.querySelector<HTMLElement>('.composer-text')?.focus({ preventScroll: true });
  };
  const shownRef = useRef(conversation);
  useLayoutEffect(() => {
    shownRef.current = conversation;
  }, [conversation]);
  useEffect(() => {
    const { current } = content;
    if (current === null) return undefined;
    const copy = (event: ClipboardEvent): void => onCopy(event, current, shownRef.current);
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, []);
  const { turns } = conversation;
  const groups = groupsOf(turns);
  return (
    <div class={find === undefined ? 'transcript-frame' : 'transcript-frame finding'}>
      {/* Scrolled with the keyboard too. */}
      <div ref={scroller} class="transcript" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <div
          ref={content}
          class={turns.length === 0 ? 'transcript-content without-turns' : 'transcript-content'}
        >
          {panel.orphans === undefined ? null : <Orphans proposals={panel.orphans} />}
          {turns.length === 0 ? <Empty panel={panel} /> : null}
          <RevealedContext.Provider value={revealed}>
            <NearContext.Provider value={near}>
              <Place name={conversation.id}>
                {groups.map((group, index) => (
                  <TurnGroup
                    key={group[0]?.id}
                    turns={group}
                    last={index === groups.length - 1}
                    first={index >= groups.length - 2}
                    pinned={revealed !== undefined && group.some(({ id }) => id === revealed.turn)}
                  />
                ))}
              </Place>
            </NearContext.Provider>
          </RevealedContext.Provider>
        </div>
      </div>
      {find === undefined ? null : (
        <FindBar
          conversation={conversation}
          scroller={find.scroller}
          query={query}
          onQuery={setQuery}
          asked={asked}
          onReveal={setRevealed}
          onStay={() => stickyRef.current?.stay()}
          onClose={closeFind}
        />
      )}
      {offered ? (
        <button type="button" class="jump" onClick={() => stickyRef.current?.jump()}>
          <LatestIcon />
          {l10n.t('Jump to latest')}
        </button>
      ) : null}
    </div>
  );
}

/** What is selected, if it is something to look for. */
function selectedText(): string | undefined {
  const text = document.getSelection()?.toString().trim() ?? '';
  return text === '' || text.includes('\n') || text.length > longestQuery ? undefined : text;
}
