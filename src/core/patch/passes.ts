/**
 * The ways in which a line of a patch may equal a line of a file, from strict to loose. Each is an equality of keys, never a
 * likeness: no score decides where an edit goes.
 */
import { trim, trimEnd } from './blanks.ts';

export const passes = [
  'exact',
  'trailingBlanks',
  'punctuation',
  'indentation',
  'indentationAndPunctuation',
] as const;
export type LinePass = (typeof passes)[number];

/** Two lines are equal in a pass if their keys are. */
export function lineKey(pass: LinePass, line: string): string {
  switch (pass) {
    case 'exact':
      return line;
    case 'trailingBlanks':
      return trimEnd(line);
    case 'punctuation':
      return trimEnd(foldPunctuation(line));
    case 'indentation':
      return trim(line);
    case 'indentationAndPunctuation':
      return trim(foldPunctuation(line));
  }
}

export function trimsStart(pass: LinePass): boolean {
  return pass === 'indentation' || pass === 'indentationAndPunctuation';
}

export function foldsPunctuation(pass: LinePass): boolean {
  return pass === 'punctuation' || pass === 'indentationAndPunctuation';
}

/**
 * Dashes and minus signs, curly and low quotes and guillemets, and every kind of space that is not a line's end (U+2028 and U+2029
 * are content). All are single UTF-16 units.
 */
const typographic =
  /[\u2010-\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]|[\u2018-\u201b\u2039\u203a]|[\u201c-\u201f\u00ab\u00bb]|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/**
 * The line with composed accents and plain punctuation. ASCII stays as it is. The result has at most three times the length of the
 * line, and at least a quarter of it: the bounds of canonical composition in UTF-16.
 */
export function foldPunctuation(line: string): string {
  return line.normalize('NFC').replace(typographic, plain);
}

function plain(character: string): string {
  const code = character.charCodeAt(0);
  if ((code >= 0x2018 && code <= 0x201b) || code === 0x2039 || code === 0x203a) return "'";
  if ((code >= 0x201c && code <= 0x201f) || code === 0xab || code === 0xbb) return '"';
  if (code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a)) return ' ';
  return code === 0x202f || code === 0x205f || code === 0x3000 ? ' ' : '-';
}
