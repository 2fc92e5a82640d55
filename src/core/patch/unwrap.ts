/**
 * Finds the envelope in what the model sent: takes the text out of a JSON object, and leaves out what stands around the envelope
 * (a Markdown fence, a heredoc, a sentence). Knows the first and the last marker, and nothing of what is between them.
 */
import { bomLength, toLineFeeds } from '../lines.ts';
import { err, ok, type Result } from '../result.ts';
import { trim, trimEnd } from './blanks.ts';
import { markers } from './grammar.ts';
import { shorten } from './messageText.ts';
import type { BadFormat, FormatFault } from './patchError.ts';

export interface Envelope {
  /** All lines of the text, so that an index is a line number less one. */
  readonly lines: readonly string[];
  /** Indices of the two marker lines. */
  readonly begin: number;
  readonly end: number;
  readonly notes: readonly string[];
}

export function unwrap(input: string): Result<Envelope, BadFormat> {
  const notes: string[] = [];
  const inner = fromJson(input);
  if (inner !== undefined) notes.push('The patch came inside a JSON object; its text was taken out.');
  const text = toLineFeeds(inner ?? input);
  const lines = text.slice(bomLength(text)).split('\n');

  const begin = lines.findIndex((line) => trim(line) === markers.begin);
  if (begin < 0) return fault('noBegin', lines, 0);
  const end = lines.findLastIndex((line) => trim(line) === markers.end);
  if (end < begin) return fault('noEnd', lines, lines.length);
  // An indented last marker may as well be a context line of a text that was cut off there: then more of the patch follows it.
  const after = lines.slice(end + 1);
  if (trimEnd(lines[end] as string) !== markers.end && !after.every(isClosing))
    return fault('noEnd', lines, lines.length);
  // More of a patch, or of another one: leaving it out would be half the truth.
  const more = after.findIndex((line) => trim(line).startsWith('***'));
  if (more >= 0) return fault('behindEnd', lines, end + 1 + more);

  const before = lines.slice(0, begin);
  const changesDirectory = before.findIndex(
    (line) => /\bcd\s+\S.*(?:&&|;)/.test(line) && line.includes('apply_patch'),
  );
  if (changesDirectory >= 0) return fault('changesDirectory', lines, changesDirectory);
  if ([...before, ...after].some((line) => trim(line) !== '')) {
    notes.push('Text around the patch was ignored: the input must be the patch alone.');
  }
  return ok({ lines, begin, end, notes });
}

/** Where a function stands in for the custom tool, its arguments are an object; the field's name differs from client to client. */
function fromJson(input: string): string | undefined {
  if (!/^\s*\{/.test(input)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return undefined;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return ['input', 'patch', 'patchText']
    .map((name) => fields[name])
    .find((field) => typeof field === 'string');
}

/** What may follow an indented end marker: nothing, the end of a fence, the word that ends a heredoc. */
function isClosing(line: string): boolean {
  return /^(?:`{3,}|~{3,}|[A-Z_]+|)$/.test(trim(line));
}

function fault(why: FormatFault, lines: readonly string[], at: number): Result<never, BadFormat> {
  return err({
    kind: 'bad-format',
    why,
    line: Math.min(at + 1, lines.length),
    found: shorten(lines[at] ?? ''),
  });
}
