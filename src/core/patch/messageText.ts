/** Small pieces from which the messages to the model are built. Text of files and patches is quoted as data, never as prose. */

/** A message is cut at this length: a model needs the first trouble in full more than the tenth at all. */
export const maxMessageLength = 4_000;
const maxLineLength = 160;

/** Text as it is kept in an error: lines of a patch and of a file can be of any length. Never cut within a character. */
export function shorten(text: string): string {
  if (text.length <= maxLineLength) return text;
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(maxLineLength - 1)) ? maxLineLength - 1 : maxLineLength)}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** One line of text between bars, cut where it is very long. */
export function quoteLine(text: string): string {
  return `|${shorten(text)}`;
}

/** A name, a path or a reason inside a sentence. */
export function quoteInline(text: string): string {
  return `"${shorten(text.replace(/[\r\n\t]+/g, ' '))}"`;
}

/**
 * The blocks joined, as many as fit; if some do not, `rest` says how many were left out. `tail` is always there.
 */
export function fitMessage(
  blocks: readonly string[],
  rest: (left: number) => string,
  tail: readonly string[] = [],
): string {
  const reserved = tail.join('\n').length + 100;
  const taken: string[] = [];
  let length = reserved;
  for (const block of blocks) {
    if (length + block.length + 1 > maxMessageLength) break;
    taken.push(block);
    length += block.length + 1;
  }
  const left = blocks.length - taken.length;
  return [...taken, ...(left > 0 ? [rest(left)] : []), ...tail].join('\n');
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
