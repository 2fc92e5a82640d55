/** Keeps the cursor near where it was when what had it is taken away, as a button that has done its work. Knows no view but by class. */

/** For a page without a cursor a screen reader starts again at its top, and keys go nowhere. */
export function keepFocus(root: HTMLElement): void {
  let last: { readonly element: Element; readonly turn: HTMLElement | null } | undefined;
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element)
      last = { element: target, turn: target.closest<HTMLElement>('.turn, .meter-details') };
  });
  // Who clicks beside everything means it.
  root.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && last?.element.contains(target) !== true) last = undefined;
  });
  new MutationObserver(() => {
    if (last === undefined || last.element.isConnected) return;
    const { turn } = last;
    last = undefined;
    // Never taken from another part of the workbench.
    if (!document.hasFocus() || document.activeElement !== document.body) return;
    if (turn?.isConnected === true) focusOnce(turn);
    else root.querySelector<HTMLElement>('.composer-text')?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** The element takes the cursor without being a stop of the Tab key. */
function focusOnce(element: HTMLElement): void {
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
