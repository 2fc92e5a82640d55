/** Has the conversation come up where it was being read, and remembers where that is. */
import { useCallback, useContext, useEffect, useRef } from 'preact/hooks';

import { ReadingContext } from '../env.ts';
import { placeAtTop, stepTo, type ReadingPlace } from '../readingPlaces.ts';
import { onTouch } from '../scroller.ts';
import type { Sticky } from '../stickToBottom.ts';

/** Frames without a change after which it has come to rest: what comes near is drawn, and is of another height than was reckoned. */
const restFrames = 8;
/** Frames after which it stays where it came to. */
const mostFrames = 120;

export interface ReadingParts {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly sticky: { readonly current: Sticky | undefined };
  readonly conversation: string;
  /** Turns stand before those that are there, and follow. */
  readonly earlier: boolean;
  /** Of turns that are there. */
  readonly count: number;
}

/** @returns what calls off the way to the place: the person did something that leads elsewhere */
export function useReadingPlace({
  scroller,
  sticky,
  conversation,
  earlier,
  count,
}: ReadingParts): () => void {
  const places = useContext(ReadingContext);
  const shownRef = useRef<string | undefined>(undefined);
  /** Where it is going to be, until it is there or the person scrolls. */
  const wantedRef = useRef<ReadingPlace | undefined>(undefined);

  useEffect(() => {
    const { current } = scroller;
    if (current === null) return undefined;
    // Heard of once a frame, before that is drawn: a frame is not to be asked for, which each piece of an answer that is followed would do.
    const onScroll = (): void => {
      const shown = shownRef.current;
      if (shown === undefined || wantedRef.current !== undefined) return;
      places.note(shown, sticky.current?.isFollowing === false ? placeAtTop(current) : undefined);
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    const stopTouch = onTouch(current, () => {
      wantedRef.current = undefined;
    });
    return () => {
      current.removeEventListener('scroll', onScroll);
      stopTouch();
    };
  }, [places, scroller, sticky]);

  // After the one that attaches to the scroller.
  useEffect(() => {
    if (shownRef.current === conversation) return;
    shownRef.current = conversation;
    wantedRef.current = places.get(conversation);
    if (wantedRef.current === undefined) sticky.current?.jump();
    else sticky.current?.leave('atEnd');
  }, [places, sticky, conversation]);

  // What comes in front of all that was there is no reason to be led away from that.
  const beforeRef = useRef({ conversation, earlier, count });
  useEffect(() => {
    const before = beforeRef.current;
    beforeRef.current = { conversation, earlier, count };
    if (before.conversation !== conversation || !before.earlier || before.count === count) return;
    if (sticky.current?.isFollowing === false) wantedRef.current ??= places.get(conversation);
  }, [places, sticky, conversation, earlier, count]);

  useEffect(() => {
    const { current } = scroller;
    if (current === null || wantedRef.current === undefined) return undefined;
    let frame: number | undefined;
    let rested = 0;
    let frames = 0;
    const go = (): void => {
      frame = undefined;
      const place = wantedRef.current;
      if (place === undefined) return;
      const isThere = stepTo(current, place);
      if (isThere === undefined) {
        // Its turn follows, or was deleted with its conversation.
        if (earlier) return;
        wantedRef.current = undefined;
        sticky.current?.jump();
        return;
      }
      frames += 1;
      rested = isThere ? rested + 1 : 0;
      if (rested > restFrames || frames > mostFrames) wantedRef.current = undefined;
      else frame = requestAnimationFrame(go);
    };
    go();
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [scroller, sticky, conversation, earlier, count]);
  return useCallback(() => {
    wantedRef.current = undefined;
  }, []);
}
