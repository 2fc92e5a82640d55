/**
 * Tells parts of the conversation whether they are near the screen: what is far from it has no elements, only its height, so that the
 * document stays small however long the conversation is. Measured against `content-visibility`, which leaves all elements in place: the
 * work for a piece of text then still grows with what came before it. Must not know what the parts are.
 */
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How far beyond the screen is still near, in pixels: more than a turn of the wheel moves within a frame. */
const margin = 1_600;

export interface Watcher {
  /** It came near. */
  show(): void;
  /** It went far, and nothing holds it. `height` is what it measured, in pixels. */
  hide(height: number): void;
}

export class NearScreen {
  readonly #watchers = new Map<Element, Watcher>();
  /** Far, but the cursor or the selection is in it: what it measured. */
  readonly #held = new Map<Element, number>();
  #observer: IntersectionObserver | undefined;

  /** Until this is called nothing changes. Returns the way to end it. */
  start(scroller: HTMLElement): () => void {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) this.#seen(entry);
      },
      { root: scroller, rootMargin: `${margin}px 0px` },
    );
    this.#observer = observer;
    for (const element of this.#watchers.keys()) observer.observe(element);
    const letGo = (): void => this.#letGo();
    document.addEventListener('selectionchange', letGo);
    document.addEventListener('focusout', letGo);
    return () => {
      observer.disconnect();
      document.removeEventListener('selectionchange', letGo);
      document.removeEventListener('focusout', letGo);
    };
  }

  /** Returns the way to end it. */
  watch(element: Element, watcher: Watcher): () => void {
    this.#watchers.set(element, watcher);
    this.#observer?.observe(element);
    return () => {
      this.#watchers.delete(element);
      this.#held.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #seen({ target, isIntersecting, boundingClientRect: { height } }: IntersectionObserverEntry): void {
    this.#held.delete(target);
    if (isIntersecting) this.#watchers.get(target)?.show();
    // Without a height it is not laid out at present: a fold around it is closed.
    else if (height > 0) this.#hide(target, height);
  }

  #hide(element: Element, height: number): void {
    if (isHeld(element)) this.#held.set(element, height);
    else this.#watchers.get(element)?.hide(height);
  }

  #letGo(): void {
    for (const [element, height] of this.#held) {
      if (isHeld(element)) continue;
      this.#held.delete(element);
      this.#watchers.get(element)?.hide(height);
    }
  }
}

/** The cursor is in it, or what is selected begins, ends or goes through it. */
function isHeld(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return false;
  return selection.getRangeAt(0).intersectsNode(element);
}

/** Undefined: everything is near. */
export const NearContext = createContext<NearScreen | undefined>(undefined);

export interface Nearness {
  readonly element: { readonly current: HTMLDivElement | null };
  readonly near: boolean;
  /** What it measured when it was near last, in pixels; undefined when it never was. */
  readonly height: number | undefined;
}

/** `first`: whether it is taken to be near until it is known. While `pinned` it is near wherever it is. */
export function useNear(first: boolean, pinned: boolean): Nearness {
  const screen = useContext(NearContext);
  const element = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ near: boolean; height: number | undefined }>({
    near: first || pinned || screen === undefined,
    height: undefined,
  });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || screen === undefined || pinned) return undefined;
    return screen.watch(current, {
      show: () => setState((before) => (before.near ? before : { ...before, near: true })),
      hide: (height) => setState((before) => (before.near ? { near: false, height } : before)),
    });
  }, [screen, pinned]);
  return { element, near: pinned || state.near, height: state.height };
}
