/**
 * What the model reads after a review: first whether anything changed, then file by file what really happened, with the evidence
 * that saves it from reading the files again.
 */
import { indexLines, lineAt, lineStart } from '../lines.ts';
import { countLines } from './counts.ts';
import type { EditPlan, FileEdit, HunkPlace, MatchPass } from './editPlan.ts';
import { diffLines, splitLines } from './lineDiff.ts';
import { fitMessage, plural, quoteInline, quoteLine } from './messageText.ts';
import { editedRange } from './replacements.ts';
import type { FileOutcome, ReviewOutcome } from './reviewed.ts';

/** Hunks listed of one file, and lines shown of one difference. */
const maxHunks = 40;
const maxDiffLines = 60;

export function reportOutcome(plan: EditPlan, outcome: ReviewOutcome): string {
  const decided = plan.files.map((edit, index) => ({
    edit,
    outcome: outcome.files[index] ?? ({ kind: 'cancelled' } as const),
  }));
  const blocks = [headline(decided.map(({ outcome: { kind } }) => kind))];
  for (const { edit, outcome: file } of decided) blocks.push(describe(edit, file));
  blocks.push(...plan.notes.map((note) => `Note: ${note}`));
  return fitMessage(blocks, (left) => `(${left} more not shown.)`);
}

/** What to say of a plan that leaves every file as it is. */
export function reportNothingToDo(plan: EditPlan): string {
  const blocks = ['Nothing was changed: the patch applies, but every file already is as it would leave it.'];
  blocks.push(...plan.notes.map((note) => `Note: ${note}`));
  return fitMessage(blocks, (left) => `(${left} more not shown.)`);
}

/** What to say of a call that was stopped before anyone could decide. */
export function reportCancelled(): string {
  return 'Nothing was changed: the call was stopped before the patch was decided on.';
}

function headline(kinds: readonly FileOutcome['kind'][]): string {
  const changed = kinds.filter((kind) => kind === 'accepted' || kind === 'acceptedAmended').length;
  if (changed > 0) {
    const amended = kinds.includes('acceptedAmended') ? ', but not all of it as proposed' : '';
    const of =
      changed === kinds.length ? plural(changed, 'file') : `${changed} of ${plural(kinds.length, 'file')}`;
    return `The person accepted the patch for ${of}${amended}:`;
  }
  if (kinds.every((kind) => kind === 'rejected'))
    return 'Nothing was changed: the person rejected the patch.';
  if (kinds.every((kind) => kind === 'cancelled'))
    return 'Nothing was changed: the patch was not decided on.';
  return 'Nothing was changed:';
}

function describe(edit: FileEdit, outcome: FileOutcome): string {
  const name = quoteInline(edit.path.display);
  switch (outcome.kind) {
    case 'accepted':
      return [describeEdit(edit), ...describePresent(edit, outcome.present)].join('\n');
    case 'acceptedAmended':
      return [
        describeEdit(edit),
        'The person changed the proposal before accepting it. Lines with "-" were proposed and are not in the file, lines with "+" are:',
        ...describeDifference(textAfter(edit), outcome.text),
      ].join('\n');
    case 'rejected':
      return outcome.reason === undefined || outcome.reason.trim() === ''
        ? `${name}: rejected, no reason given.`
        : `${name}: rejected, with the reason ${quoteInline(outcome.reason)}`;
    case 'conflict':
      return `${name}: not written, because the same lines were changed meanwhile. ${outcome.detail}`;
    case 'failed':
      return `${name}: accepted, but could not be written. ${outcome.detail}`;
    case 'cancelled':
      return `${name}: not decided on; nothing was written.`;
  }
}

function describePresent(edit: FileEdit, present: (FileOutcome & { kind: 'accepted' })['present']): string[] {
  if (!present) return [];
  const cause =
    present.cause === 'changedOnSave'
      ? 'Saving changed more (a formatter or another action on save).'
      : 'The person has edited the file besides.';
  return [
    `${cause} Against the proposal, lines with "-" are gone and lines with "+" are there:`,
    ...describeDifference(textAfter(edit), present.text),
  ];
}

/** `M src/a.ts +3 -1`, and where each hunk is now. */
function describeEdit(edit: FileEdit): string {
  const { added, removed } = countLines(edit);
  const counts = `+${added} -${removed}`;
  switch (edit.kind) {
    case 'add':
      return `A ${edit.path.display} ${counts}`;
    case 'delete':
      return `D ${edit.path.display} ${counts}`;
    case 'update': {
      const head = edit.to
        ? `R ${edit.path.display} -> ${edit.to.display} ${counts}`
        : `M ${edit.path.display} ${counts}`;
      return [head, ...describePlaces(edit)].join('\n');
    }
  }
}

function describePlaces(edit: FileEdit & { kind: 'update' }): string[] {
  const before = indexLines(edit.before);
  const after = indexLines(edit.after);
  const lines = edit.places.slice(0, maxHunks).map((place, index) => {
    const range = editedRange(edit.replacements, {
      start: lineStart(before, Math.min(place.from - 1, before.count)),
      end: lineStart(before, Math.min(Math.max(place.to, place.from - 1), before.count)),
    });
    const first = Math.min(lineAt(after, range.start) + 1, Math.max(after.count, 1));
    const last = range.end > range.start ? lineAt(after, range.end - 1) + 1 : first - 1;
    return `  hunk ${index + 1}: ${landed(first, last)}${passNote(place)}`;
  });
  return edit.places.length > maxHunks
    ? [...lines, `  and ${edit.places.length - maxHunks} more hunks`]
    : lines;
}

function landed(first: number, last: number): string {
  if (last < first) return `lines removed before line ${first}`;
  return first === last ? `now line ${first}` : `now lines ${first}-${last}`;
}

const passNotes: Readonly<Record<MatchPass, string>> = {
  exact: '',
  endOfFile: ', added at the end',
  trailingBlanks: ', found by ignoring blanks at line ends',
  punctuation: ', found by taking typographic punctuation for plain',
  indentation: ', found by ignoring indentation',
  indentationAndPunctuation: ', found by ignoring indentation and taking typographic punctuation for plain',
};

function passNote({ pass }: HunkPlace): string {
  return passNotes[pass];
}

function textAfter(edit: FileEdit): string {
  return edit.kind === 'delete' ? '' : edit.after;
}

function describeDifference(proposed: string, present: string): string[] {
  const old = splitLines(proposed);
  const now = splitLines(present);
  const lines = diffLines(old, now).flatMap((change) => [
    `at line ${change.newFrom + 1}`,
    ...old.slice(change.from, change.to).map((line) => `-${quoteLine(line.replace(/[\r\n]+$/, ''))}`),
    ...now.slice(change.newFrom, change.newTo).map((line) => `+${quoteLine(line.replace(/[\r\n]+$/, ''))}`),
  ]);
  if (lines.length === 0) return ['no difference in the end.'];
  return lines.length > maxDiffLines
    ? [...lines.slice(0, maxDiffLines), `and ${lines.length - maxDiffLines} more lines`]
    : lines;
}
