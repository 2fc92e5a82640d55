/** Keys that are a letter with Ctrl or, on a Mac, with Command. Pure. */

export interface LetterPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** As everywhere in VS Code. On a Mac, Ctrl moves the cursor. Letters are told by what they write: layouts differ. */
export function isLetterKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: LetterPress,
  letter: string,
  mac: boolean,
): boolean {
  if (altKey || shiftKey || key.toLowerCase() !== letter) return false;
  return mac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}
