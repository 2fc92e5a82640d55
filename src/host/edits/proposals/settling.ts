/** What a decision makes of a file of a proposal: its state, what is said of it, and what the model is told. Reads and writes no files. */
import type * as vscode from 'vscode';

import type { FileEdit } from '../../../core/patch/editPlan.ts';
import { droppedHunks } from '../../../core/patch/follow.ts';
import type { FileOutcome } from '../../../core/tools/applyPatchPorts.ts';
import type { AppliedFile } from '../files/apply.ts';
import { withLineEnds } from '../files/documentText.ts';
import { followedOf, settleAsSeen, type PendingFile } from './pendingProposal.ts';
import type { Prepared } from '../files/prepare.ts';
import { changedOnSave, unsaved, whyUnsaved, type Reason } from '../files/sentences.ts';

export interface PreparedFile {
  readonly file: PendingFile;
  readonly prepared: Prepared;
  readonly amended: boolean;
  /** It builds on a patch that waits. */
  readonly isAbove: boolean;
}

/** It can't be written now; the person may try again. */
export function stop(file: PendingFile | undefined, state: 'conflict' | 'failed', reason: Reason): void {
  if (file === undefined) return;
  file.state = state;
  file.reason = reason;
}

/** It was written, or there was nothing to write. */
export function settle(
  { file, prepared, amended, isAbove }: PreparedFile,
  applied: AppliedFile | undefined,
): void {
  if (prepared.kind !== 'ready' && prepared.kind !== 'there') return;
  const followed = followedOf(file);
  const isEmpty = followed !== undefined && followed.text === followed.base && file.taken.accepted === 0;
  if (followed !== undefined && !isEmpty && droppedHunks(followed) > 0) file.partly = true;
  // What the person took every change out of is there as little as it was accepted.
  const already = prepared.kind === 'there' && file.taken.accepted === 0 && !amended;
  file.state = already ? 'there' : 'accepted';
  if (file.to !== undefined) file.moved = true;
  remarkOn(file, applied);
  const outcome = {
    ...acceptance(file.edit, amended, prepared.text, applied?.differs),
    ...(applied?.unsaved === true && { unsaved: whyUnsaved(applied.why) }),
  };
  if (outcome.kind === 'accepted' && outcome.present?.cause === 'editedMeanwhile') {
    const { present } = outcome;
    const cause = isAbove ? 'earlierWaits' : file.isUndermined === true ? 'earlierDiffers' : present.cause;
    file.outcome = { ...outcome, present: { ...present, cause }, ...(already && { already }) };
    return;
  }
  file.outcome = already && outcome.kind === 'accepted' ? { ...outcome, already } : outcome;
}

/** Says of a file what became of it beyond the patch. */
export function remarkOn(file: PendingFile, applied: AppliedFile | undefined): void {
  if (applied?.unsaved === true) file.remark = unsaved(applied.why);
  else if (applied?.differs?.cause === 'changedOnSave') file.remark = changedOnSave();
}

/** @param reason what the person says to the model; may be empty */
export function turnDown(file: PendingFile, reason: string): void {
  if (file.taken.accepted > 0) {
    settleAsSeen(file);
    return;
  }
  file.outcome = rejection(file, reason);
  file.state = 'rejected';
}

/** The question was taken back. */
export function leaveAlone(file: PendingFile): void {
  if (file.taken.accepted > 0) {
    settleAsSeen(file);
    return;
  }
  file.outcome = { kind: 'cancelled' };
  file.state = 'cancelled';
}

/** Where a file is after its decision. */
export function placeOf({ at, to, moved }: PendingFile): vscode.Uri {
  return moved === true && to !== undefined ? to.uri : at.uri;
}

/** Whether what builds on a decided file finds there what it was made for. */
export function isAsProposed({ outcome }: PendingFile): boolean {
  return outcome?.kind === 'accepted';
}

/** @param written the file's text right after accepting; save actions and typing may have made it differ since */
function acceptance(
  edit: FileEdit,
  amended: boolean,
  written: string,
  differs: AppliedFile['differs'],
): Extract<FileOutcome, { kind: 'accepted' | 'acceptedAmended' }> {
  if (edit.kind === 'delete') return { kind: 'accepted' };
  if (amended) {
    return differs?.cause === 'changedOnSave'
      ? { kind: 'acceptedAmended', text: written, saved: differs.text }
      : { kind: 'acceptedAmended', text: differs?.text ?? written };
  }
  if (differs !== undefined) return { kind: 'accepted', present: differs };
  if (withLineEnds(written, '\n') === withLineEnds(edit.after, '\n')) return { kind: 'accepted' };
  return { kind: 'accepted', present: { text: written, cause: 'editedMeanwhile' } };
}

/** Turning down what could not be written lets the model know why it could not. */
function rejection({ state, reason }: PendingFile, said: string): FileOutcome {
  if ((state === 'conflict' || state === 'failed') && reason !== undefined) {
    const detail = said === '' ? reason.detail : `${reason.detail} The person adds: ${JSON.stringify(said)}`;
    return { kind: reason.overlaps === true ? 'conflict' : 'failed', detail };
  }
  return { kind: 'rejected', ...(said !== '' && { reason: said }) };
}
