/** Values that are called a password, a key, a token or a secret where they stand: in programs, settings and environment files. Pure. */
import { isUuid, looksLikeCode, looksLikePassword, looksMadeUp, looksRandom } from './madeUp.ts';
import { kindOfName } from './names.ts';
import type { Secret, Span } from './secret.ts';

/** What every name that is looked at holds. */
const clue = /passw|passphrase|pwd|pass\b|secret|token|key|credential|auth/gi;

/** From the end of the name to the value: a quote, a type, and what assigns. */
const toValue =
  /\\?["'`\]]{0,2}[ \t]{0,8}(?:\??:[ \t]{0,4}(?:string|str|&str)[ \t]{0,4}(?==))?(?::=|=>|[:=]|(?<=--[\w-]{1,60})[ \t])[ \t]{0,8}/y;
/** The same where the value stands beside the name, as a member of its own: in the same tag or object, or in the next line. */
const toMember =
  /\\?["'`]?,?[ \t]{0,8}(?:\r?\n[ \t]{0,8}(?:\d{1,7}[|:])?[+-]?[ \t]{0,60})?\\?["']?(?<![\w])[Vv]alue\\?["']?[ \t]{0,4}[:=][ \t]{0,8}/y;
const tagEnd = />[ \t]{0,8}/y;

/** Longest that is looked at, in UTF-16 units. */
const longestName = 100;
const name = /[\w.-]*/y;
const isOfName = /[\w.-]/;
/** Shortest and longest value that is looked at. */
const shortestValue = 8;
const longestValue = 256;
const quote = /\\?["'`]/y;
// One more than may be: whether it ends is told by the length, so that nothing is read twice.
const quoted = /[^"'`\r\n\\]{0,257}/y;
const bare = /[^\s"'`,;<>(){}[\]|&\\]{0,257}/y;
const toLineEnd = /[^\s#"'`]\S{0,256}/y;
const toSetting = /[^\s;"'`]{0,257}/y;
/** What stands before the password in a connection string of databases: where it is, or who signs in. */
const isConnection =
  /(?:server|source|host|uid|user(?: ?id)?|username)=[^\n;"'`=]{1,100};(?:[^\n;"'`=]{1,40}=[^\n;"'`=]{0,100};){0,3}[ \t]?$/i;
/** What may stand before a name in an environment file, numbered or as a line of a diff. */
const beforeName = /(?:^|\n)[ \t]*(?:\d{1,7}[|:])?[+-]?[ \t]*(?:export |set |ENV |ARG |- )?$/;

/** The value behind the name of a scheme, in headers and in what sends them. */
const scheme = /\b(?:bearer|basic)[ \t]{1,4}([\w+/=.~-]{16,512})/gi;

/** The frame of a private key is none of a value: without it nobody would know where the key ends. */
const frame = /-----(?:BEGIN|END)/;

interface Value {
  readonly text: string;
  readonly start: number;
  readonly how: 'quoted' | 'bare' | 'line';
}

export function* namedSecrets(text: string): Generator<Secret, void, undefined> {
  let nameEnd = 0;
  for (const { 0: found, index } of text.matchAll(clue)) {
    // In a name that was looked at already.
    if (index < nameEnd) continue;
    const nameStart = startOfName(text, index, nameEnd);
    nameEnd = endOf(name, text, index + found.length);
    if (nameEnd - nameStart > longestName) continue;
    const kind = kindOfName(text.slice(nameStart, nameEnd));
    if (kind === undefined) continue;
    const value = valuesAfter(text, { start: nameStart, end: nameEnd }).find((one) => isSecret(one, kind));
    if (value === undefined) continue;
    const { start } = value;
    const end = start + value.text.length;
    yield { kind, start: nameStart, end, parts: [{ start, end }] };
  }
  for (const { 0: all, 1: token = '', index } of text.matchAll(scheme)) {
    if (frame.test(token) || !looksRandom(token)) continue;
    const end = index + all.length;
    yield { kind: 'assignment', start: index, end, parts: [{ start: end - token.length, end }] };
  }
}

/** Not before `least`, and no further than a name is long. */
function startOfName(text: string, clueAt: number, least: number): number {
  let start = clueAt;
  const stop = Math.max(least, clueAt - longestName - 1);
  while (start > stop && isOfName.test(text[start - 1]!)) start -= 1;
  return start;
}

/** What the value may be, the likeliest first. */
function valuesAfter(text: string, of: Span): readonly Value[] {
  const isTag = text[of.start - 1] === '<';
  const beside = isTag ? -1 : endOf(toMember, text, of.end);
  const start = beside === -1 ? endOf(isTag ? tagEnd : toValue, text, of.end) : beside;
  if (start === -1) return [];
  const inside = endOf(quote, text, start);
  if (inside === -1) return [...lineAt(text, of, start), ...valueAt(bare, text, start, 'bare')];
  const values = valueAt(quoted, text, inside, 'quoted');
  return values.filter((value) => endOf(quote, text, value.start + value.text.length) !== -1);
}

/** All of the line: environment files know no other end of a value. In a connection string it ends where the next setting begins. */
function lineAt(text: string, { start: nameStart, end }: Span, start: number): readonly Value[] {
  // Nothing but the sign stands between: a program has blanks there.
  if (start !== end + 1 || text[end] !== '=') return [];
  if (isConnection.test(text.slice(Math.max(0, nameStart - 200), nameStart)))
    return valueAt(toSetting, text, start, 'line');
  const isFirst = beforeName.test(text.slice(Math.max(0, nameStart - 40), nameStart));
  return isFirst ? valueAt(toLineEnd, text, start, 'line') : [];
}

function valueAt(pattern: RegExp, text: string, start: number, how: Value['how']): readonly Value[] {
  const length = endOf(pattern, text, start) - start;
  return length < shortestValue || length > longestValue
    ? []
    : [{ text: text.slice(start, start + length), start, how }];
}

/** Where what fits at `from` ends; -1 when nothing does. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function isSecret({ text, how }: Value, kind: 'password' | 'assignment'): boolean {
  if (frame.test(text)) return false;
  if (/\s/.test(text) || looksMadeUp(text) || looksLikeCode(text)) return false;
  if (isUuid(text)) return how !== 'bare';
  if (looksRandom(text)) return true;
  // In a program, what is not quoted is an expression.
  if (kind === 'assignment') return false;
  return how !== 'bare' && looksLikePassword(text, how === 'line' ? 2 : 3);
}
