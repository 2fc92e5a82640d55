/** Which key opens find. Pure. */

/** As everywhere in VS Code. On a Mac, Ctrl+F moves the cursor. Letters are told by what they write: layouts differ. */
export function isFindKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
    readonly shiftKey: boolean;
  },
  mac: boolean,
): boolean {
  if (event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return false;
  return mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}
