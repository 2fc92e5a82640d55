/**
 * Takes back what accepted patches wrote: looks at each file as it is now, restores it or merges, and leaves alone what has changed
 * in the same lines. Knows no cards and no people; never uses version control.
 */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

import type { ProposedFile } from '../../../core/conversation/conversation.ts';
import type { FileEdit, WorkspacePath } from '../../../core/patch/editPlan.ts';
import { lineReplacements } from '../../../core/patch/lineDiff.ts';
import type { LaterFile } from '../../../core/patch/reportLater.ts';
import { applySteps, type AppliedFile, type ApplyOptions } from './apply.ts';
import { isSameText, withLineEnds } from './documentText.ts';
import { fewAtOnce } from './fewAtOnce.ts';
import { writtenBy, type AcceptedFile } from './journal.ts';
import { prepare, type Prepared } from './prepare.ts';
import { whyProtected } from './protectedFiles.ts';
import {
  changedElsewhere,
  changedOnSave,
  halfWritten,
  keptChanging,
  notTakenBack,
  othersKept,
  refusal,
  tooLongAgo,
  unsaved,
  type Reason,
} from './sentences.ts';
import type { Step } from './toWorkspaceEdit.ts';
import type { FileAt } from './workspaceFiles.ts';
import { putUnsaved, removeEmptyFolders } from './workspaceWrites.ts';

/** What became of one file. */
export type TakenBack =
  | {
      readonly kind: 'takenBack';
      /** Somebody changed other lines since: those changes are still there. */
      readonly merged: boolean;
      readonly unsaved: boolean;
      readonly why?: Reason;
      /** Save actions changed the file once more. */
      readonly changedOnSave: boolean;
    }
  /** The file is left as it is. */
  | { readonly kind: 'refused'; readonly reason: Reason };

/** How often files that change in the very moment of writing are looked at again. */
const attempts = 3;

/** One answer a file. Each file is judged by itself, and all that can be taken back are in one workspace edit. */
export async function takeBackFiles(
  files: readonly AcceptedFile[],
  options: ApplyOptions,
): Promise<readonly TakenBack[]> {
  const refused = new Map<AcceptedFile, Reason>();
  for (let attempt = 0; attempt < attempts;) {
    const prepared = await fewAtOnce(files, async (file) => ({
      file,
      prepared: await prepareBack(file, refused.get(file)),
    }));
    const ready = prepared.flatMap(({ file, prepared: each }) =>
      each.kind === 'ready' ? [{ file, step: each.step }] : [],
    );
    const applied = await applySteps(
      ready.map(({ step }) => step),
      options,
    );
    if (applied.kind === 'applied') {
      await Promise.all(ready.map(async ({ file, step }) => bringBackUnsaved(file, step)));
      // One after the other: files of one patch share folders.
      for (const { change } of ready.map(({ file }) => file)) {
        if (change.kind === 'delete') continue;
        await removeEmptyFolders((change.newFolders ?? []).map((folder) => vscode.Uri.parse(folder, true)));
      }
      return prepared.map(({ file, prepared: each }) =>
        resultOf(file, each, applied.files[ready.findIndex((one) => one.file === file)]),
      );
    }
    if (applied.kind === 'overtaken') {
      attempt += 1;
      continue;
    }
    // The others need not wait for the one that can't be written.
    const stuck = applied.kind === 'failed' ? [applied.step] : applied.steps;
    const reason = applied.kind === 'failed' ? applied.reason : halfWritten();
    for (const index of stuck) {
      const file = ready[index]?.file;
      if (file !== undefined) refused.set(file, reason);
    }
  }
  return files.map((file) => ({ kind: 'refused', reason: refused.get(file) ?? keptChanging() }));
}

