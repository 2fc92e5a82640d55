/** Values that are called a password, a key, a token or a secret where they stand: in programs, settings and environment files. Pure. */
import { isUuid, looksLikeCode, looksLikePassword, looksMadeUp, looksRandom } from './madeUp.ts';
import { kindOfName } from './names.ts';
import type { Secret } from './secret.ts';

/** What every name that is looked at holds. */
const clue = /passw|passphrase|pwd|pass\b|secret|token|key|credential|auth/gi;

/** From the end of the name to the value: a quote, a type, and what assigns. */
const toValue =
  /\\?["'`\]]{0,2}[ \t]{0,8}(?:\??:[ \t]{0,4}(?:string|str|&str)[ \t]{0,4}(?==))?(?::=|=>|[:=]|(?<=--[\w-]{1,60})[ \t])[ \t]{0,8}/y;
const tagEnd = />[ \t]{0,8}/y;

/** Longest that is looked at, in UTF-16 units. */
const longestName = 60;
const quoted = /\\?(["'`])([^"'`\r\n\\]{8,256})\\?\1/y;
const bare = /[^\s"'`,;<>(){}[\]|&\\]{8,256}(?![^\s"'`,;<>)}\]|&\\])/y;
const toLineEnd = /[^\s#"'`][^\s]{7,255}(?=\s|$)/y;
/** What may stand before a name in an environment file, numbered or as a line of a diff. */
const beforeName = /(?:^|\n)[ \t]*(?:\d{1,7}[|:])?[+-]?[ \t]*(?:export |set |ENV |ARG |- )?$/;

/** The value behind the name of a scheme, in headers and in what sends them. */
const scheme = /\b(?:bearer|basic)[ \t]{1,4}([\w+/=.~-]{16,512})/gi;

interface Value {
  readonly text: string;
  readonly start: number;
  readonly how: 'quoted' | 'bare' | 'line';
}

export function* namedSecrets(text: string): Generator<Secret, void, undefined> {
  for (const { 0: found, index } of text.matchAll(clue)) {
    const nameStart = startOfName(text, index);
    const nameEnd = endOfName(text, index + found.length);
    const kind = kindOfName(text.slice(nameStart, nameEnd));
    if (kind === undefined) continue;
    const value = valuesAfter(text, nameStart, nameEnd).find((one) => isSecret(one, kind));
    if (value === undefined) continue;
    const { start } = value;
    const end = start + value.text.length;
    yield { kind, start: nameStart, end, parts: [{ start, end }] };
  }
  for (const { 0: all, 1: token = '', index } of text.matchAll(scheme)) {
    if (!looksRandom(token)) continue;
    const end = index + all.length;
    yield { kind: 'assignment', start: index, end, parts: [{ start: end - token.length, end }] };
  }
}

function startOfName(text: string, clueAt: number): number {
  const before = /[\w.-]*$/.exec(text.slice(Math.max(0, clueAt - longestName), clueAt))![0];
  return clueAt - before.length;
}

function endOfName(text: string, clueEnd: number): number {
  return clueEnd + /^[\w.-]*/.exec(text.slice(clueEnd, clueEnd + longestName))![0].length;
}

/** What the value may be, the likeliest first. */
function valuesAfter(text: string, nameStart: number, nameEnd: number): readonly Value[] {
  const isTag = text[nameStart - 1] === '<';
  const start = matchEnd(isTag ? tagEnd : toValue, text, nameEnd);
  if (start === undefined) return [];
  const inQuotes = quotedAt(text, start);
  if (inQuotes !== undefined) return [inQuotes];
  return [lineAt(text, nameStart, nameEnd, start), bareAt(text, start)].filter(
    (value) => value !== undefined,
  );
}

function quotedAt(text: string, start: number): Value | undefined {
  quoted.lastIndex = start;
  const found = quoted.exec(text);
  if (found === null) return undefined;
  const [all, quote = '', value = ''] = found;
  return { text: value, start: start + all.indexOf(quote) + 1, how: 'quoted' };
}

/** All of the line: environment files know no other end of a value. */
function lineAt(text: string, nameStart: number, nameEnd: number, start: number): Value | undefined {
  // Nothing but the sign stands between: a program has blanks there.
  if (start !== nameEnd + 1 || text[nameEnd] !== '=') return undefined;
  if (!beforeName.test(text.slice(Math.max(0, nameStart - 40), nameStart)) && nameStart > 0) return undefined;
  const end = matchEnd(toLineEnd, text, start);
  return end === undefined ? undefined : { text: text.slice(start, end), start, how: 'line' };
}

function bareAt(text: string, start: number): Value | undefined {
  const end = matchEnd(bare, text, start);
  return end === undefined ? undefined : { text: text.slice(start, end), start, how: 'bare' };
}

function matchEnd(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function isSecret({ text, how }: Value, kind: 'password' | 'assignment'): boolean {
  if (/\s/.test(text) || looksMadeUp(text) || looksLikeCode(text)) return false;
  if (isUuid(text)) return how !== 'bare';
  if (looksRandom(text)) return true;
  // In a program, what is not quoted is an expression.
  if (kind === 'assignment') return false;
  return how !== 'bare' && looksLikePassword(text, how === 'line' ? 2 : 3);
}
