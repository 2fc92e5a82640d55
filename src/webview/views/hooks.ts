/** Time as the views see it, keys, and what is remembered of a place. */
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { isOfInputMethod, readKey, type Typing } from '../keys.ts';
import { KeptContext, PlaceContext, placeIn } from '../kept.ts';

/**
 * As `useState`, for what a person chose about this place of the conversation and finds again when it comes back to the screen: what is
 * far from it has no elements. `name` is unique within the `Place` around it and stands for one type.
 */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const kept = useContext(KeptContext);
  const place = placeIn(useContext(PlaceContext), name);
  const [, redraw] = useState(0);
  // Before the first paint: it may be opened between drawing and watching.
  useLayoutEffect(() => kept.watch(place, () => redraw((count) => count + 1)), [kept, place]);
  const value = kept.get(place);
  const set = useCallback((next: T) => kept.set(place, next), [kept, place]);
  return [value === undefined ? initial : (value as T), set];
}

/** Draws anew after so many milliseconds, reckoned from each drawing; undefined for not at all. */
function useRedrawAfter(milliseconds: number | undefined): void {
  const [, redraw] = useState(0);
  // At each drawing in a layout effect: for any other the browser is asked for a further frame each time.
  useLayoutEffect(() => {
    if (milliseconds === undefined) return undefined;
    // A little later: what is counted has changed by then.
    const timer = setTimeout(() => redraw((count) => count + 1), milliseconds + 5);
    return () => clearTimeout(timer);
  });
}

/** Milliseconds since `from` (host's clock), drawn anew each second while `running`. */
export function useElapsed(from: number, running: boolean): number {
  const { hostNow } = useEnv();
  const elapsed = Math.max(0, hostNow() - from);
  // Aligned to the whole seconds of what is shown, so that none is skipped or shown twice.
  useRedrawAfter(running ? 1000 - (elapsed % 1000) : undefined);
  return elapsed;
}

/** Milliseconds until `at` (host's clock), drawn anew each second until then; 0 afterwards. */
export function useCountdown(at: number | undefined): number {
  const { hostNow } = useEnv();
  const left = at === undefined ? 0 : Math.max(0, at - hostNow());
  useRedrawAfter(left === 0 ? undefined : left % 1000);
  return left;
}

/** Draws anew each minute until `until` (host's clock), and once when it has come. */
export function useMinutes(until: number): void {
  const { hostNow } = useEnv();
  const left = until - hostNow();
  useRedrawAfter(left <= 0 ? undefined : left % 60_000);
}

interface Composition {
  readonly handlers: {
    readonly onCompositionStart: () => void;
    readonly onCompositionEnd: (event: CompositionEvent) => void;
  };
  /** What input methods were doing when the key was pressed. */
  readonly at: (event: KeyboardEvent) => Pick<Typing, 'composing' | 'sinceComposition'>;
  /** The key is for the input method. */
  readonly takes: (event: KeyboardEvent) => boolean;
}

/** Tells the keys of an input method from those for the panel; the handlers belong to the field. */
export function useComposition(): Composition {
  const [composition] = useState(() => {
    let open = false;
    let endedAt = -Infinity;
    const at = (event: KeyboardEvent) => ({ composing: open, sinceComposition: event.timeStamp - endedAt });
    return {
      handlers: {
        onCompositionStart: () => {
          open = true;
        },
        onCompositionEnd: ({ timeStamp }: CompositionEvent) => {
          open = false;
          endedAt = timeStamp;
        },
      },
      at,
      takes: (event: KeyboardEvent) => isOfInputMethod(readKey(event), at(event)),
    };
  });
  return composition;
}

/** Escape inside of an element: `act` is done, and nothing else. */
export function useEscape(element: { readonly current: HTMLElement | null }, act: () => void): void {
  // At each drawing: the element may have come meanwhile.
  useLayoutEffect(() => {
    const { current } = element;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    current?.addEventListener('keydown', onKey);
    return () => current?.removeEventListener('keydown', onKey);
  });
}

/** How long a control that decides something takes no input after it appeared or changed its place. */
const settleTime = 500;

/**
 * A guard for controls that come up by themselves: a click or key meant for what was there before must not decide anything.
 * What it returns makes of an act one that is done only when the control is to be obeyed already; `shape` is whatever makes it appear or
 * move. With `once`, what was obeyed is not obeyed again for as long: a double click means one.
 */
export function useArmed(shape: string, once = false): (act: () => void) => () => void {
  const shownRef = useRef({ shape: '', at: Infinity });
  useLayoutEffect(() => {
    shownRef.current = { shape, at: performance.now() };
  }, [shape]);
  return (act) => () => {
    const now = performance.now();
    if (shownRef.current.shape !== shape || now - shownRef.current.at < settleTime) return;
    if (once) shownRef.current = { shape, at: now };
    act();
  };
}

/** True for a moment after `mark()`: for buttons that say that they have done it. */
export function useDone(): [boolean, () => void] {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  return [done, () => setDone(true)];
}

/** When the button that had the focus is gone because it did its work, the card takes the focus, so that the keyboard is not lost. */
export function useFocusKept(card: { readonly current: HTMLElement | null }, stage: string): void {
  const hadFocusRef = useRef(false);
  useEffect(() => {
    const element = card.current;
    if (element === null) return undefined;
    const onFocus = (): void => {
      hadFocusRef.current = true;
    };
    const onBlur = (event: FocusEvent): void => {
      // Without a next element the focused one was removed, or the window lost the focus.
      if (event.relatedTarget !== null) hadFocusRef.current = false;
    };
    element.addEventListener('focusin', onFocus);
    element.addEventListener('focusout', onBlur);
    return () => {
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('focusout', onBlur);
    };
  }, [card]);
  // At once: later the turn as a whole has taken it.
  useLayoutEffect(() => {
    if (hadFocusRef.current && document.activeElement === document.body) card.current?.focus();
  }, [card, stage]);
}

/** For the button that opens something in its own place: it has the cursor again when that is closed. */
export function useFocusBack(open: boolean): { current: HTMLButtonElement | null } {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpenRef = useRef(false);
  useEffect(() => {
    if (wasOpenRef.current && !open) button.current?.focus();
    wasOpenRef.current = open;
  }, [open]);
  return button;
}

/** Whether the computer that shows the panel has no network. The host may be another one, which is then out of reach as well. */
export function useOffline(): boolean {
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = (): void => setOffline(!navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return offline;
}
