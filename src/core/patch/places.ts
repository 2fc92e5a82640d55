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

/** What to ask for the places of all hunks of a file. */
export class Places {
  #made: readonly HunkPlace[] | undefined;
  readonly #make: () => readonly HunkPlace[];

  constructor(make: () => readonly HunkPlace[]) {
    this.#make = make;
  }

  get all(): readonly HunkPlace[] {
    this.#made ??= this.#make();
    return this.#made;
  }
}

export const noPlaces = new Places(() => []);

/** The places of one more section; `edits` are those that made the section's text of `origin`. */
export function placesIn(
  origin: string,
  edits: readonly Replacement[],
  landed: readonly LandedHunk[],
): readonly HunkPlace[] {
  const lines = indexLines(origin);
  return landed.map(({ start, last, pass }) => {
    const first = lineBefore(lines, originalOffset(edits, start));
    if (last === undefined) return { from: first + 1, to: first, pass };
    return { from: first + 1, to: Math.max(first, lineBefore(lines, originalOffset(edits, last))) + 1, pass };
  });
}

function lineBefore(lines: LineIndex, offset: number): number {
  return offset === lines.text.length ? lines.count : lineAt(lines, offset);
}
