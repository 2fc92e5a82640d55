/**
 * How well a path, or any other name, fits what a person types of it. Pure, and cheap enough to be asked of each file of a large
 * workspace at each key.
 */

/** Scores of each kind of fit; those of one kind never reach those of the next. */
const whole = 1_000;
const stem = 950;
const beginning = 900;
const wordOfName = 780;
const withinName = 680;
const wordOfPath = 560;
const withinPath = 460;
const scatteredInName = 300;
const scattered = 150;
/** What is taken off at most for letters that were not typed. */
const mostOff = 80;
/** What is added or taken off at most for how far letters stand apart. */
const mostSpread = 70;

/** The most that a fit of scattered letters can have: anywhere in the path, and within the name. */
export const mostScattered = scattered + mostSpread;
export const mostScatteredInName = scatteredInName + mostSpread;

/** Without differences of case, and of how accents are put together. As long as the text itself but for a few rare letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize('NFC');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** What is typed, as `fit` takes it. */
export function foldQuery(query: string): string {
  return fold(query).replaceAll('\\', '/');
}

export interface Name {
  readonly text: string;
  readonly folded: string;
  /** Where the last part of a path begins; 0 of a name that is no path. */
  readonly nameAt: number;
}

export function nameOf(path: string): Name {
  return { text: path, folded: fold(path), nameAt: path.lastIndexOf('/') + 1 };
}

/** A name with a slash in it that is no path. */
export function named(text: string): Name {
  return { text, folded: fold(text), nameAt: 0 };
}

/**
 * The higher the better, 0 for no fit. The name counts more than the folders, its beginning and that of its words more than the rest,
 * and letters that stand together more than scattered ones.
 * @param query folded and not empty
 * @param positions filled with where in `folded` the letters stand
 */
export function fit(name: Name, query: string, positions?: number[]): number {
  return (
    fitInOnePiece(name, query, positions) ||
    fitScatteredInName(name, query, positions) ||
    fitScattered(name, query, positions)
  );
}

/** As `fit`, of letters that stand together. */
export function fitInOnePiece(name: Name, query: string, positions?: number[]): number {
  const { folded, nameAt } = name;
  const last = folded.lastIndexOf(query);
  if (last < 0) return 0;
  if (last >= nameAt) {
    const at = bestIndex(name, query, nameAt);
    addRun(positions, at, query.length);
    const rest = folded.length - nameAt - query.length;
    const off = Math.min(rest, mostOff);
    if (at > nameAt) return (isWordStart(name, at) ? wordOfName : withinName) - off;
    if (rest === 0) return whole;
    const endsStem = folded.charCodeAt(nameAt + query.length) === dot && query.length > 1;
    return (endsStem ? stem : beginning) - off;
  }
  addRun(positions, last, query.length);
  const off = Math.min(folded.length - last - query.length, mostOff);
  // Folders and the beginning of the name, as one types who knows the way.
  if (last + query.length > nameAt && isSegmentStart(folded, last)) return beginning - off;
  return (isWordStart(name, last) ? wordOfPath : withinPath) - off;
}

/** As `fit`, of letters in their order with others between them, in the name alone. */
export function fitScatteredInName(name: Name, query: string, positions?: number[]): number {
  const found = spread(name, query, name.nameAt, positions);
  return found === undefined ? 0 : scatteredInName + found;
}

/** The same in the whole path. */
export function fitScattered(name: Name, query: string, positions?: number[]): number {
  const found = spread(name, query, 0, positions);
  return found === undefined ? 0 : scattered + found;
}

/** Whether all letters are there, in their order. */
export function hasInOrder(folded: string, query: string, from: number): boolean {
  let at = from - 1;
  for (let typed = 0; typed < query.length; typed += 1) {
    at = folded.indexOf(query[typed]!, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** How well letters stand together, undefined where they are not all there. Beginnings of words first; where that fails, the next letter. */
function spread(
  name: Name,
  query: string,
  from: number,
  positions: number[] | undefined,
): number | undefined {
  if (!hasInOrder(name.folded, query, from)) return undefined;
  return spreadBy(nextWord, name, query, from, positions) ?? spreadBy(next, name, query, from, positions);
}

type Finder = (name: Name, letter: string, from: number) => number;

function next({ folded }: Name, letter: string, from: number): number {
  return folded.indexOf(letter, from);
}

function nextWord(name: Name, letter: string, from: number): number {
  const { folded } = name;
  const first = folded.indexOf(letter, from);
  if (first <= from) return first;
  for (let at = first; at >= 0; at = folded.indexOf(letter, at + 1)) if (isWordStart(name, at)) return at;
  return first;
}

function spreadBy(
  find: Finder,
  name: Name,
  query: string,
  from: number,
  positions: number[] | undefined,
): number | undefined {
  const found: number[] | undefined = positions && [];
  let score = 0;
  let before = from - 1;
  for (let typed = 0; typed < query.length; typed += 1) {
    const at = find(name, query[typed]!, before + 1);
    if (at < 0) return undefined;
    if (at === before + 1 && typed > 0) score += 6;
    else score += (isWordStart(name, at) ? 8 : 0) - Math.min(at - before, 6);
    found?.push(at);
    before = at;
  }
  if (found !== undefined) positions?.push(...found);
  return Math.max(-mostSpread, Math.min(mostSpread, score));
}

/** Where the query stands in the name: at the beginning of a word if it does. */
function bestIndex(name: Name, query: string, from: number): number {
  const { folded } = name;
  const first = folded.indexOf(query, from);
  for (let at = first; at >= 0; at = folded.indexOf(query, at + 1)) if (isWordStart(name, at)) return at;
  return first;
}

const slash = 47;
const dot = 46;

function isSegmentStart(folded: string, at: number): boolean {
  return at === 0 || folded.charCodeAt(at - 1) === slash || folded.charCodeAt(at) === slash;
}

/** Behind a sign, at a capital behind a small letter, or where digits begin. */
function isWordStart({ text, folded }: Name, at: number): boolean {
  if (at === 0) return true;
  const before = folded.charCodeAt(at - 1);
  if (!isLetterOrDigit(before)) return true;
  // Folding changed what stands where: only the folded text can be asked.
  if (text.length !== folded.length) return false;
  const own = text.charCodeAt(at);
  if (isDigit(own)) return !isDigit(before);
  return own >= 65 && own <= 90 && !(text.charCodeAt(at - 1) >= 65 && text.charCodeAt(at - 1) <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || isDigit(code) || code > 127;
}

function addRun(positions: number[] | undefined, at: number, length: number): void {
  if (positions !== undefined) for (let each = 0; each < length; each += 1) positions.push(at + each);
}

export type Ranges = readonly (readonly [number, number])[];

/** Ascending positions as half-open ranges; those from `from` until `to` alone, counted from `from`. */
export function rangesOf(positions: readonly number[], from: number, to: number): Ranges {
  const ranges: [number, number][] = [];
  for (const position of positions) {
    if (position < from || position >= to) continue;
    const last = ranges.at(-1);
    if (last?.[1] === position - from) last[1] += 1;
    else ranges.push([position - from, position - from + 1]);
  }
  return ranges;
}
