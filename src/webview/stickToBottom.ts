/** Follows the end of what is streaming while the reader is at the end, and never moves otherwise. The rule is pure; `attach` applies it. */
import { elementAtTop, onTouch } from './scroller.ts';

export interface Follow {
  readonly following: boolean;
  /** Scroll position at the last look, in pixels. */
  readonly top: number;
  /** Height of the content at the last look. */
  readonly height: number;
}

/** What the scrolled element measures. */
export interface Measure {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Positions are fractions at some zoom levels: the end is where less than this is missing. */
const atEndWithin = 1.5;
/** A position that was set may be read back a little less. */
const rounding = 0.5;
/** A button to the end is worth its place when at least this much is below. */
const worthJumping = 48;

export const atStart: Follow = { following: true, top: 0, height: 0 };

function below(measure: Measure): number {
  return measure.scrollHeight - measure.clientHeight - measure.scrollTop;
}

/**
 * After a scroll event. Whoever scrolls up by a single pixel has left the end; whoever comes down to it follows again. When the
 * position sinks because the content became shorter, that was nobody's wish, but for more than that takes.
 * @param touched the wheel, the pointer or a key was used since the last look
 */
export function scrolled(follow: Follow, measure: Measure, touched: boolean): Follow {
  const { scrollTop: top, scrollHeight: height } = measure;
  const atEnd = below(measure) <= atEndWithin;
  const shrank = height < follow.height;
  const isWish = !shrank || (touched && !atEnd);
  if (top < follow.top - rounding && isWish) return { following: false, top, height };
  const arrived = atEnd && (shrank || top > follow.top);
  return { following: follow.following || arrived, top, height };
}

/** After content or frame changed their size: where to scroll, or undefined to stay. */
export function resized(follow: Follow, measure: Measure): { follow: Follow; scrollTo?: number } {
  const { scrollTop, scrollHeight, clientHeight } = measure;
  if (!follow.following) return { follow: { ...follow, top: scrollTop, height: scrollHeight } };
  const end = Math.max(0, scrollHeight - clientHeight);
  return { follow: { following: true, top: end, height: scrollHeight }, scrollTo: end };
}

/** Whether "Jump to latest" should be offered. */
export function offersJump(follow: Follow, measure: Measure): boolean {
  return !follow.following && below(measure) > worthJumping;
}

export interface Sticky {
  /** To the end, and follow from there. */
  jump(): void;
  /**
   * Follows no longer, for another place is to be shown. It does so again once it is `atEnd`, by whatever means, or only when the person
   * scrolls there: what is shown at the end is then no reason to be led away from it.
   */
  leave(until: 'atEnd' | 'scrolledToEnd'): void;
  /** It is at the end, and follows. */
  readonly isFollowing: boolean;
  dispose(): void;
}

/** Whatever ends that the pointer is pressed; a button that is let go outside of the frame is told of nowhere else. */
const released = ['pointerup', 'pointercancel', 'blur'] as const;

/** Something of it that is on the screen is selected. */
function isSelectedIn(scroller: HTMLElement): boolean {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || !scroller.contains(selection.anchorNode)) return false;
  const { top, bottom } = selection.getRangeAt(0).getBoundingClientRect();
  const screen = scroller.getBoundingClientRect();
  return bottom > screen.top && top < screen.bottom;
}

/** `scroller` scrolls, `content` is what grows in it. `onOffer` is told whenever the button should come or go. */
export function attach(
  scroller: HTMLElement,
  content: HTMLElement,
  onOffer: (offer: boolean) => void,
): Sticky {
  let follow = atStart;
  let offered = false;
  /** It was left until the person scrolls, and nobody has since: that the end is reached was no person's wish. */
  let staying = false;
  const tell = (): void => {
    const offer = offersJump(follow, scroller);
    if (offer === offered) return;
    offered = offer;
    onOffer(offer);
  };
  /** What is read: the element at the top, and how far below the top it begins. */
  let read: { readonly element: Element; readonly offset: number } | undefined;
  const offsetOf = (element: Element): number =>
    element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const mark = (): void => {
    const element = elementAtTop(scroller);
    read = element === undefined || element === content ? undefined : { element, offset: offsetOf(element) };
  };
  let touched = false;
  /** The pointer was pressed on the content since it was last gone to the end: what is selected was selected there. */
  let pressed = false;
  let held = false;
  const selects = (): boolean => pressed && isSelectedIn(scroller);
  const onScroll = (): void => {
    const next = scrolled(follow, scroller, touched);
    // Who comes back to the end after selecting something follows, whatever is still selected.
    if (next.following && !follow.following) pressed = false;
    follow = next;
    touched = false;
    if (staying) follow = { ...follow, following: false };
    if (!follow.following) mark();
    tell();
  };
  const onResize = (): void => {
    if (follow.following && selects()) {
      // Text that is being selected, or was and is not copied yet, does not move away.
      follow = { ...follow, following: false };
      mark();
    }
    if (held && follow.following) return;
    // The browser keeps in place what is read when something above it grows, but not always when all of it gets another width or size.
    if (!follow.following && read?.element.isConnected === true) {
      const moved = offsetOf(read.element) - read.offset;
      if (Math.abs(moved) > 1) scroller.scrollTop += moved;
    }
    const next = resized(follow, scroller);
    follow = next.follow;
    if (next.scrollTo !== undefined) {
      scroller.scrollTop = next.scrollTo;
      follow = { ...follow, top: scroller.scrollTop };
    }
    tell();
  };
  const onDown = ({ button }: PointerEvent): void => {
    held = button === 0;
    pressed ||= held;
  };
  const onUp = (): void => {
    if (!held) return;
    held = false;
    onResize();
  };
  const observer = new ResizeObserver(onResize);
  observer.observe(content);
  observer.observe(scroller);
  scroller.addEventListener('scroll', onScroll, { passive: true });
  content.addEventListener('pointerdown', onDown);
  for (const name of released) window.addEventListener(name, onUp);
  const stopTouch = onTouch(scroller, () => {
    touched = true;
    staying = false;
  });
  return {
    jump() {
      staying = false;
      pressed = false;
      follow = { ...follow, following: true };
      onResize();
    },
    leave(until) {
      staying = until === 'scrolledToEnd';
      follow = { ...follow, following: false };
      tell();
    },
    get isFollowing() {
      return follow.following;
    },
    dispose() {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      content.removeEventListener('pointerdown', onDown);
      for (const name of released) window.removeEventListener(name, onUp);
      stopTouch();
    },
  };
}
