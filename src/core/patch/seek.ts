/**
 * All places a hunk may mean, by the strictest pass that has any. Decides nothing between several: that takes the other hunks too,
 * see `place.ts`.
 */
import { findAnchors, inReach, type AnchorSearch, type FoundAnchor } from './anchors.ts';
import { trim } from './blanks.ts';
import type { MatchPass } from './editPlan.ts';
import { quoteInline } from './messageText.ts';
import type { Haystack } from './haystack.ts';
import { changesSomething, isInsertOnly, type Hunk, type HunkLine } from './patch.ts';
import type { NotFoundReason } from './patchError.ts';
import { passes } from './passes.ts';
import { firstAtLeast } from './sorted.ts';

/** What `seekHunk` makes of a hunk. */
export type Sought = Candidates | NotFound | Open;

export interface Candidates {
  readonly kind: 'candidates';
  /** Zero-based lines at which the hunk's first line stands, ascending, at least one. For added lines alone: the line they go before. */
  readonly places: readonly number[];
  readonly pass: MatchPass;
  /** The hunk's lines without the blank ones at its end that turned out to be layout. */
  readonly lines: readonly HunkLine[];
  /** It goes to the end of the file wherever the other hunks go. */
  readonly appends: boolean;
  readonly notes: readonly string[];
}

export interface NotFound {
  readonly kind: 'notFound';
  readonly why: NotFoundReason;
  readonly anchor?: string;
  /** Zero-based lines of places that do not count. */
  readonly foundAt: readonly number[];
}

/** Its anchor is missing, and without it there are several places. */
export interface Open {
  readonly kind: 'open';
  readonly anchor: string;
  readonly places: readonly number[];
}

export function seekHunk(haystack: Haystack, hunk: Hunk): Sought {
  if (isInsertOnly(hunk)) return seekInsertion(haystack, hunk);
  const anchors = findAnchors(haystack, hunk.anchors);
  const blocks = new Blocks(haystack, hunk);
  if (anchors.kind === 'missing') {
    const anchor = anchors.anchor.text;
    const found = blocks.find();
    if (!found) return { kind: 'notFound', why: 'absent', anchor, foundAt: [] };
    if (!anchors.alone) return { kind: 'notFound', why: 'anchorMissing', anchor, foundAt: found.places };
    if (found.places.length > 1 && changesSomething(hunk))
      return { kind: 'open', anchor, places: found.places };
    return {
      ...found,
      notes: [`The anchor ${quoteInline(anchor)} is not in the file; the lines stand in one place only.`],
    };
  }

  const notes = anchors.ignored.map(
    (text) => `The remark ${quoteInline(text)} behind line numbers is not in the file and was ignored.`,
  );
  const reach = (places: readonly number[]): readonly number[] =>
    anchors.kind === 'found' ? inReach(haystack, anchors.lines, places, 0) : places;
  if (anchors.kind === 'found' && anchors.byStart) {
    notes.push('An "@@" line was taken for the one line of the file that begins with it.');
  }
  if (hunk.atEnd) {
    const found = blocks.find((places, length) => {
      const first = firstAtLeast(places, haystack.contentEnd - length);
      haystack.budget.spend(8 * (places.length - first));
      return reach(places.slice(first));
    });
    if (found) return { ...found, notes };
    notes.push('The end-of-file mark was ignored: the lines stand elsewhere.');
  }
  const found = blocks.find(reach);
  if (found) return { ...found, notes };
  return anchors.kind === 'found'
    ? seekAround({ haystack, blocks, hunk }, anchors, notes)
    : { kind: 'notFound', why: 'absent', foundAt: [] };
}

/**
 * Nothing stands in the anchor's scope. The anchor may be one of the hunk's own lines, or stand above it all the same; it may also have
 * been a remark only. Without a scope to vouch for it, a place below counts only if there is no other in the file.
 */