async function prepareBack(file: AcceptedFile, refused: Reason | undefined): Promise<Prepared> {
  if (refused !== undefined) return { kind: 'failed', reason: refused };
  const root = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === file.root)?.uri;
  if (root === undefined) return { kind: 'failed', reason: refusal('outsideWorkspace') };
  const before: FileAt = { root, uri: vscode.Uri.parse(file.uri, true) };
  const now: FileAt = file.to === undefined ? before : { root, uri: vscode.Uri.parse(file.to, true) };
  const edit = inverse(file);
  const written = writtenBy(file);
  const prepared = await prepare({
    edit,
    at: now,
    ...(now !== before && { to: before }),
    text: edit.kind === 'delete' ? '' : withLineEnds(edit.after, '\n'),
    ...(written !== undefined && { written }),
    // As the disk had it, whatever new files are encoded in.
    ...(file.change.kind === 'delete' && {
      bytes: Buffer.from(file.change.bytes, 'base64'),
      ...(file.change.mode !== undefined && { mode: file.change.mode }),
    }),
  });
  return now !== before && prepared.kind === 'ready' && (await bringsMore(file, before, prepared.text))
    ? { kind: 'failed', reason: changedElsewhere() }
    : prepared;
}

/** Whether a name that takes a yes of its own would get what was written while the file had another one. */
async function bringsMore({ path, change }: AcceptedFile, at: FileAt, text: string): Promise<boolean> {
  if (change.kind !== 'edit' || isSameText(change.before, text)) return false;
  const edit: FileEdit = {
    kind: 'update',
    path: named(path),
    before: change.before,
    after: text,
    replacements: [],
    places: [],
  };
  return (await whyProtected({ edit, at }, text))?.takesSecondYes === true;
}

/** What an editor held unsaved when its file was deleted is put into an editor again, unsaved. */
async function bringBackUnsaved({ change }: AcceptedFile, step: Step): Promise<void> {
  if (change.kind !== 'delete' || change.unsaved !== true || step.kind !== 'create') return;
  await putUnsaved(step.uri, change.before);
}

function inverse({ path, toPath, change }: AcceptedFile): FileEdit {
  switch (change.kind) {
    case 'create':
      return { kind: 'delete', path: named(path), before: change.after };
    case 'delete':
      return { kind: 'add', path: named(path), after: change.before };
    case 'edit':
      return {
        kind: 'update',
        path: named(toPath ?? path),
        ...(toPath !== undefined && { to: named(path) }),
        before: change.after,
        after: change.before,
        replacements: lineReplacements(change.after, change.before),
        places: [],
      };
  }
}

/** Only shown: where the file is says its address. */
function named(display: string): WorkspacePath {
  return { root: 0, relative: display, display };
}

function resultOf(file: AcceptedFile, prepared: Prepared, applied: AppliedFile | undefined): TakenBack {
  switch (prepared.kind) {
    case 'conflict':
    case 'failed':
      return { kind: 'refused', reason: prepared.reason };
    case 'there':
    case 'ready':
      return {
        kind: 'takenBack',
        merged: prepared.kind === 'ready' && prepared.wasCut !== true && isMerged(file, prepared.step),
        unsaved: applied?.unsaved === true,
        ...(applied?.why !== undefined && { why: applied.why }),
        changedOnSave: applied?.differs?.cause === 'changedOnSave',
      };
  }
}

function isMerged({ change }: AcceptedFile, step: Step): boolean {
  if (step.kind !== 'edit' || change.kind !== 'edit') return false;
  return !isSameText(step.before, change.after);
}

/** What a card says of a file after taking it back was tried. */
export interface FileChange {
  readonly state?: 'takenBack';
  readonly note?: string;
  /** Whether trying again makes sense. */
  readonly again: boolean;
}

export function changeBy(result: TakenBack): FileChange {
  if (result.kind === 'refused') return { note: notTakenBack(result.reason.note), again: true };
  const notes = [
    ...(result.merged ? [othersKept()] : []),
    ...(result.unsaved ? [unsaved(result.why)] : []),
    ...(result.changedOnSave ? [changedOnSave()] : []),
  ];
  return { state: 'takenBack', again: false, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

/** What was there before is no longer kept. */
export function forgotten(): FileChange {
  return { note: notTakenBack(tooLongAgo().note), again: false };
}

export function reported(result: TakenBack): LaterFile['result'] {
  return result.kind === 'refused'
    ? { kind: 'kept', detail: result.reason.detail }
    : { kind: 'takenBack', merged: result.merged };
}

export function withChange(file: ProposedFile, { state, note, again }: FileChange): ProposedFile {
  const { canTakeBack, note: _note, ...rest } = file;
  return {
    ...rest,
    ...(state !== undefined && { state }),
    ...(again && canTakeBack !== undefined && { canTakeBack }),
    ...(note !== undefined && { note }),
  };
}
