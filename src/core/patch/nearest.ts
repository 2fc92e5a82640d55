/**
 * What a message can say about a hunk that has no place or several: the place that looks most like it, the first line that differs,
 * the definition a place stands in. All of it is for the message; nothing here ever decides an edit.
 */
import { lineEnd, lineStart, lineText, type LineIndex } from '../lines.ts';
import { trim, trimmedEnd, trimmedStart } from './blanks.ts';
import { Budget } from './budget.ts';
import { Haystack } from './haystack.ts';
import { shorten } from './messageText.ts';
import type { Hunk, HunkLine } from './patch.ts';
import type { NearestPlace } from './patchError.ts';
import { lineKey } from './passes.ts';

/** Lines shown above and below a place. */
const radius = 8;
/** Characters compared of a line. */
const maxCompared = 200;
const loosest = 'indentationAndPunctuation';

/**
 * The place at which most of the hunk's old lines stand where they should; failing that, the line most like its longest one; failing
 * that too, the beginning of the file.
 */
export function findNearest(haystack: Haystack, old: readonly HunkLine[]): NearestPlace {
  const place = mostVotes(haystack, old) ?? mostAlike(haystack.lines, old);
  return place === undefined
    ? describePlace(haystack.lines, 0, [])
    : describePlace(haystack.lines, place, old);
}

/** A place (zero-based, perhaps above the first line) as a message shows it, and where `old` differs from it. */
export function describePlace(lines: LineIndex, place: number, old: readonly HunkLine[]): NearestPlace {
  const from = Math.max(0, place - radius);
  const to = Math.min(lines.count, Math.max(place, 0) + Math.min(old.length, 2 * radius) + radius);
  const shown = Array.from({ length: to - from }, (_, at) => shorten(lineText(lines, from + at)));
  const differing = old.findIndex((line, at) => !isSame(lines, place + at, line.text));
  const around = { from: from + 1, lines: shown };
  const line = old[differing];
  if (!line) return { line: Math.max(place, 0) + 1, around };
  const at = place + differing;
  const present = at >= 0 && at < lines.count ? { present: shorten(lineText(lines, at)) } : {};
  return {
    line: Math.max(place, 0) + 1,
    differs: {
      patchLine: line.line,
      expected: shorten(line.text),
      fileLine: Math.max(at, 0) + 1,
      ...present,
    },
    around,
  };
}

/** Zero-based line from which on the lines that the hunk would leave behind stand in the text already. */
export function findApplied(lines: LineIndex, hunk: Hunk): number | undefined {
  const left = hunk.lines.flatMap((line) => (line.kind === 'remove' ? [] : [line.text]));
  if (!hunk.lines.some((line) => line.kind === 'add' && trim(line.text) !== '')) return undefined;
  const haystack = new Haystack(lines, new Set(left), new Budget());
  return haystack.placesOfBlock('exact', left)[0] ?? haystack.placesOfBlock('trailingBlanks', left)[0];
}

/** The head of what a place stands in, as a message names it. */
export function findEnclosing(haystack: Haystack, place: number): string | undefined {
  const head = place < haystack.lines.count ? haystack.scopes.head(place) : undefined;
  return head === undefined ? undefined : shorten(trim(lineText(haystack.lines, head)));
}

function isSame(lines: LineIndex, line: number, text: string): boolean {
  return (
    line >= 0 && line < lines.count && lineKey(loosest, lineText(lines, line)) === lineKey(loosest, text)
  );
}

/** Each old line votes for the places at which the hunk would have to begin; the rarer the line, the more its vote counts. */
function mostVotes(haystack: Haystack, old: readonly HunkLine[]): number | undefined {
  const votes = new Map<number, number>();
  for (const [at, line] of old.slice(0, 400).entries()) {
    const places = haystack.placesOf(loosest, line.text);
    if (trim(line.text) === '') continue;
    for (const place of places.slice(0, 50)) {
      votes.set(place - at, (votes.get(place - at) ?? 0) + 1 / places.length);
    }
  }
  let best: number | undefined;
  for (const [place, weight] of votes) {
    const most = best === undefined ? 0 : (votes.get(best) as number);
    if (weight > most || (weight === most && place < (best as number))) best = place;
  }
  return best;
}

/** By what two lines share at their beginning and end: cheap, bounded, and good enough to point at a line. */
function mostAlike(lines: LineIndex, old: readonly HunkLine[]): number | undefined {
  const sought = old
    .slice(0, 50)
    .map((line, at) => ({ text: trim(line.text), at }))
    .reduce((one, other) => (other.text.length > one.text.length ? other : one));
  let best: number | undefined;
  let most = 0;
  for (let line = 0; line < Math.min(lines.count, 200_000); line += 1) {
    const score = likeness(lines, line, sought.text.slice(0, maxCompared));
    if (score <= most) continue;
    most = score;
    best = line;
  }
  return best === undefined || most < 0.4 ? undefined : best - sought.at;
}

function likeness(lines: LineIndex, line: number, sought: string): number {
  const { text } = lines;
  const end = trimmedEnd(text, lineStart(lines, line), lineEnd(lines, line));
  const start = trimmedStart(text, lineStart(lines, line), end);
  const longer = Math.max(end - start, sought.length);
  const shorter = Math.min(end - start, sought.length);
  if (shorter * 4 < longer) return 0;
  let head = 0;
  while (head < shorter && text.charCodeAt(start + head) === sought.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    text.charCodeAt(end - 1 - tail) === sought.charCodeAt(sought.length - 1 - tail)
  )
    tail += 1;
  return (head + tail) / longer;
}
