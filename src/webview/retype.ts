/** Puts another text into a field as if the person had typed it: it can be undone, and so can what they typed before. */

/** Longer texts are put in at once, for typing them in takes long; then what was before can't be undone. In UTF-16 units. */
const longestTyped = 20_000;

/** What stands in the place of what, where two texts differ; half-open, in UTF-16 units. */
export interface Difference {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The shortest one that cuts through no letter of two units. Pure. */
export function difference(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  if (isWithinLetter(before, from) || isWithinLetter(after, from)) from -= 1;
  let behind = 0;
  const most = shorter - from;
  while (
    behind < most &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind += 1;
  if (isWithinLetter(before, before.length - behind) || isWithinLetter(after, after.length - behind))
    behind -= 1;
  return { from, to: before.length - behind, text: after.slice(from, after.length - behind) };
}

/** Between the two units of a letter. */
function isWithinLetter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

/** Fields whose text is being changed here. */
const retyped = new WeakSet<EventTarget>();

/** Whether what a field tells of as typing is none of a person. */
export function isRetyped(field: EventTarget): boolean {
  return retyped.has(field);
}

/** The field tells of it as of typing. The cursor is put to `cursor`. */
export function retype(field: HTMLTextAreaElement, after: string, cursor: number): void {
  const { from, to, text } = difference(field.value, after);
  if (from !== to || text !== '') {
    retyped.add(field);
    try {
      field.setSelectionRange(from, to);
      if (!typeIn(field, text) || field.value !== after) field.setRangeText(after, 0, field.value.length);
    } finally {
      retyped.delete(field);
    }
  }
  field.setSelectionRange(cursor, cursor);
}

/**
 * Takes a text in as the keyboard does. The standard no longer describes it and names nothing else by which what was typed before can
 * still be undone; every browser that VS Code runs in has it.
 */
interface Keyboard {
  execCommand(command: 'insertText' | 'delete', showUi: boolean, text?: string): boolean;
}

/** In the place of what is selected. False where that can't be. */
function typeIn(field: HTMLTextAreaElement, text: string): boolean {
  if (text.length > longestTyped || document.activeElement !== field) return false;
  const keyboard: Keyboard = document;
  return text === ''
    ? keyboard.execCommand('delete', false)
    : keyboard.execCommand('insertText', false, text);
}
