/**
 * The only place that writes to the workspace: applies steps as one edit, looks at what came of it, takes everything back when not
 * all of it went, and saves what was saved before. Knows no proposals and no people.
 */
import * as vscode from 'vscode';

import { lineReplacements } from '../../core/patch/lineDiff.ts';
import { isSameText, openDocument, takenUp } from './documentText.ts';
import {
  bytesAt,
  documentAfter,
  effectOf,
  firstFailing,
  hasArrived,
  isBeginning,
  isBeneath,
  isCutOff,
  isDone,
  isMoved,
  isOvertaken,
  isSame,
  type EditStep,
  type Effect,
} from './effects.ts';
import { fewAtOnce } from './fewAtOnce.ts';
import { cutOff, notApplied, type Reason } from './sentences.ts';
import { toTextEdits, toWorkspaceEdit, type Step } from './toWorkspaceEdit.ts';
import { isThere, reasonOf, whyNotDone, whyNotSaved } from './whyNotWritten.ts';

export type Applied =
  /** One entry a step. */
  | { readonly kind: 'applied'; readonly files: readonly AppliedFile[] }
  /** A document changed in the same moment. Nothing was written: prepare again. */
  | { readonly kind: 'overtaken' }
  /** Nothing is changed; `step` is the one that could not be done. */
  | { readonly kind: 'failed'; readonly step: number; readonly reason: Reason }
  /** These steps were done and could not be taken back. */
  | { readonly kind: 'half'; readonly steps: readonly number[] };

export interface AppliedFile {
  /** The file's text now, when it is not what was to be written: save actions have run, or someone typed right after. */
  readonly differs?: { readonly text: string; readonly cause: 'changedOnSave' | 'editedMeanwhile' };
  /** It was to be saved and could not be. The editor still holds the text. */
  readonly unsaved: boolean;
  /** Why it could not be saved, when that could be found out. */
  readonly why?: Reason;
}

export interface ApplyOptions {
  /** Whether files without unsaved changes are saved afterwards. New, moved and deleted files are on the disk in any case. */
  readonly save: boolean;
}

export async function applySteps(
  steps: readonly Step[],
  { save }: ApplyOptions = { save: true },
): Promise<Applied> {
  if (steps.length === 0) return { kind: 'applied', files: [] };
  if ((await Promise.all(steps.map(isOvertaken))).includes(true)) return { kind: 'overtaken' };
  const saved = steps.map((step) => save && isEdited(step) && !step.document.isDirty);
  // To an edit without anything in it VS Code says no.
  let accepted = steps.every(isBeneath) || (await vscode.workspace.applyEdit(toWorkspaceEdit(steps)));
  const written = accepted ? await writeBeneath(steps) : undefined;
  if (written !== undefined) accepted = false;
  const effects = await fewAtOnce(steps, effectOf);
  let cut = false;
  for (const [index, step] of steps.entries()) {
    if (effects[index] !== 'other' || !(await isCutOff(step, accepted))) continue;
    effects[index] = 'partly';
    cut = true;
  }
  // Where VS Code said yes, a text that is neither the old nor the new one was typed into right after.
  if (effects.every((effect) => effect === 'done' || (accepted && effect === 'other'))) {
    const cutOffs: CutOff[] = [];
    const files = await fewAtOnce([...steps.entries()], ([index, step]) =>
      finish(step, saved[index] === true, cutOffs),
    );
    for (const each of cutOffs) await markUnsaved(each);
    return { kind: 'applied', files };
  }
  const stopped = written === undefined ? firstFailing(steps, effects) : written.step;
  const isOthers = effects.every((effect) => effect === 'undone' || effect === 'other');
  if (isOthers && effects.includes('other') && written?.reason === undefined) return { kind: 'overtaken' };
  const failing = steps[stopped];
  const seen =
    written?.reason ?? (cut ? cutOff() : failing === undefined ? undefined : await whyNotDone(failing));
  await takeBack(steps, effects);
  const reason = seen ?? (failing === undefined ? undefined : await whyNotCreated(failing)) ?? notApplied();
  const left = await fewAtOnce(steps, effectOf);
  const half = left.flatMap((effect, index) =>
    effect !== 'undone' && isDone(effects[index]) ? [index] : [],
  );
  return half.length > 0 ? { kind: 'half', steps: half } : { kind: 'failed', step: stopped, reason };
}

