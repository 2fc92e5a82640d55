/** Ctrl+A and ⌘A in the panel's fields. Must not know what they are for. */

/** On a Mac, Ctrl+A moves the cursor. */
export function isSelectAllKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
    readonly shiftKey: boolean;
    readonly isComposing: boolean;
  },
  mac: boolean,
): boolean {
  if (event.altKey || event.shiftKey || event.isComposing || event.key.toLowerCase() !== 'a') return false;
  return mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}

/**
 * Selects what stands in fields itself: VS Code, when it hears of the key, does so too, but later. By then the person has typed on, and the
 * next letter would replace what they wrote.
 */
export function selectAllByKey(target: Document, mac: boolean): void {
  target.addEventListener('keydown', (event) => {
    const field = event.target;
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
    if (event.defaultPrevented || !isSelectAllKey(event, mac)) return;
    event.preventDefault();
    event.stopPropagation();
    field.select();
  });
}
