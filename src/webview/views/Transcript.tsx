/** The conversation from top to bottom, and its way of staying at the end. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { onCopy } from '../copySelection.ts';
import { longestQuery, type Query } from '../find/query.ts';
import { RevealedContext, type Revealed } from '../find/revealed.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { NearContext, NearScreen } from '../nearScreen.ts';
import { attach, type Sticky } from '../stickToBottom.ts';
import { Strips } from '../strips.ts';
import { Empty } from './Empty.tsx';
import { FindBar } from './FindBar.tsx';
import { LatestIcon } from './icons.tsx';
import { Orphans } from './Orphans.tsx';
import { Place } from './Place.tsx';
import { TurnGroup } from './TurnGroup.tsx';
import { useReadingPlace } from './useReadingPlace.ts';

export interface TranscriptProps {
  readonly conversation: Conversation;
  /** Turns stand before these, which are not here yet. */
  readonly earlier: boolean;
  readonly panel: PanelState;
  /** Grows by one each time the end must come into view because the person sent something. */
  readonly endShown: number;
  /** Grows by one each time find is asked for. */
  readonly findAsked: number;
}

/** Turns that come and go together. */
const groupSize = 8;
/** Groups that are passed over together while none of them changes. */
const stripSize = 16;

/** A key that is typed into the composer is nothing to it. */
export const Transcript = memo(
  ({ conversation, earlier, panel, endShown, findAsked }: TranscriptProps): VNode => {
    const scroller = useRef<HTMLDivElement>(null);
    const content = useRef<HTMLDivElement>(null);
    const stickyRef = useRef<Sticky | undefined>(undefined);
    const [offered, setOffered] = useState(false);
    const [near] = useState(() => new NearScreen());
    const [groups] = useState(() => new Strips<Turn>(groupSize));
    const [strips] = useState(() => new Strips<readonly Turn[]>(stripSize));
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
    const goNowhere = useReadingPlace({
      scroller,
      sticky: stickyRef,
      conversation: conversation.id,
      earlier,
      count: conversation.turns.length,
    });
    const endRef = useRef(endShown);
    useEffect(() => {
      if (endRef.current === endShown) return;
      endRef.current = endShown;
      goNowhere();
      stickyRef.current?.jump();
    }, [endShown, goNowhere]);
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
      if (current !== null)
        setFind((before) => before ?? { from: document.activeElement, scroller: current });
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
    const all = groups.of(turns);
    return (
      <div class={find === undefined ? 'transcript-frame' : 'transcript-frame finding'}>
        {/* Scrolled with the keyboard too. */}
        <div ref={scroller} class="transcript" tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
          <div
            ref={content}
            class={turns.length === 0 ? 'transcript-content without-turns' : 'transcript-content'}
          >
            {panel.orphans === undefined ? null : <Orphans proposals={panel.orphans} />}
            {earlier ? <p class="earlier">{l10n.t('Loading earlier questions…')}</p> : null}
            {turns.length === 0 ? <Empty panel={panel} /> : null}
            <RevealedContext.Provider value={revealed}>
              <NearContext.Provider value={near}>
                <Place name={conversation.id}>
                  {strips.of(all).map((strip, index) => (
                    <TurnStrip
                      key={strip[0]?.[0]?.id}
                      groups={strip}
                      after={all.length - Math.min(all.length, (index + 1) * stripSize)}
                      revealed={revealed?.turn}
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
            onLeaveEnd={() => stickyRef.current?.leave('scrolledToEnd')}
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
  },
);

interface TurnStripProps {
  readonly groups: readonly (readonly Turn[])[];
  /** Groups after it. */
  readonly after: number;
  /** The turn that has to be there. */
  readonly revealed: string | undefined;
}

const TurnStrip = memo(
  ({ groups, after, revealed }: TurnStripProps): VNode => (
    <>
      {groups.map((turns, index) => (
        <TurnGroup
          key={turns[0]?.id}
          turns={turns}
          last={after === 0 && index === groups.length - 1}
          first={index + 2 >= groups.length + after}
          pinned={revealed !== undefined && turns.some(({ id }) => id === revealed)}
        />
      ))}
    </>
  ),
  (one, other) =>
    one.groups === other.groups &&
    one.revealed === other.revealed &&
    // What is among the last ones is said to those alone.
    Math.min(one.after, 2) === Math.min(other.after, 2),
);

/** What is selected, if it is something to look for. */
function selectedText(): string | undefined {
  const text = document.getSelection()?.toString().trim() ?? '';
  return text === '' || text.includes('\n') || text.length > longestQuery ? undefined : text;
}
