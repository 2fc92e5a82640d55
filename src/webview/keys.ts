/** What a key means in the composer. Pure; knows no event type, so that every order of input-method events can be tested. */

import type { SendKey } from '../protocol/toWebview.ts';

export interface KeyPress {
  readonly key: string;
  /** 229 while an input method handles the key. */
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
  readonly meta: boolean;
  /** True while the key is held down. */
  readonly repeat: boolean;
}

export interface Typing {
  /** Between the start and the end of a composition. */
  readonly composing: boolean;
  /** Milliseconds since a composition ended, Infinity when none did. */
  readonly sinceComposition: number;
  readonly running: boolean;
  /** Enter by default. */
  readonly sendKey?: SendKey;
}

export type KeyMeaning = 'send' | 'interrupt' | 'stop' | 'text';

/**
 * Safari ends the composition before it reports the key that ended it, and then says neither `isComposing` nor, in some versions,
 * 229. Both events come within the same millisecond or two; a person who presses Enter twice needs far longer.
 */
const sameKeyPress = 20;

export function keyMeaning(press: KeyPress, typing: Typing): KeyMeaning {
  if (isOfInputMethod(press, typing)) return 'text';
  if (typing.running && isInterruptKey(press, typing.sendKey ?? 'enter')) return 'interrupt';
  if (isSendKey(press, typing.sendKey ?? 'enter')) return 'send';
  if (press.key === 'Escape' && typing.running && !press.shift && !press.alt && !press.ctrl && !press.meta)
    return 'stop';
  return 'text';
}

/** Shift and Alt always break the line, and Ctrl or Command always sends. */
function isSendKey({ key, shift, alt, ctrl, meta, repeat }: KeyPress, sendKey: SendKey): boolean {
  if (key !== 'Enter' || shift || alt || repeat) return false;
  return sendKey === 'enter' || ctrl || meta;
}

/** Ctrl or Command with Enter; where that sends already, with Shift too. */
function isInterruptKey({ key, shift, alt, ctrl, meta, repeat }: KeyPress, sendKey: SendKey): boolean {
  return key === 'Enter' && (ctrl || meta) && shift === (sendKey === 'modEnter') && !alt && !repeat;
}

/** An arrow key that may recall what was asked before; the input method has its own use for it. */
export function arrowOf(press: KeyPress, typing: Typing): 'back' | 'forth' | undefined {
  if (isOfInputMethod(press, typing) || press.shift || press.alt || press.ctrl || press.meta)
    return undefined;
  if (press.key === 'ArrowUp') return 'back';
  return press.key === 'ArrowDown' ? 'forth' : undefined;
}

/** Ctrl+Shift+V or ⇧⌘V: what is pasted stays text. */
export function isPlainPaste({ key, shift, ctrl, meta }: KeyPress): boolean {
  return key.toLowerCase() === 'v' && shift && (ctrl || meta);
}

/** The input method has its own use for the key, in whichever order the events come. */
export function isOfInputMethod(
  press: KeyPress,
  { composing, sinceComposition }: Pick<Typing, 'composing' | 'sinceComposition'>,
): boolean {
  return press.isComposing || press.keyCode === 229 || composing || sinceComposition < sameKeyPress;
}

/** The parts of a keyboard event that count here. */
export function readKey(event: KeyboardEvent): KeyPress {
  return {
    key: event.key,
    // Deprecated, and the only sign of an input method that every browser gives.
    keyCode: event.keyCode,
    isComposing: event.isComposing,
    shift: event.shiftKey,
    alt: event.altKey,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    repeat: event.repeat,
  };
}
