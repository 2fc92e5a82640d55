/** What is asked of the element that scrolls: what stands at its top, and whether a person is at it. Knows nothing of what is in it. */

/** The element inside that stands at its upper edge, near the left one. */
export function elementAtTop(scroller: Element): Element | undefined {
  const { left, top } = scroller.getBoundingClientRect();
  const element = document.elementFromPoint(left + 24, top + 1);
  return element !== null && element !== scroller && scroller.contains(element) ? element : undefined;
}

const inputs = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

/** Calls `then` whenever a person does what may scroll it. Returns the end of that. */
export function onTouch(scroller: Element, then: () => void): () => void {
  for (const input of inputs) scroller.addEventListener(input, then, { passive: true });
  return () => {
    for (const input of inputs) scroller.removeEventListener(input, then);
  };
}
