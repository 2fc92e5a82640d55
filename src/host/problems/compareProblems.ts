/**
 * What a patch did to the problems that the editor shows: which are gone and which are new. A problem is the same one when message and
 * source are the same and it stands where the patch moved its line. Plain data, pure: knows no editor.
 */
import type { LineChange } from '../../core/patch/lineDiff.ts';
import { lineChanges } from '../edits/files/lineChanges.ts';

export interface Problem {
  /** Address of the file. */
  readonly uri: string;
  /** Both zero-based. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Such as `ts 2322`; empty where none is told. */
  readonly source: string;
}

/** The problems of a moment. */
export interface Snapshot {
  readonly problems: readonly Problem[];
  /** Addresses of files in a tab, for long enough that a language has looked at them. Most look at no others. */
  readonly looked: ReadonlySet<string>;
}

/** A file that the patch changed. Absent texts: it was not there before, or is not there any more. */
export interface PatchedFile {
  /** Before the patch. */
  readonly uri: string;
  /** Where it is now; another one when the patch moved it. */
  readonly now: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Comparison {
  readonly fixed: readonly Problem[];
  readonly introduced: readonly Problem[];
  /** Addresses of changed files of which nothing is known now: no editor shows them. */
  readonly unknown: readonly string[];
}

export function compareProblems(
  before: Snapshot,
  after: Snapshot,
  files: readonly PatchedFile[],
): Comparison {
  const old = byFile(before.problems);
  const present = byFile(after.problems);
  const patched = new Map(files.map((file) => [file.uri, file]));
  const targets = new Map(files.map((file) => [file.now, file]));
  const addresses = new Set([
    ...old.keys(),
    ...[...present.keys()].map((uri) => targets.get(uri)?.uri ?? uri),
    ...files.map(({ uri }) => uri),
  ]);
  const fixed: Problem[] = [];
  const introduced: Problem[] = [];
  const unknown: string[] = [];
  for (const uri of addresses) {
    const file = patched.get(uri);
    // Its problems went with it.
    if (file !== undefined && file.after === undefined) continue;
    const now = file?.now ?? uri;
    const was = old.get(uri) ?? [];
    const is = present.get(now) ?? [];
    // Who told of a file that no editor showed looks at all files.
    const looksAtAll = was.length > 0 && !before.looked.has(uri);
    if (is.length === 0 && !after.looked.has(now) && !looksAtAll) {
      if (file !== undefined) unknown.push(now);
      continue;
    }
    const changes = changesOf(file);
    const { gone, left } = matched(was, is, file === undefined ? 'anywhere' : changes);
    fixed.push(...gone);
    const isNew = file !== undefined && file.before === undefined;
    const wasKnown = isNew || was.length > 0 || before.looked.has(uri);
    // What was there already in a file that nobody had looked at is not the patch's doing.
    introduced.push(...left.filter(({ line }) => wasKnown || changes.some((change) => isIn(line, change))));
  }
  return { fixed, introduced, unknown };
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly like: number;
}

/**
 * Which problems are gone and which are left over. In a file that the patch left alone, whatever moved a problem was not the patch: there
 * it is the same one anywhere. Those that stand exactly where they are looked for are taken first: of a file with thousands of the same
 * kind, that leaves few to be compared with each other.
 */
function matched(
  was: readonly Problem[],
  is: readonly Problem[],
  changes: readonly LineChange[] | 'anywhere',
): { readonly gone: readonly Problem[]; readonly left: readonly Problem[] } {
  const taken = new Set<Problem>();
  const exact = Map.groupBy(is, (one) => keyAt(one, one.line));
  const moved: { readonly problem: Problem; readonly place: Place }[] = [];
  for (const problem of was) {
    const { line } = problem;
    const place = changes === 'anywhere' ? { from: 0, to: Infinity, like: line } : placeNow(line, changes);
    const same = place.like > place.to ? undefined : exact.get(keyAt(problem, place.like))?.shift();
    if (same === undefined) moved.push({ problem, place });
    else taken.add(same);
  }
  const others = Map.groupBy(
    is.filter((one) => !taken.has(one)).toSorted((one, other) => one.line - other.line),
    kindOf,
  );
  const gone: Problem[] = [];
  for (const { problem, place } of moved) {
    const same = others.get(kindOf(problem)) ?? [];
    const best = nearest(same, problem.column, place);
    if (best === -1) gone.push(problem);
    else for (const found of same.splice(best, 1)) taken.add(found);
  }
  return { gone, left: is.filter((one) => !taken.has(one)) };
}

function kindOf({ message, source }: Problem): string {
  return `${source}\n${message}`;
}

function keyAt(problem: Problem, line: number): string {
  return `${line} ${problem.column} ${kindOf(problem)}`;
}

/** Index; -1 when none of them stands where it may. They are in the order of their lines. */
function nearest(problems: readonly Problem[], column: number, { from, to, like }: Place): number {
  let best = -1;
  let distance: readonly [lines: number, columns: number] = [Infinity, Infinity];
  /** False when those that lie behind it are farther away. */
  const look = (index: number): boolean => {
    const each = problems[index];
    const lines = each === undefined ? Infinity : Math.abs(each.line - like);
    if (each === undefined || each.line < from || each.line > to || lines > distance[0]) return false;
    const columns = Math.abs(each.column - column);
    if (lines < distance[0] || columns < distance[1]) {
      best = index;
      distance = [lines, columns];
    }
    return true;
  };
  const start = firstFrom(problems, Math.min(to, Math.max(from, like)));
  for (let index = start; look(index);) index += 1;
  for (let index = start - 1; look(index);) index -= 1;
  return best;
}

/** The index of the first one that stands in this line or below it. */
function firstFrom(problems: readonly Problem[], line: number): number {
  let [low, high] = [0, problems.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((problems[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lines in which a line's problem can be now: one, or those that were written for it. */
function placeNow(line: number, changes: readonly LineChange[]): Place {
  let shift = 0;
  for (const { from, to, newFrom, newTo } of changes) {
    if (line < from) break;
    if (line < to) {
      return {
        from: newFrom,
        to: Math.max(newFrom, newTo - 1),
        like: Math.min(newFrom + line - from, newTo),
      };
    }
    shift = newTo - to;
  }
  return { from: line + shift, to: line + shift, like: line + shift };
}

/** Whether a line was written by this change; of a change that only took lines away, the line where they were counts. */
function isIn(line: number, { newFrom, newTo }: LineChange): boolean {
  return line >= newFrom && line < Math.max(newTo, newFrom + 1);
}

function changesOf(file: PatchedFile | undefined): readonly LineChange[] {
  if (file === undefined) return [];
  return lineChanges(file.before ?? '', file.after ?? '');
}

/**
 * Which change of a patch stands at a line of the file, by its number among all of the patch's changes to it. The file may have been
 * changed since: `now` is its text.
 */
export function changeAt(
  line: number,
  { before, after, now }: { readonly before: string; readonly after: string; readonly now: string },
): number | undefined {
  const back = lineChanges(now, after);
  const place = placeNow(line, back);
  const index = lineChanges(before, after).findIndex((change) => isIn(place.like, change));
  return index < 0 ? undefined : index;
}

function byFile(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  return Map.groupBy(problems, ({ uri }) => uri);
}