function seekAround(
  { haystack, blocks, hunk }: { readonly haystack: Haystack; readonly blocks: Blocks; readonly hunk: Hunk },
  anchors: FoundAnchor,
  notes: readonly string[],
): Sought {
  const around = blocks.find((places, length) => {
    haystack.budget.spend(20 * places.length);
    return places.filter(
      (place) => (anchors.lines[firstAtLeast(anchors.lines, place + 1)] ?? Infinity) < place + length,
    );
  });
  if (around) return { ...around, notes };
  const anywhere = blocks.find();
  if (!anywhere) return { kind: 'notFound', why: 'absent', foundAt: [] };
  if (hunk.anchors.every((anchor) => anchor.advisory)) {
    return { ...anywhere, notes: [...notes, 'The remark behind line numbers did not fit and was ignored.'] };
  }
  const anchor = hunk.anchors.at(-1)?.text as string;
  const [place] = anywhere.places;
  if (anywhere.places.length === 1 && (place as number) > (anchors.lines[0] as number)) {
    const note = `The lines are not within ${quoteInline(anchor)}, but further down, in one place only.`;
    return { ...anywhere, notes: [...notes, note] };
  }
  return { kind: 'notFound', why: 'notBelowAnchor', anchor, foundAt: anywhere.places };
}

/** Added lines alone: below their anchor, else at the end. A place known by line number only is no place. */
function seekInsertion(haystack: Haystack, hunk: Hunk): Sought {
  const { count } = haystack.lines;
  const insertion = { kind: 'candidates', lines: hunk.lines } as const;
  if (hunk.atEnd || (hunk.anchors.length === 0 && !hunk.numbered) || count === 0) {
    return { ...insertion, places: [count], pass: 'endOfFile', appends: true, notes: [] };
  }
  if (hunk.numbered) return { kind: 'notFound', why: 'onlyLineNumbers', foundAt: [] };
  const anchors = findAnchors(haystack, hunk.anchors);
  if (anchors.kind !== 'found') {
    const anchor = (anchors as AnchorSearch & { readonly kind: 'missing' }).anchor.text;
    return { kind: 'notFound', why: 'anchorMissing', anchor, foundAt: [] };
  }
  haystack.budget.spend(8 * anchors.lines.length);
  return {
    ...insertion,
    places: anchors.lines.map((line) => line + 1),
    pass: anchors.pass,
    appends: false,
    notes: anchors.byStart
      ? ['An "@@" line was taken for the one line of the file that begins with it.']
      : [],
  };
}

/** Of the places of a block (ascending, so many lines long) those that count. */
type Remaining = (places: readonly number[], length: number) => readonly number[];

/** The old lines of a hunk, whole and without blank lines at the end, and where they stand. */
class Blocks {
  readonly #haystack: Haystack;
  readonly #variants: readonly {
    readonly lines: readonly HunkLine[];
    readonly old: readonly string[];
    readonly toEnd: boolean;
  }[];

  constructor(haystack: Haystack, hunk: Hunk) {
    this.#haystack = haystack;
    const whole = hunk.lines;
    const withoutBare = withoutTail(whole, (line) => line.bare);
    // An explicit blank context line is taken back only past the end of the file, where it stands for the last line's end.
    const withoutBlank = withoutTail(whole, (line) => line.kind === 'context' && trim(line.text) === '');
    const variants = [{ lines: whole, toEnd: false }];
    if (withoutBare.length < whole.length) variants.push({ lines: withoutBare, toEnd: false });
    if (withoutBlank.length < withoutBare.length) variants.push({ lines: withoutBlank, toEnd: true });
    this.#variants = variants
      .map((variant) => ({
        ...variant,
        old: variant.lines.flatMap((line) => (line.kind === 'add' ? [] : [line.text])),
      }))
      .filter((variant) => variant.old.length > 0);
  }

  /** The places that remain, by the first pass that leaves any; blank lines at the end are dropped only if needed. */
  find(remaining: Remaining = (places) => places): Omit<Candidates, 'notes'> | undefined {
    for (const pass of passes) {
      for (const { lines, old, toEnd } of this.#variants) {
        const all = this.#haystack.placesOfBlock(pass, old);
        const last = this.#haystack.lines.count - old.length;
        if (toEnd) this.#haystack.budget.spend(8 * all.length);
        const places = remaining(toEnd ? all.filter((place) => place === last) : all, old.length);
        if (places.length > 0) return { kind: 'candidates', places, pass, lines, appends: false };
      }
    }
    return undefined;
  }
}

function withoutTail(lines: readonly HunkLine[], drop: (line: HunkLine) => boolean): readonly HunkLine[] {
  const end = lines.findLastIndex((line) => !drop(line)) + 1;
  return end === lines.length ? lines : lines.slice(0, end);
}
