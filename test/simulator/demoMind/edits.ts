/** Changes to lines of a file, and the patch text for them. */

/** Lines of one file as far as they are known. */
export interface Lines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Replaces `count` lines from `at` (counted from 0 in the lines that are known). */
export interface Edit {
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
}

export interface FileEdits {
  readonly file: Lines;
  /** By rising place, not overlapping. */
  readonly edits: readonly Edit[];
}

const contextLines = 3;

/** One patch for all of it. Empty when there is nothing to change. */
export function patchText(changes: readonly FileEdits[]): string {
  const sections = changes
    .filter(({ edits }) => edits.length > 0)
    .map(({ file, edits }) => [`*** Update File: ${file.path}`, ...hunks(file.lines, edits)].join('\n'));
  return sections.length === 0 ? '' : envelope(sections);
}

/** A patch that adds one file. */
export function addFileText(path: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return envelope([[`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)].join('\n')]);
}

function envelope(sections: readonly string[]): string {
  return ['*** Begin Patch', ...sections, '*** End Patch', ''].join('\n');
}

/** Neighbouring edits share a hunk where their context would meet. */
function hunks(lines: readonly string[], edits: readonly Edit[]): readonly string[] {
  const groups: Edit[][] = [];
  for (const edit of edits.toSorted((one, other) => one.at - other.at)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && edit.at - (last.at + last.count) <= 2 * contextLines) {
      group.push(edit);
    } else {
      groups.push([edit]);
    }
  }
  return groups.flatMap((group) => ['@@', ...hunk(lines, group)]);
}

function hunk(lines: readonly string[], edits: readonly Edit[]): readonly string[] {
  const first = edits[0];
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return [];
  const told: string[] = [];
  let at = Math.max(0, first.at - contextLines);
  for (const edit of edits) {
    told.push(...lines.slice(at, edit.at).map((line) => ` ${line}`));
    told.push(...changed(lines.slice(edit.at, edit.at + edit.count), edit.lines));
    at = edit.at + edit.count;
  }
  told.push(...lines.slice(at, at + contextLines).map((line) => ` ${line}`));
  return told;
}

/** Lines that stay in their place are context, the others go and come. */
function changed(before: readonly string[], after: readonly string[]): readonly string[] {
  const told: string[] = [];
  let from = 0;
  for (const [index, line] of [...before.entries()].filter(([at, each]) => after[at] === each)) {
    told.push(...goAndCome(before.slice(from, index), after.slice(from, index)), ` ${line}`);
    from = index + 1;
  }
  return [...told, ...goAndCome(before.slice(from), after.slice(from))];
}

function goAndCome(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}

/** The files after a patch, as far as it was taken. Hunks that are not found as they stand leave their file alone. */
export function applyToKnown(
  files: readonly Lines[],
  patch: string,
  taken: (path: string) => boolean = () => true,
): readonly Lines[] {
  const known = new Map(files.map((file) => [file.path, file]));
  for (const section of patch.split(/^(?=\*\*\* (?:Update|Add) File: )/m).slice(1)) {
    const [header = '', ...body] = section.replace(/\n?\*\*\* End Patch\s*$/, '').split('\n');
    const path = header.replace(/^\*\*\* \w+ File: /, '').trim();
    if (!taken(path)) continue;
    if (header.startsWith('*** Add')) {
      known.set(path, { path, lines: body.map((line) => line.slice(1)) });
      continue;
    }
    const file = known.get(path);
    if (file !== undefined)
      known.set(path, {
        path,
        lines: body
          .join('\n')
          .split(/^@@.*$/m)
          .reduce(applyHunk, file.lines),
      });
  }
  return [...known.values()];
}

function applyHunk(lines: readonly string[], hunkText: string): readonly string[] {
  const told = hunkText.split('\n').filter((line) => /^[ +-]/.test(line));
  const before = told.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = told.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  if (before.length === 0) return lines;
  const at = indexOfLines(lines, before);
  return at < 0 ? lines : lines.toSpliced(at, before.length, ...after);
}

/** Where `wanted` stands in `lines`, or -1. */
export function indexOfLines(lines: readonly string[], wanted: readonly string[]): number {
  return lines.findIndex((_, at) => wanted.every((line, index) => lines[at + index] === line));
}
