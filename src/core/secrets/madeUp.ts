/** Tells values that nobody would guess from words, placeholders and counted-up examples. Pure; each value is looked at once. */

/** Values that stand in the place of a secret: for people to fill in, for a program to replace, or already blotted out. */
const placeholder =
  /example|sample|placeholder|dummy|change.?me|replace|redacted|insert.?here|your[-_.]|[-_.]here\b|<[^>]{0,60}>|\$\{|\{\{|\$\(|%\(|%[A-Z_]+%|\*{3}|\.{3}|…|•{2}|([xX0])\1{5}|1234567|(?:abc|qwe)[a-z]{0,24}123|deadbeef|lorem/i;

/** So many pairs of neighbours that count up, of all pairs: alphabets and rows of digits. */
const mostCounted = 0.4;

/** Of the value's length: how many different characters there are at least, up to a number that any length has. */
const leastVariety = 0.3;
const enoughVariety = 10;

/** Nothing that was drawn by chance looks like this. */
export function looksMadeUp(value: string): boolean {
  const different = new Set(value).size;
  if (different < Math.min(enoughVariety, value.length * leastVariety)) return true;
  return placeholder.test(value) || countedPairs(value) > mostCounted;
}

function countedPairs(value: string): number {
  let counted = 0;
  for (let at = 1; at < value.length; at += 1) {
    const step = value.charCodeAt(at) - value.charCodeAt(at - 1);
    if (step === 1 || step === 0) counted += 1;
  }
  return counted / value.length;
}

/** Shorter ones are no keys: too many words look like them. */
const shortestKey = 16;

/** Changes of the class of characters within a word, for each of its characters. Names have fewer; what was drawn by chance has twice as many. */
const leastChanges = 0.22;

/** Letters and digits drawn by chance, whatever the alphabet they were drawn from. */
export function looksRandom(value: string): boolean {
  if (value.length < shortestKey || !/^[\w+/=.~:-]+$/.test(value) || looksMadeUp(value)) return false;
  const digits = countOf(/\d/g, value);
  const letters = countOf(/[A-Za-z]/g, value);
  // Dates, numbers, versions; and words in capitals and small letters.
  if (letters < 4 || digits < 2) return false;
  return changes(value) / value.length >= leastChanges && entropy(value) >= leastEntropy(value);
}

/** Between letter and digit, and from a small letter to a capital. A capital that begins a word is followed by small ones in names too. */
function changes(value: string): number {
  return countOf(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]|(?<=[a-z])[A-Z]/g, value);
}

function countOf(pattern: RegExp, value: string): number {
  return [...value.matchAll(pattern)].length;
}

/** Of sixteen digits there are fewer kinds. */
function leastEntropy(value: string): number {
  return /^[\da-f-]+$|^[\dA-F-]+$/.test(value) ? 2.7 : 3.1;
}

/** Bits for each character (Shannon), by how often the characters of the value itself occur. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let sum = 0;
  for (const count of counts.values()) sum -= (count / value.length) * Math.log2(count / value.length);
  return sum;
}

/** What people call a password in examples, and what they set while they try something out. */
const weak =
  /pass?w[o0]?r?d|p[a@][s$]{2}|secret|test|admin|guest|root|user|login|default|qwert|letmein|welcome|hunter2|1234|abcd|foo|bar\b|postgres|mysql|mongo|redis|rabbit|minio|token|null|none|true|false|undefined/i;

/** At least `classes` of small letters, capitals, digits and others, in a value that is no word. */
export function looksLikePassword(value: string, classes: number): boolean {
  // Prose of languages without blanks is no password.
  if (value.length < 8 || value.length > 128 || /[^\x21-\x7e\xa1-\u024f]/.test(value)) return false;
  if (weak.test(value) || looksMadeUp(value)) return false;
  const has = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
  return has >= classes && new Set(value).size >= Math.min(8, value.length * 0.6);
}

/** A chain of identifiers, a call, an element of a list, a path, an address or a file: what stands for a value in a program. */
export function looksLikeCode(value: string): boolean {
  return (
    /^[$]?[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$-]*)+$/.test(value) ||
    /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|\$|@|#[\da-fA-F]{3,8}$|[a-z]+:\/\/)/.test(value) ||
    /^[\w.$:]+\(.*\)[;,]?$|[\w)]\[[\w"'-]*\]|=>/.test(value) ||
    /\.(?:[cm]?[jt]sx?|json|ya?ml|pem|key|crt|txt|env|py|go|rs|html?|css|md|png|svg)$/i.test(value)
  );
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export function isUuid(value: string): boolean {
  return uuid.test(value);
}
