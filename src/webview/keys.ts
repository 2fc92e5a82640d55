/** What a key means in the composer. Pure; knows no event type, so that every order of input-method events can be tested. */

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
}

export type KeyMeaning = 'send' | 'stop' | 'text';

/**
 * Safari ends the composition before it reports the key that ended it, and then says neither `isComposing` nor, in some versions,
 * 229. Both events come within the same millisecond or two; a person who presses Enter twice needs far longer.
 */
const sameKeyPress = 20;

export function keyMeaning(press: KeyPress, typing: Typing): KeyMeaning {
  const inComposition =
    press.isComposing || press.keyCode === 229 || typing.composing || typing.sinceComposition < sameKeyPress;
  if (inComposition) return 'text';
  if (press.key === 'Enter' && !press.shift && !press.alt && !press.repeat) return 'send';
  if (press.key === 'Escape' && typing.running && !press.shift && !press.alt && !press.ctrl && !press.meta)
    return 'stop';
  return 'text';
}

/** Escape by itself, and not the one that closes an input method's candidates. */
export function isPlainEscape(press: KeyPress): boolean {
  return press.key === 'Escape' && !press.isComposing && press.keyCode !== 229;
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
