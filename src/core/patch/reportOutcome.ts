/**
 * What the model reads after a review: first whether anything changed, then file by file what really happened, with the evidence
 * that saves it from reading the files again.
 */
import { firstTerminator, indexLines, lineAt, lineStart, splitLines, toLineFeeds } from '../lines.ts';
import { countLines } from './counts.ts';
import type { EditPlan, FileEdit, HunkPlace, MatchPass, Replacement } from './editPlan.ts';
import { diffLines, lineReplacements } from './lineDiff.ts';
import { fitMessage, plural, quoteInline, quoteLine } from './messageText.ts';
import { applyReplacements, editedRange } from './replacements.ts';
import type { FileOutcome, ReviewOutcome } from './reviewed.ts';

/** Hunks listed of one file, and lines shown of one difference. */
const maxHunks = 40;
const maxDiffLines = 60;

type Update = FileEdit & { readonly kind: 'update' };

export function reportOutcome(plan: EditPlan, outcome: ReviewOutcome): string {
  const decided = plan.files.map((edit, index) => ({ edit, outcome: outcome.files[index] as FileOutcome }));
  const blocks = [
    headline(decided.map(({ edit, outcome: file }) => headlineKind(edit, file))),
    ...decided.map(({ edit, outcome: file }) => describe(edit, file)),
    ...(outcome.notes ?? []),
    ...describeNotes(plan),
  ];
  return fitMessage(blocks, (left) => `(${left} more not shown.)`);
}

/** What to say of a plan that leaves every file as it is. */
export function reportNothingToDo(plan: EditPlan): string {
  const first = 'Nothing was changed: the patch fits, but every file already is as it would leave it.';
  return fitMessage([first, ...describeNotes(plan)], (left) => `(${left} more not shown.)`);
}

/** What to say of a call that was stopped before anyone could decide. */
export function reportCancelled(): string {
  return 'Nothing was changed: the call was stopped before the patch was decided on.';
}

function describeNotes({ notes }: EditPlan): readonly string[] {
  return notes.map((note) => `Note: ${note}`);
}

/** A person may take every change out of a proposal and accept what is left. */
function isChanged(edit: FileEdit, outcome: FileOutcome & { kind: 'acceptedAmended' }): boolean {
  return (
    edit.kind !== 'update' || edit.to !== undefined || toLineFeeds(outcome.text) !== toLineFeeds(edit.before)
  );
}

/** An editor may hold the same lines with other ends than the plan: that is no change of anyone's. Mixed ends are left as they are. */
function withEndsOf(model: string, text: string): string {
  const end = firstTerminator(model);
  const isUniform = toLineFeeds(model).replaceAll('\n', end) === model;
  return isUniform ? toLineFeeds(text).replaceAll('\n', end) : text;
}

function headlineKind(edit: FileEdit, outcome: FileOutcome): FileOutcome['kind'] | 'already' {
  if (outcome.kind === 'accepted' && outcome.already) return 'already';
  return outcome.kind === 'acceptedAmended' && !isChanged(edit, outcome) ? 'rejected' : outcome.kind;
}

function headline(kinds: readonly (FileOutcome['kind'] | 'already')[]): string {
  const changed = kinds.filter((kind) => kind === 'accepted' || kind === 'acceptedAmended').length;
  if (changed === 0) {
    if (kinds.every((kind) => kind === 'rejected'))
      return 'Nothing was changed: the person rejected the patch.';
    if (kinds.every((kind) => kind === 'cancelled'))
      return 'Nothing was changed: the patch was not decided on.';
    if (kinds.every((kind) => kind === 'undecided'))
      return 'Nothing was changed so far: the patch is not decided yet. You will be told; do not propose it again meanwhile.';
    if (kinds.every((kind) => kind === 'already'))
      return 'Nothing was written: the files had become as the patch would leave them before it was decided on.';
    return 'Nothing was changed.';
  }
  if (changed < kinds.length)
    return `Applied in part: ${changed} of ${plural(kinds.length, 'file')} changed.`;
  const how = kinds.includes('acceptedAmended') ? 'Applied with changes by the person' : 'Applied';
  return `${how}: ${plural(changed, 'file')} changed.`;
}

function describe(edit: FileEdit, outcome: FileOutcome): string {
  const name = quoteInline(edit.path.display);
  switch (outcome.kind) {
    case 'accepted':
      return describeAccepted(edit, outcome) + describeUnsaved(outcome);
    case 'acceptedAmended':
      return describeAmended(edit, outcome) + describeUnsaved(outcome);
    case 'rejected':
      return outcome.reason === undefined
        ? `${name}: rejected, no reason given.`
        : `${name}: rejected, with the reason ${quoteInline(outcome.reason)}`;
    case 'conflict':
      return `${name}: not written, because the same lines were changed meanwhile. ${outcome.detail}`;
    case 'failed':
      return `${name}: not written. ${outcome.detail}`;
    case 'cancelled':
      return `${name}: not decided on; nothing was written.`;
    case 'undecided':
      return `${name}: not decided yet; nothing was written so far.`;
  }
}

function describeUnsaved({ unsaved }: { readonly unsaved?: string }): string {
  return unsaved === undefined
    ? ''
    : `\nThe editor has this change, but the file on the disk has not: it could not be saved. ${unsaved}`;
}

const savingChanged = 'Saving changed more (a formatter or another action on save).';

const causes = {
  changedOnSave: savingChanged,
  editedMeanwhile: 'The file was changed besides, by the person, another program or another patch.',
  earlierWaits: 'An earlier patch that this one builds on is not in the file: it is not decided on yet.',
  earlierDiffers: 'An earlier patch that this one builds on was not accepted as it was proposed.',
} as const;