/** Deletes the folders among these that are empty, the innermost first. Links are left alone. */
export async function removeEmptyFolders(outermostFirst: readonly vscode.Uri[]): Promise<void> {
  for (const folder of [...outermostFirst].reverse()) {
    try {
      const { type } = await vscode.workspace.fs.stat(folder);
      if (type !== vscode.FileType.Directory) return;
      if ((await vscode.workspace.fs.readDirectory(folder)).length > 0) return;
      await vscode.workspace.fs.delete(folder, { recursive: false, useTrash: false });
    } catch {
      // Gone already, filled in this very moment, or not ours to delete: then those around it are not empty either.
      return;
    }
  }
}

/** Whether the editor is to write the text, and not we past it. */
function isEdited(step: Step): step is EditStep {
  return step.kind === 'edit' && step.bytes === undefined;
}

/**
 * What goes to the disk beneath the editor. `createFile` with `overwrite` would be part of the edit, but undoing it in VS Code
 * deletes the file: an editor that has it open would lose it by one key.
 * @returns the step that could not be done; without a reason when the file changed in this moment
 */
async function writeBeneath(
  steps: readonly Step[],
): Promise<{ readonly step: number; readonly reason: Reason | undefined } | undefined> {
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'edit') continue;
    const uri = step.to ?? step.document.uri;
    try {
      if (step.recased === true)
        await vscode.workspace.fs.rename(step.document.uri, uri, { overwrite: false });
      if (step.bytes === undefined || step.before === step.after) continue;
      if (!isSame(await bytesAt(uri), step.bytes.before)) return { step: index, reason: undefined };
      await vscode.workspace.fs.writeFile(uri, step.bytes.after);
      if (isBeginning(await bytesAt(uri), step.bytes.after)) return { step: index, reason: cutOff() };
    } catch (error) {
      const reason = reasonOf(error) ?? (await whyNotSaved(uri)) ?? notApplied();
      return { step: index, reason };
    }
  }
  return undefined;
}

/** Where looking does not help, a file system says why it refuses a new file only when it is asked for it once more. */
async function whyNotCreated(step: Step): Promise<Reason | undefined> {
  if (step.kind !== 'create' || (await isThere(step.uri))) return undefined;
  try {
    await vscode.workspace.fs.writeFile(step.uri, step.bytes);
    await vscode.workspace.fs.delete(step.uri, { useTrash: false });
  } catch (error) {
    return reasonOf(error);
  }
  return undefined;
}

/** Saved by an editor, and only the beginning is on the disk. `text` is the whole. */
interface CutOff {
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/** Makes the text unsaved again: else VS Code would load the cut off one from the disk, and the whole one would be lost. */
async function markUnsaved({ document, text }: CutOff): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // Of an edit that leaves the text as it is nothing is left in the editor in front: there has to be something to take away.
    if (document.getText() === text && !(await putText(document, `${text} `))) continue;
    // Refused, or overtaken by the end of the save, when it comes in the same moment.
    if ((await putText(document, text)) && (await isSoonDirty(document)) && document.getText() === text)
      return;
  }
}

function putText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, toTextEdits(document, lineReplacements(document.getText(), text)));
  return vscode.workspace.applyEdit(edit);
}

/** How long VS Code is waited for to tell that a document has unsaved changes, in milliseconds. */
const tellTime = 1000;

