/**
 * A proposal that waits while its file goes on changing: what it is at this moment, hunk by hunk. Texts are values with LF ends;
 * knows no files, no editors and no people.
 */
import { diffLines, splitLines } from './lineDiff.ts';
import { mergeLines, type LineRange, type Overlap } from './merge.ts';

export interface Followed {
  /** The text that `proposal` and `planned` were made for. */
  readonly origin: string;
  /** The proposal as the person has it, made for `origin`. */
  readonly proposal: string;
  /** The proposal as nobody has touched it, made for `origin`. */
  readonly planned: string;
  /** The file now. */
  readonly live: string;
  /** `live`, but with the lines of `origin` where the proposal overlaps with what was changed meanwhile. */
  readonly base: string;
  /** The proposal made for `live`; where the two overlap it has the proposal's lines. */
  readonly text: string;
  /** The same of `planned`. */
  readonly untouched: string;
  readonly overlaps: readonly Overlap[];
  /** Hunks that the file has got meanwhile without this proposal. */
  readonly there: number;
}

/** Zero-based lines, `to` exclusive. */
export interface Hunk {
  readonly inBase: LineRange;
  /** Of a conflicting hunk, all lines that were changed meanwhile. */
  readonly inLive: LineRange;
  readonly inText: LineRange;
  readonly state: HunkState;
  /** Some of its lines differ in nothing but blanks at their ends, which a diff editor hides if told so. */
  readonly hidden: boolean;
}

export type HunkState = 'fresh' | 'moved' | 'conflicting';

export function startFollowing(before: string, after: string): Followed {
  return followLive({ origin: before, proposal: after, planned: after }, before);
}

/** What the proposal is when the file has become `live`. */
export function followLive(
  { origin, proposal, planned }: Pick<Followed, 'origin' | 'proposal' | 'planned'>,
  live: string,
): Followed {
  const { text, base, overlaps, agreed } = mergeLines(origin, live, proposal);
  const untouched = planned === proposal ? text : mergeLines(origin, live, planned).text;
  return { origin, proposal, planned, live, base, text, untouched, overlaps, there: agreed };
}

/** The person has changed the proposal to `text`, with `live` beside it. Overlaps in which they changed something are settled by that. */
export function amendProposal(followed: Followed, text: string): Followed {
  const { base, live, overlaps, untouched } = followed;
  const shown = splitLines(followed.text);
  const known = new Set(overlaps.map(({ inText }) => linesIn(shown, inText)));
  const merged = mergeLines(base, live, text);
  const mergedLines = splitLines(merged.text);
  const liveLines = splitLines(live);
  const baseLines = splitLines(merged.base);
  const parts: (readonly string[])[] = [];
  let line = 0;
  for (const { inBase, inCurrent, inText } of merged.overlaps) {
    if (known.has(linesIn(mergedLines, inText))) continue;
    parts.push(baseLines.slice(line, inBase.from), liveLines.slice(inCurrent.from, inCurrent.to));
    line = inBase.to;
  }
  const origin = [...parts, baseLines.slice(line)].flatMap((part) => part).join('');
  return followLive({ origin, proposal: merged.text, planned: untouched }, live);
}

/** The hunks of the proposal against the file as it is, ascending. `before` is the text that the patch was planned for. */
export function hunksOf({ base, text, overlaps }: Followed, before: string): Hunk[] {
  const baseLines = splitLines(base);
  const lines = splitLines(text);
  const drift = before === base ? [] : diffLines(splitLines(before), baseLines);
  let drifted = 0;
  let index = 0;
  // Both ascend, so each overlap is passed once.
  let shift = 0;
  let passed = 0;
  return diffLines(baseLines, lines).map(({ from, to, newFrom, newTo }) => {
    for (let each = drift[index]; each !== undefined && each.newTo <= from; each = drift[index]) {
      drifted = each.newTo - each.to;
      index += 1;
    }
    let next = overlaps[passed];
    for (; next !== undefined && next.inBase.to < from; next = overlaps[passed]) {
      shift = next.inCurrent.to - next.inBase.to;
      passed += 1;
    }
    let overlap: Overlap | undefined;
    for (let at = passed; next !== undefined && next.inBase.from <= to; next = overlaps[at]) {
      overlap = next;
      at += 1;
    }
    return {
      inBase: { from, to },
      inLive: overlap?.inCurrent ?? { from: from + shift, to: to + shift },
      inText: { from: newFrom, to: newTo },
      state: overlap !== undefined ? 'conflicting' : drifted + shift === 0 ? 'fresh' : 'moved',
      hidden: hasHidden(baseLines.slice(from, to), lines.slice(newFrom, newTo)),
    };
  });
}

/** `live` with one hunk written into it, and the rest of the proposal made for that. The hunk must not be a conflicting one. */
export function takeHunk(followed: Followed, { inBase, inLive, inText }: Hunk): Followed {
  const put = splitLines(followed.text).slice(inText.from, inText.to);
  const origin = replaceLines(followed.base, inBase, put);
  const live = replaceLines(followed.live, inLive, put);
  return followLive({ origin, proposal: followed.text, planned: followed.untouched }, live);
}

/** The proposal without one hunk: there it has what the file has. */
export function dropHunk({ live, text }: Followed, { inLive, inText }: Hunk): string {
  return replaceLines(text, inText, splitLines(live).slice(inLive.from, inLive.to));
}

/** Whether hunks were taken out of the proposal and nothing else was changed in it. */
export function isPart({ base, text, untouched }: Followed): boolean {
  if (text === untouched) return false;
  const lines = splitLines(base);
  const written = (of: string): string[] => {
    const put = splitLines(of);
    return diffLines(lines, put).map(({ from, to, newFrom, newTo }) =>
      JSON.stringify([from, to, ...put.slice(newFrom, newTo)]),
    );
  };
  const whole = new Set(written(untouched));
  return written(text).every((hunk) => whole.has(hunk));
}

/** How many hunks of the plan are no longer in the proposal at all: rejected one by one, or reverted in a diff editor. */
export function droppedHunks({ base, text, untouched }: Followed): number {
  if (text === untouched) return 0;
  const lines = splitLines(base);
  const left = diffLines(lines, splitLines(text));
  // Both ascend, so each is passed once.
  let at = 0;
  let dropped = 0;
  for (const { from, to } of diffLines(lines, splitLines(untouched))) {
    let next = left[at];
    for (; next !== undefined && next.to < from; next = left[at]) at += 1;
    // One that touches it is what became of it.
    if (next === undefined || next.from > to) dropped += 1;
  }
  return dropped;
}

function replaceLines(text: string, { from, to }: LineRange, put: readonly string[]): string {
  const lines = splitLines(text);
  return [...lines.slice(0, from), ...put, ...lines.slice(to)].join('');
}

function linesIn(lines: readonly string[], { from, to }: LineRange): string {
  return lines.slice(from, to).join('');
}

/** Whether the two have lines that are the same once trimmed, but not as they stand. */
function hasHidden(before: readonly string[], after: readonly string[]): boolean {
  const trimmed = before.map((line) => line.trim());
  const trimmedAfter = after.map((line) => line.trim());
  let line = 0;
  let newLine = 0;
  const differs = (to: number): boolean => {
    let found = false;
    for (; line < to; line += 1, newLine += 1) found ||= before[line] !== after[newLine];
    return found;
  };
  for (const { from, to, newTo } of diffLines(trimmed, trimmedAfter)) {
    if (differs(from)) return true;
    line = to;
    newLine = newTo;
  }
  return differs(before.length);
}