function describeAccepted(edit: FileEdit, { already, present }: FileOutcome & { kind: 'accepted' }): string {
  const proposed = edit.kind === 'delete' ? '' : edit.after;
  const later = present ? lineReplacements(proposed, withEndsOf(proposed, present.text)) : [];
  const lines = [
    already
      ? `${quoteInline(edit.path.display)}: not written, because it had become as the patch would leave it meanwhile.`
      : head(edit),
  ];
  if (edit.kind === 'update')
    lines.push(...listHunks(edit, (place) => landed(edit, place, later) + passNotes[place.pass]));
  if (present) {
    lines.push(
      `${causes[present.cause]} Against the proposal, lines with "-" are gone and lines with "+" are there:`,
    );
    lines.push(...describeDifference(proposed, present.text));
  }
  return lines.join('\n');
}

function describeAmended(
  edit: FileEdit,
  { text: written, saved, stays }: FileOutcome & { kind: 'acceptedAmended' },
): string {
  if (edit.kind === 'delete') return head(edit);
  if (edit.kind === 'update' && edit.to !== undefined && stays) {
    const { to, ...inPlace } = edit;
    const what = describeAmended(inPlace, { kind: 'acceptedAmended', text: written });
    return `${what}\nIt was not moved to ${quoteInline(to.display)}.`;
  }
  if (!isChanged(edit, { kind: 'acceptedAmended', text: written })) {
    return `${quoteInline(edit.path.display)}: accepted, but the person took every change out; the file is as it was.`;
  }
  const text = withEndsOf(edit.after, written);
  const lines: string[] = [];
  if (edit.kind === 'add') {
    lines.push(head({ ...edit, after: text }));
  } else {
    lines.push(head({ ...edit, after: text, replacements: lineReplacements(edit.before, text) }));
    const later = lineReplacements(edit.after, text);
    lines.push(...listHunks(edit, (place) => whatBecame(edit, place, later, text)));
  }
  if (text !== edit.after) {
    lines.push('Lines with "-" were proposed and are not in the file; lines with "+" are in it instead:');
    lines.push(...describeDifference(edit.after, text));
  }
  if (saved !== undefined) {
    lines.push(`${savingChanged} Against what the person accepted:`);
    lines.push(...describeDifference(text, withEndsOf(edit.after, saved)));
  }
  return lines.join('\n');
}

/** `M src/a.ts +3 -1` */
function head(edit: FileEdit): string {
  const { added, removed } = countLines(edit);
  const counts = `+${added} -${removed}`;
  const path = edit.path.display;
  switch (edit.kind) {
    case 'add':
      return `A ${path} ${counts}`;
    case 'delete':
      return `D ${path} ${counts}`;
    case 'update':
      return edit.to ? `R ${path} -> ${edit.to.display} ${counts}` : `M ${path} ${counts}`;
  }
}

function listHunks({ places }: Update, what: (place: HunkPlace) => string): string[] {
  const lines = places.slice(0, maxHunks).map((place, index) => `  hunk ${index + 1}: ${what(place)}`);
  return places.length > maxHunks
    ? [...lines, `  and ${plural(places.length - maxHunks, 'more hunk')}`]
    : lines;
}

/** The lines of a place as a range of the text before, and as one of the text after. */
function rangesOf(edit: Update, { from, to }: HunkPlace) {
  const lines = indexLines(edit.before);
  const start = lineStart(lines, from - 1);
  const before = { start, end: Math.max(start, lineStart(lines, to)) };
  return { before, after: editedRange(edit.replacements, before) };
}

/** Where a hunk is now, `later` being what was changed after it. */
function landed(edit: Update, place: HunkPlace, later: readonly Replacement[]): string {
  const { after } = rangesOf(edit, place);
  const { start, end } = editedRange(later, after);
  const present = indexLines(applyReplacements(edit.after, later));
  const first =
    start === present.text.length && start === end ? present.count + 1 : lineAt(present, start) + 1;
  if (start === end) return `lines removed before line ${first}`;
  const last = lineAt(present, end - 1) + 1;
  return first === last ? `now line ${first}` : `now lines ${first}-${last}`;
}

/** Whether a hunk is in the file although the person changed the proposal. */
function whatBecame(edit: Update, place: HunkPlace, later: readonly Replacement[], text: string): string {
  const { before, after } = rangesOf(edit, place);
  const crossed = later.some(
    ({ start, end }) => start < after.end && end > after.start && (start < after.start || end > after.end),
  );
  const range = editedRange(later, after);
  const present = text.slice(range.start, range.end);
  if (!crossed && present === edit.after.slice(after.start, after.end)) return 'taken as proposed';
  if (!crossed && present === edit.before.slice(before.start, before.end)) return 'not taken';
  return 'changed by the person';
}

const passNotes: Readonly<Record<MatchPass, string>> = {
  exact: '',
  endOfFile: ', added at the end',
  trailingBlanks: ', found by ignoring blanks at line ends',
  punctuation: ', found by taking typographic punctuation for plain',
  indentation: ', found by ignoring indentation',
  indentationAndPunctuation: ', found by ignoring indentation and taking typographic punctuation for plain',
};

function describeDifference(proposed: string, present: string): string[] {
  const old = splitLines(proposed);
  const now = splitLines(present);
  const lines = diffLines(old, now).flatMap((change) => [
    `at line ${change.newFrom + 1}`,
    ...old.slice(change.from, change.to).map((line) => `-${quoteLine(line)}`),
    ...now.slice(change.newFrom, change.newTo).map((line) => `+${quoteLine(line)}`),
  ]);
  if (lines.length === 0) return ['nothing but line ends'];
  return lines.length > maxDiffLines
    ? [...lines.slice(0, maxDiffLines), `and ${plural(lines.length - maxDiffLines, 'more line')}`]
    : lines;
}