function isSoonDirty(document: vscode.TextDocument): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(document.isDirty);
    };
    const timer = setTimeout(done, tellTime);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.isDirty) done();
    });
    if (document.isDirty) done();
  });
}

/** Puts a text into the editor of a file and leaves it unsaved. */
export async function putUnsaved(uri: vscode.Uri, text: string): Promise<void> {
  await putText(await vscode.workspace.openTextDocument(uri), text);
}

/** @param cutOffs gets the document of which only the beginning has reached the disk */
async function finish(step: Step, save: boolean, cutOffs: CutOff[]): Promise<AppliedFile> {
  if (step.kind !== 'edit') return { unsaved: false };
  const document = await documentAfter(step);
  if (step.bytes !== undefined) {
    await takenUp(document, step.after);
    const text = document.getText();
    // A document without unsaved changes that differs has not loaded the file yet: that is nobody's edit.
    const isEdited = document.isDirty && !isSameText(text, step.after);
    return { unsaved: false, ...(isEdited && { differs: { text, cause: 'editedMeanwhile' } }) };
  }
  const typed = document.getText() !== step.after;
  // Unsaved text is the person's: it stays unsaved. `isDirty` is not asked: just after a move it may be told too late.
  const isToSave = save && step.before !== step.after;
  const saved = !isToSave || (await document.save());
  const text = document.getText();
  const isCut = isToSave && saved && !(await hasArrived(document));
  if (isCut) cutOffs.push({ document, text });
  const why = isCut ? cutOff() : saved ? undefined : await whyNotSaved(document.uri);
  return {
    unsaved: !saved || isCut,
    ...(why !== undefined && { why }),
    ...(text !== step.after && {
      differs: { text, cause: typed ? ('editedMeanwhile' as const) : ('changedOnSave' as const) },
    }),
  };
}

/** Undoes what was done, in one edit. What somebody else has touched since is left alone. */
async function takeBack(steps: readonly Step[], effects: readonly Effect[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const renames: (readonly [vscode.Uri, vscode.Uri])[] = [];
  for (const [index, step] of steps.entries()) {
    if (!isDone(effects[index])) continue;
    switch (step.kind) {
      case 'edit': {
        const moved = step.to !== undefined && (await isMoved(step.document.uri, step.to));
        const document = moved
          ? await documentAfter(step)
          : (openDocument(step.document.uri) ?? step.document);
        if (step.bytes === undefined && document.getText() === step.after && step.before !== step.after) {
          edit.set(document.uri, toTextEdits(document, lineReplacements(step.after, step.before)));
        }
        if (!moved || step.to === undefined) break;
        if (step.recased !== true) renames.push([step.to, step.document.uri]);
        else await renameBack(step.to, step.document.uri);
        break;
      }
      case 'create':
        edit.deleteFile(step.uri, { recursive: false, ignoreIfNotExists: true });
        break;
      case 'delete':
        edit.createFile(step.uri, { overwrite: false, ignoreIfExists: true, contents: step.bytes });
        break;
    }
  }
  for (const [from, to] of renames) edit.renameFile(from, to, { overwrite: false, ignoreIfExists: false });
  await vscode.workspace.applyEdit(edit);
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'edit' && step.bytes !== undefined && isDone(effects[index])) {
      const { bytes, document } = step;
      const found = await bytesAt(document.uri);
      if (found !== undefined && !isSame(found, bytes.before)) await writeBack(document.uri, bytes.before);
    }
    if (step.kind !== 'delete') await removeEmptyFolders(step.newFolders ?? []);
    if (step.kind === 'delete' && step.unsaved !== undefined && isDone(effects[index])) {
      await putUnsaved(step.uri, step.unsaved);
    }
  }
}

/** Refused, it is found half written afterwards. */
async function writeBack(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(uri, bytes);
  } catch {
    return;
  }
}

/** Refused, it is found in its new place afterwards. */
async function renameBack(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.rename(from, to, { overwrite: false });
  } catch {
    return;
  }
}
