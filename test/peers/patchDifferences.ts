/**
 * How our answer to a patch can differ from Codex's, kind by kind. Each kind stands in the table of `src/core/patch/README.md` with
 * its reason. A difference that no kind describes is to be looked at.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PatchError } from '../../src/core/patch/patchError.ts';
import type { CodexResult } from './codexPatch.ts';
import type { PatchCase, Texts } from './patchCases.ts';

/** What our engine made of a patch: the files afterwards, or why not. */
export type OurResult =
  | { readonly ok: true; readonly after: Texts }
  | { readonly ok: false; readonly problems: readonly PatchError['kind'][] };

export interface Compared {
  readonly made: PatchCase;
  readonly ours: OurResult;
  readonly codex: CodexResult;
}

/** `planned` and `refused` when there is no difference; undefined for one of no known kind. */
export function differenceKind(compared: Compared): string | undefined {
  const { made, ours, codex } = compared;
  if (ours.ok) {
    if (codex.ok && sameTexts(ours.after, codex.after)) return 'planned';
    return (codex.ok ? otherText : onlyOurs)(compared, ours.after);
  }
  if (!codex.ok) {
    if (sameTexts(codex.after, made.before)) return 'refused';
    return made.traits.has('second section fails') ? 'half done' : undefined;
  }
  return onlyCodex(compared, ours.problems);
}

function onlyCodex({ made, codex }: Compared, problems: readonly PatchError['kind'][]): string | undefined {
  if (problems.every((kind) => kind === 'file-exists')) {
    return ['add over a file', 'move over a file'].find((trait) => made.traits.has(trait));
  }
  if (problems.some((kind) => kind !== 'ambiguous') || made.meant === undefined) return undefined;
  return sameTexts(ended(made.meant), ended(codex.after)) ||
    sameTexts(unindented(made.meant), unindented(codex.after))
    ? 'several places, first one right'
    : 'several places, first one wrong';
}

function otherText({ made, codex }: Compared, ours: Texts): string | undefined {
  const { traits } = made;
  if (traits.has('move to itself') && !Object.hasOwn(codex.after, 'a.txt')) return 'move to itself';
  if (traits.has('open end') && sameTexts(ended(ours, endOf(made.before)), codex.after)) return 'open end';
  if (traits.has('indentation') && sameTexts(unindented(ours), unindented(codex.after))) return 'indentation';
  if (traits.has('added lines alone below an anchor')) return 'added lines alone below an anchor';
  // A blank first line is none for Codex, which then takes or leaves another blank one.
  if (traits.has('BOM') && sameTexts(filled(ours), filled(codex.after))) return 'first line behind a BOM';
  // The same edit in another place.
  if (!sameTexts(sorted(ours), sorted(codex.after))) return undefined;
  return traits.has('anchor') ? 'outside of the anchor' : undefined;
}

/** Codex's complaint, a trait that the case must have, and the kind. The first line that fits counts. */
const complaints: readonly (readonly [RegExp, string, string])[] = [
  [/The first line of the patch must be/, 'fenced', 'wrapped'],
  [/The first line of the patch must be/, 'prose around', 'wrapped'],
  [/The first line of the patch must be/, 'whole heredoc', 'wrapped'],
  [/The first line of the patch must be/, 'JSON around', 'wrapped'],
  [/Unexpected line found in update hunk: '@@/, 'several anchors', 'several anchors'],
  [/Update file hunk for path .* is empty/, 'move without hunks', 'move without hunks'],
  [/Failed to find context 'def nowhere/, 'missing anchor', 'missing anchor'],
  [/Failed to find context '-\d/, 'line numbers', 'line numbers'],
  [/Failed to find context '.* @@'/, 'closing @@', 'closing @@'],
  [/Failed to find context 'class Foo'/, 'beginning of an anchor', 'beginning of an anchor'],
  [
    /Expected update hunk to start with a @@/,
    'remark about the last newline',
    'remark about the last newline',
  ],
  [/Unexpected line found in update hunk/, 'context without its blank', 'context without its blank'],
  [
    /Unexpected line found in update hunk|Expected update hunk to start/,
    '@@ without a blank',
    '@@ without a blank',
  ],
  [/Failed to find expected lines/, 'shared context', 'shared context'],
  [/Failed to find/, 'out of order', 'out of order'],
  [/Failed to find/, 'BOM', 'first line behind a BOM'],
  [/Failed to find/, 'anchor', 'anchor above the last hunk, or first of its kind'],
];

function onlyOurs({ made, codex }: Compared): string | undefined {
  return complaints.find(
    ([complaint, trait]) => made.traits.has(trait) && complaint.test(codex.complaint),
  )?.[2];
}

export function sameTexts(one: Texts, other: Texts): boolean {
  return isDeepStrictEqual({ ...one }, { ...other });
}

/** Every last line with an end. */
function ended(texts: Texts, end = endOf(texts)): Texts {
  return eachText(texts, (text) => (/[^\r\n]$/.test(text) ? text + end : text));
}

/** The first end of a line that there is. */
function endOf(texts: Texts): string {
  return /\r\n|\n|\r/.exec(Object.values(texts).join(''))?.[0] ?? '\n';
}

/** Without indentation, and with every line ended. */
function unindented(texts: Texts): Texts {
  return eachText(ended(texts), (text) => text.replaceAll(/(^\uFEFF?|[\r\n])[ \t]+/g, '$1'));
}

/** The lines without their order and indentation: equal where one edit was made in two places. */
function sorted(texts: Texts): Texts {
  return eachText(unindented(texts), (text) =>
    text
      .replace('\uFEFF', '')
      .split(/(?<=\n|\r(?!\n))/)
      .toSorted()
      .join(''),
  );
}

/** As `sorted`, without blank lines. */
function filled(texts: Texts): Texts {
  return eachText(sorted(texts), (text) => text.replaceAll(/(^|[\r\n])[\r\n]+/g, '$1'));
}

function eachText(texts: Texts, change: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
}
