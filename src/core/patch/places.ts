/**
 * Where hunks landed, as lines of the text before the patch. Counting lines costs about as much as finding all hunks, so it is done
 * when somebody asks.
 */
import { indexLines, lineAt, type LineIndex } from '../lines.ts';
import type { HunkPlace, MatchPass, Replacement } from './editPlan.ts';
import { originalOffset } from './replacements.ts';

/** Offsets of the text that a section found. */
export interface LandedHunk {
  /** Where the first line begins that the hunk changes, or shows if it changes none; for a pure insertion the place of that. */
  readonly start: number;
  /** Where the last such line begins; undefined for a pure insertion. */
  readonly last: number | undefined;
  readonly pass: MatchPass;
}

/** What one section found, and the edits that had made its text of the text before the patch. */
export interface LandedSection {
  readonly edits: readonly Replacement[];
  readonly hunks: readonly LandedHunk[];
}

/** The places of all sections as lines of the text before the patch. */
export function placesIn(origin: string, sections: readonly LandedSection[]): readonly HunkPlace[] {
  const lines = indexLines(origin);
  return sections.flatMap(({ edits, hunks }) =>
    hunks.map(({ start, last, pass }) => {
      const first = lineBefore(lines, originalOffset(edits, start));
      const to =
        last === undefined ? first : Math.max(first, lineBefore(lines, originalOffset(edits, last))) + 1;
      return { from: first + 1, to, pass };
    }),
  );
}

function lineBefore(lines: LineIndex, offset: number): number {
  return offset === lines.text.length ? lines.count : lineAt(lines, offset);
}
