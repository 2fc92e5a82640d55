/** Ctrl+A and ⌘A in the panel's fields. Must not know what they are for. */
import { isLetterKey, type LetterPress } from './letterKey.ts';

export function isSelectAllKey(
  press: LetterPress & { readonly isComposing: boolean },
  mac: boolean,
): boolean {
  return !press.isComposing && isLetterKey(press, 'a', mac);
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
