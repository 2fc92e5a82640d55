/** The hunks of one update section against one text: edits and places, or every hunk that has none. Knows no other section. */
import { indexLines, type LineIndex } from '../lines.ts';
import { err, ok, type Result } from '../result.ts';
import type { Budget } from './budget.ts';
import type { MatchPass, Replacement } from './editPlan.ts';
import { placeExactly } from './exact.ts';
import { Haystack, walkCost, wantedLines } from './haystack.ts';
import { shorten } from './messageText.ts';
import { describePlace, findApplied, findEnclosing, findNearest } from './nearest.ts';
import { changedSpan, changesSomething, type Hunk, type UpdateSection } from './patch.ts';
import type { HunkRef, NotFoundReason, PatchError } from './patchError.ts';
import { passes } from './passes.ts';
import { place, type Placement } from './place.ts';
import type { LandedHunk } from './places.ts';
import { rewrite, type PlacedHunk } from './rewrite.ts';
import { seekHunk, type Candidates, type NotFound, type Open, type Sought } from './seek.ts';

export interface UpdatePlan {
  readonly replacements: readonly Replacement[];
  readonly places: readonly LandedHunk[];
  readonly notes: readonly string[];
}

export interface UpdateContext {
  readonly budget: Budget;
  /** How many more hunks may be explained at length; shared by all sections, since each explanation walks the file. */
  readonly explanations: { left: number };
  readonly afterEarlierSection: boolean;
}

export function planUpdate(
  text: string,
  section: UpdateSection,
  context: UpdateContext,
): Result<UpdatePlan, readonly PatchError[]> {
  const { hunks } = section;
  // Once through a file is in proportion to it; only sections that come again and again have to be bounded. Each makes a text anew.
  if (context.afterEarlierSection) context.budget.spend(text.length >>> 1);
  const offsets = context.budget.isSpent ? undefined : placeExactly(text, hunks);
  if (offsets) {
    const placed = hunks.map(({ lines }, index) => ({
      lines,
      offsets: offsets[index] as readonly number[],
      shifted: false,
    }));
    const { replacements } = rewrite(text, placed);
    return ok({ replacements, places: placed.map((hunk) => landed(hunk, 'exact')), notes: [] });
  }
  return seekAndPlace(text, section, context);
}

/** For what a plain search does not find, or not with certainty. */
function seekAndPlace(
  text: string,
  section: UpdateSection,
  context: UpdateContext,
): Result<UpdatePlan, readonly PatchError[]> {
  const { hunks } = section;
  const haystack = new Haystack(indexLines(text), wantedLines(hunks), context.budget);
  const walk = walkCost(haystack.lines);
  if (context.afterEarlierSection) context.budget.spend(walk);
  else context.budget.allow(passes.length * walk);
  const failing = new Failing(haystack, section, context);

  const sought: Sought[] = [];
  for (const hunk of hunks) if (!context.budget.isSpent) sought.push(seekHunk(haystack, hunk));
  if (context.budget.isSpent) return err([{ kind: 'too-large', what: 'search', file: section.path }]);
  const missing = sought.flatMap((found, index) =>
    found.kind === 'candidates' ? [] : [failing.missing(index, found)],
  );
  if (missing.length > 0) return err(missing);

  const found = sought as readonly Candidates[];
  const placement = place(
    found.map(({ lines, places, appends }, index) => ({
      ...changedSpan(lines),
      places,
      appends,
      changes: changesSomething(hunks[index] as Hunk),
    })),
  );
  if (placement.kind !== 'placed') return err(failing.unplaced(placement, found));

  const { starts } = haystack.lines;
  const placed = found.map(({ lines, pass }, index) => {
    const first = placement.lines[index] as number;
    const rows = lines.reduce((count, { kind }) => count + Number(kind !== 'add'), 0);
    return {
      lines,
      offsets: starts.subarray(first, first + rows + 1),
      shifted: pass === 'indentation' || pass === 'indentationAndPunctuation',
    };
  });
  const { replacements, unclear } = rewrite(text, placed);
  const notes = found.flatMap((hunk, index) => hunk.notes.map((note) => `hunk ${index + 1}: ${note}`));
  for (const index of unclear) {
    notes.push(
      `hunk ${index + 1}: The indentation of the patch differs from the file's and was kept as written.`,
    );
  }
  if (placement.outOfOrder) notes.push('The hunks were not in the order of the file.');
  return ok({
    replacements,
    places: placed.map((hunk, index) => landed(hunk, (found[index] as Candidates).pass)),
    notes,
  });
}

