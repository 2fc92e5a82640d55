/**
 * Blanks as a patch means them: space and tab, nothing else. The language's own `trim` also eats the byte order mark, no-break and
 * ideographic spaces, which are content.
 */

const space = 32;
const tab = 9;

export function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** Offset behind the last character of `text[start, end)` that is no blank; `start` if there is none. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Offset of the first character of `text[start, end)` that is no blank; `end` if there is none. */
export function trimmedStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

export function trimEnd(text: string): string {
  return text.slice(0, trimmedEnd(text, 0, text.length));
}

export function trim(text: string): string {
  const end = trimmedEnd(text, 0, text.length);
  return text.slice(trimmedStart(text, 0, end), end);
}
