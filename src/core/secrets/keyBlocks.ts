/** Private keys between the lines that begin and end them, whatever stands before each line: numbers, quotes, the signs of a diff. Pure. */
import type { Secret, Span } from './secret.ts';

const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const beginLine = '-----BEGIN ';
const endLine = '-----END ';
const end = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
/** A line of a key, with what may stand before it. */
const keyLine = /^[ \t]*(?:\d+[|:])?[ \t]*[+-]?[A-Za-z0-9+/=]+\r?$/;

/** Longer than the largest key; what follows a beginning without an end is not taken for one. In UTF-16 units. */
const longest = 24_000;

/** Of one piece at least: shorter ones are words. */
const longestPiece = 24;

export function* keyBlocks(text: string): Generator<Secret, void, undefined> {
  const starts = [...text.matchAll(begin)];
  for (const [number, { 0: head, index: start }] of starts.entries()) {
    const from = start + head.length;
    const limit = Math.min(starts[number + 1]?.index ?? text.length, from + longest);
    const body = text.slice(from, limit);
    const at = body.indexOf(endLine);
    const parts = partsOf(at === -1 ? unended(body) : body.slice(0, at), from);
    const last = parts.at(-1);
    if (last === undefined || !parts.some((part) => part.end - part.start >= longestPiece)) continue;
    yield { kind: 'privateKey', start, end: last.end, parts };
  }
}

/** Keys whose beginning is not there, for somebody read on from a later line. Where it is there, `keyBlocks` tells of more. */
export function* keyEnds(text: string): Generator<Secret, void, undefined> {
  for (const { 0: tail, index } of text.matchAll(end)) {
    const least = Math.max(0, index - longest);
    const ownLine = least + text.slice(least, index).lastIndexOf('\n') + 1;
    // All of the key is in this line, with its line breaks escaped.
    if (text.slice(ownLine, index).includes(beginLine)) continue;
    let start = ownLine;
    while (start > least) {
      const before = text.lastIndexOf('\n', start - 2) + 1;
      if (before < least || !keyLine.test(text.slice(before, start - 1))) break;
      start = before;
    }
    const parts = partsOf(text.slice(start, ownLine), start);
    if (!parts.some((part) => part.end - part.start >= longestPiece)) continue;
    yield { kind: 'privateKey', start: parts[0]!.start, end: index + tail.length, parts };
  }
}

/** The lines up to the first that is none of a key. Headers have a colon, and an empty line stands behind them. */
function unended(body: string): string {
  return /^[^\n]*(?:\n[ \t]*(?:\d+[|:])?[ \t]*[+-]?(?:[A-Za-z0-9+/=]*|[A-Za-z-]+: [^\n]*)\r?(?=\n|$))*/.exec(
    body,
  )![0];
}

function partsOf(body: string, offset: number): readonly Span[] {
  const parts: Span[] = [];
  let at = offset;
  for (const line of body.split('\n')) {
    const before = /^[ \t]*(?:\d+[|:])?[ \t]*[+-]?/.exec(line)![0].length;
    const rest = line.slice(before);
    if (!/^[A-Za-z-]+: /.test(rest)) {
      // The escape of a line break ends in a letter, which is none of the key.
      for (const { 0: piece, index } of rest.matchAll(/\\[nrt]|[A-Za-z0-9+/=]{4,}/g)) {
        const start = at + before + index;
        if (!piece.startsWith('\\')) parts.push({ start, end: start + piece.length });
      }
    }
    at += line.length + 1;
  }
  return parts;
}
