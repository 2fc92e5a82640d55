/** Blots secrets out of a text, and says of them what may be seen. Lines stay where they are. Pure. */
import type { Secret } from './secret.ts';

const blot = '*';

/** Lengths of what stands in the place of a secret: its own says too much of it, and none too little. */
const lengths = [8, 16, 24, 32, 48, 64];
const longest = 64;

/** @param secrets of this text, in order, none over another */
export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  let masked = '';
  let from = 0;
  for (const { parts } of secrets) {
    for (const { start, end } of parts) {
      masked += text.slice(from, start) + blot.repeat(maskLength(end - start));
      from = end;
    }
  }
  return masked + text.slice(from);
}

function maskLength(length: number): number {
  return lengths.find((one) => one >= length) ?? longest;
}

/** A secret without itself. */
export interface SecretHint {
  /** A `SecretKind`. */
  readonly what: string;
  readonly service?: string;
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** What stands before it and its beginning, no more than tells a person which one it is. */
  readonly hint: string;
  /** Without its public beginning, in UTF-16 units. Absent where there are several parts. */
  readonly length?: number;
}

/** So much of what must not be seen is shown, and never more than `mostShown` of its characters. */
const shownShare = 1 / 8;
const mostShown = 4;
/** Of what stands before it: a name, the beginning of an address. */
const longestBefore = 48;

/** What a tool writes before a line that it shows: the number that it has in its file. */
const lineNumber = /^[ \t]*(\d{1,9})[|:]/;

/** In the order of the text. With `numbered`, a line has the number that it begins with, which is that in its file. */
export function describeSecrets(
  text: string,
  secrets: readonly Secret[],
  numbered = false,
): readonly SecretHint[] {
  const hints: SecretHint[] = [];
  let line = 1;
  let lineStart = 0;
  for (const secret of secrets) {
    const { kind, service, start } = secret;
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < start;) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    const written = numbered ? lineNumber.exec(text.slice(lineStart, Math.min(start, lineStart + 40))) : null;
    hints.push({
      what: kind,
      ...(service !== undefined && { service }),
      line: written === null ? line : Number(written[1]),
      ...hintOf(text, secret),
    });
  }
  return hints;
}

function hintOf(text: string, { kind, start, end, parts }: Secret): Pick<SecretHint, 'hint' | 'length'> {
  const [first = { start, end: start }] = parts;
  const before = text.slice(start, Math.min(first.start, start + longestBefore));
  if (kind === 'privateKey') {
    // Of one without its beginning, how it ends.
    const frame = before === '' ? text.slice(parts.at(-1)!.end, end).trimStart() : before;
    return { hint: frame.split(/[\r\n\\]/, 1)[0]! };
  }
  const length = first.end - first.start;
  const shown = Math.min(mostShown, Math.floor(length * shownShare));
  return { hint: `${before}${text.slice(first.start, first.start + shown)}…`, length };
}