function landed({ lines, offsets }: PlacedHunk, pass: MatchPass): LandedHunk {
  const { from, to } = changedSpan(lines);
  return {
    start: offsets[from] as number,
    last: to > from ? offsets[to - 1] : undefined,
    pass,
  };
}

/** At most so many places of an ambiguous hunk are named. */
const maxPlaces = 20;

/** Words a section's failing hunks as errors. */
class Failing {
  readonly #haystack: Haystack;
  readonly #section: UpdateSection;
  readonly #context: UpdateContext;

  constructor(haystack: Haystack, section: UpdateSection, context: UpdateContext) {
    this.#haystack = haystack;
    this.#section = section;
    this.#context = context;
  }

  missing(index: number, found: NotFound | Open): PatchError {
    if (found.kind === 'open') return this.#ambiguous(index, found.places, found.anchor);
    return this.#notFound(index, found.why, found.foundAt, found.anchor);
  }

  unplaced(
    placement: Exclude<Placement, { kind: 'placed' }>,
    found: readonly Candidates[],
  ): readonly PatchError[] {
    if (placement.kind === 'ambiguous') {
      return placement.hunks.map(({ hunk, places }) => this.#ambiguous(hunk, places));
    }
    const { places } = found[placement.hunk] as Candidates;
    return [this.#notFound(placement.hunk, placement.why, places)];
  }

  #notFound(index: number, why: NotFoundReason, foundAt: readonly number[], anchor?: string): PatchError {
    const hunk = this.#section.hunks[index] as Hunk;
    const explained = this.#mayExplain();
    const appliedAt = explained ? findApplied(this.#lines, hunk) : undefined;
    const nearest = explained ? this.#nearest(hunk, foundAt) : undefined;
    return {
      kind: 'context-not-found',
      file: this.#section.path,
      hunk: this.#ref(index),
      why,
      foundAt: foundAt.slice(0, maxPlaces).map((line) => line + 1),
      afterEarlierSection: this.#context.afterEarlierSection,
      ...(anchor === undefined ? {} : { anchor: shorten(anchor) }),
      ...(appliedAt === undefined ? {} : { appliedAt: appliedAt + 1 }),
      ...(nearest === undefined ? {} : { nearest }),
    };
  }

  #nearest(hunk: Hunk, foundAt: readonly number[]) {
    const old = hunk.lines.filter((line) => line.kind !== 'add');
    if (old.length === 0) return undefined;
    const [place] = foundAt;
    return place === undefined ? findNearest(this.#haystack, old) : describePlace(this.#lines, place, old);
  }

  #ambiguous(index: number, places: readonly number[], anchorMissing?: string): PatchError {
    const explained = this.#mayExplain();
    return {
      kind: 'ambiguous',
      file: this.#section.path,
      hunk: this.#ref(index),
      places: places.slice(0, maxPlaces).map((line) => {
        const within = explained ? findEnclosing(this.#haystack, line) : undefined;
        return { line: line + 1, ...(within === undefined ? {} : { within }) };
      }),
      total: places.length,
      ...(anchorMissing === undefined ? {} : { anchorMissing: shorten(anchorMissing) }),
    };
  }

  #mayExplain(): boolean {
    this.#context.explanations.left -= 1;
    return this.#context.explanations.left >= 0;
  }

  get #lines(): LineIndex {
    return this.#haystack.lines;
  }

  #ref(index: number): HunkRef {
    return {
      index: index + 1,
      of: this.#section.hunks.length,
      line: (this.#section.hunks[index] as Hunk).line,
    };
  }
}
