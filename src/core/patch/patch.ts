/** A patch as it was written: plain data, nothing looked up yet. Knows no file and no workspace. */

export interface Patch {
  /** At least one. */
  readonly sections: readonly FileSection[];
  /** What the reader tolerated, for the model and the log. */
  readonly notes: readonly string[];
}

export type FileSection = AddSection | DeleteSection | UpdateSection;

interface Section {
  /** As written, blanks and one pair of quotes taken off. */
  readonly path: string;
  /** Line of the header in the text of the patch, from 1. */
  readonly line: number;
}

export interface AddSection extends Section {
  readonly kind: 'add';
  readonly lines: readonly string[];
}

export interface DeleteSection extends Section {
  readonly kind: 'delete';
}

export interface UpdateSection extends Section {
  readonly kind: 'update';
  readonly moveTo?: { readonly path: string; readonly line: number };
  /** Empty only where the file moves. */
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** Patch line of its first `@@`, or of its first line. */
  readonly line: number;
  /** From the outermost inward; empty when the hunk has no `@@` text. */
  readonly anchors: readonly Anchor[];
  /** At least one. */
  readonly lines: readonly HunkLine[];
  /** It was closed by the end-of-file mark. */
  readonly atEnd: boolean;
  /** Its header carried line numbers, as in a unified diff. They are not used to find the place. */
  readonly numbered: boolean;
}

export interface Anchor {
  readonly text: string;
  readonly line: number;
  /** Came behind the line numbers of a unified diff, where it is only a remark. */
  readonly advisory: boolean;
}

export interface HunkLine {
  readonly kind: 'context' | 'remove' | 'add';
  readonly text: string;
  readonly line: number;
  /** An empty context line that had not even its leading space: at the end of a hunk that may be mere layout. */
  readonly bare: boolean;
}

/** A hunk without any line that must be there already. */
export function isInsertOnly(hunk: Hunk): boolean {
  return hunk.lines.every((line) => line.kind === 'add');
}

export function changesSomething(hunk: Hunk): boolean {
  return hunk.lines.some((line) => line.kind !== 'context');
}

/** The old lines from the first to the last change (`to` exclusive), counted from the first; all of them when nothing changes. */
export function changedSpan(lines: readonly HunkLine[]): { readonly from: number; readonly to: number } {
  let at = 0;
  let from: number | undefined;
  let to = 0;
  for (const { kind } of lines) {
    if (kind !== 'context') from ??= at;
    if (kind !== 'add') at += 1;
    if (kind !== 'context') to = at;
  }
  return from === undefined ? { from: 0, to: at } : { from, to };
}

/** Every path the patch names, as written, once each and in order: what has to be read before a plan can be made. */
export function pathsOf(patch: Patch): readonly string[] {
  const paths = new Set<string>();
  for (const section of patch.sections) {
    paths.add(section.path);
    if (section.kind === 'update' && section.moveTo) paths.add(section.moveTo.path);
  }
  return [...paths];
}
