/** What is being named in the text of the composer, and what its keys do while a list is open. Pure; knows no element and no event. */
import { longestQuery, type CompletionItem, type CompletionTrigger } from '../protocol/completion.ts';
import { isOfInputMethod, type KeyPress, type Typing } from './keys.ts';

/** A name that is being typed. */
export interface Naming {
  readonly trigger: CompletionTrigger;
  /** Behind the trigger, up to the cursor. */
  readonly query: string;
  /** Where the trigger stands, in UTF-16 units. */
  readonly from: number;
  /** The cursor. */
  readonly to: number;
}

/**
 * Behind a letter, a digit or a sign of addresses and paths it is none: `me@example.org`, `react/@types`. Scripts without blanks
 * between words have it right behind one. Input methods give the wide forms.
 */
const named = /(?<![A-Za-z0-9_.+\-/@＠])[@＠]([^\s@＠]*)$/;
const commanded = /^\s*[/／]([^\s/／]*)$/;

/** Undefined when nothing is being named where the cursor is. */
export function namingAt(text: string, cursor: number): Naming | undefined {
  const before = text.slice(0, cursor);
  const command = commanded.exec(before);
  const found = command ?? named.exec(before.slice(-longestQuery - 2));
  if (found === null) return undefined;
  const query = found[1] ?? '';
  if (query.length > longestQuery) return undefined;
  const from = cursor - query.length - 1;
  return { trigger: command === null ? '@' : '/', query, from, to: cursor };
}

/** The text with what stands for an item in the place of what was typed, and where the cursor goes. `blank` is put behind it. */
export function taken(
  text: string,
  { from, to }: Pick<Naming, 'from' | 'to'>,
  insert: string,
  blank = ' ',
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(to);
  const hasBlank = /^\s/.test(after);
  return {
    text: `${text.slice(0, from)}${insert}${hasBlank ? '' : blank}${after}`,
    // Behind the blank, whose ever it is.
    cursor: from + insert.length + (blank === '' ? 0 : 1),
  };
}

export type ListKey =
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'take' }
  /** Looks inside of a folder; takes anything else. */
  | { readonly kind: 'enter' }
  | { readonly kind: 'close' };

/** Rows of a page. */
const page = 8;

/** What a key does to an open list; undefined for one that is for the text. Ctrl and Command with Enter send. */
export function listKey(
  press: KeyPress,
  typing: Pick<Typing, 'composing' | 'sinceComposition'>,
): ListKey | undefined {
  if (isOfInputMethod(press, typing) || press.shift || press.alt || press.ctrl || press.meta)
    return undefined;
  switch (press.key) {
    case 'ArrowDown':
      return { kind: 'move', by: 1 };
    case 'ArrowUp':
      return { kind: 'move', by: -1 };
    case 'PageDown':
      return { kind: 'move', by: page };
    case 'PageUp':
      return { kind: 'move', by: -page };
    case 'Enter':
      return press.repeat ? undefined : { kind: 'take' };
    case 'Tab':
      return { kind: 'enter' };
    case 'Escape':
      return { kind: 'close' };
    default:
      return undefined;
  }
}

/** A step wraps around, a page stops at the ends. */
export function moved(active: number, by: number, count: number): number {
  if (count === 0) return 0;
  if (Math.abs(by) > 1) return Math.max(0, Math.min(count - 1, active + by));
  return (active + by + count) % count;
}

/** The same thing in two lists, which number their items anew. */
export function sameItem(one: CompletionItem, other: CompletionItem): boolean {
  return one.kind === other.kind && one.label === other.label && one.detail === other.detail;
}

/** A text cut where it fits what was typed and where not. */
export function marked(
  text: string,
  matches: CompletionItem['matches'] = [],
): readonly { readonly text: string; readonly fits: boolean }[] {
  const pieces: { readonly text: string; readonly fits: boolean }[] = [];
  let at = 0;
  for (const [from, to] of matches) {
    if (from > at) pieces.push({ text: text.slice(at, from), fits: false });
    pieces.push({ text: text.slice(from, to), fits: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), fits: false });
  return pieces;
}
