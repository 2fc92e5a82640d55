/**
 * The only place that writes to the workspace: applies steps as one edit, looks at what came of it, takes everything back when not
 * all of it went, and saves what was saved before. Knows no proposals and no people.
 */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

import { lineReplacements } from '../../core/patch/lineDiff.ts';
import { isSameText, openDocument, takenUp } from './documentText.ts';
import { isSameButCase, isThereAs } from './filePlace.ts';
import { cutOff, notApplied, type Reason } from './sentences.ts';
import { toTextEdits, toWorkspaceEdit, type Step } from './toWorkspaceEdit.ts';
import { isFull, isThere, reasonOf, whyNotDone, whyNotSaved } from './whyNotWritten.ts';

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

type Effect = 'done' | 'undone' | 'partly' | 'other';

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
  const effects = await Promise.all(steps.map((step) => effectOf(step)));
  let cut = false;
  for (const [index, step] of steps.entries()) {
    if (effects[index] !== 'other' || !(await isCutOff(step, accepted))) continue;
    effects[index] = 'partly';
    cut = true;
  }
  // Where VS Code said yes, a text that is neither the old nor the new one was typed into right after.
  if (effects.every((effect) => effect === 'done' || (accepted && effect === 'other'))) {
    const cutOffs: vscode.TextDocument[] = [];
    const files = await Promise.all(steps.map((step, index) => finish(step, saved[index] === true, cutOffs)));
    for (const document of cutOffs) await markUnsaved(document);
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
  const left = await Promise.all(steps.map((each) => effectOf(each)));
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

type EditStep = Extract<Step, { kind: 'edit' }>;

/** Whether the editor is to write the text, and not we past it. */
function isEdited(step: Step): step is EditStep {
  return step.kind === 'edit' && step.bytes === undefined;
}

/** Whether a file is no longer what the step was made for. */
async function isOvertaken(step: Step): Promise<boolean> {
  if (step.kind !== 'edit') return false;
  if (step.bytes === undefined) return step.document.getText() !== step.before;
  return step.document.isDirty || !isSame(await bytesAt(step.document.uri), step.bytes.before);
}

/** Whether nothing of a step is for the editor. */
function isBeneath(step: Step): boolean {
  if (step.kind !== 'edit') return false;
  return step.replacements.length === 0 && (step.to === undefined || step.recased === true);
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

/**
 * Whether what is there is ours, written only in part because the disk became full.
 * @param accepted whether VS Code said that it was written: it does not always notice
 */
async function isCutOff(step: Step, accepted: boolean): Promise<boolean> {
  if (step.kind === 'delete' || (step.kind === 'edit' && step.bytes === undefined)) return false;
  const uri = step.kind === 'create' ? step.uri : (step.to ?? step.document.uri);
  const bytes = step.kind === 'create' ? step.bytes : step.bytes?.after;
  if (bytes === undefined || !isBeginning(await bytesAt(uri), bytes)) return false;
  // What was refused may be a file that somebody else has just made, and that is empty.
  return accepted || step.kind === 'edit' || (await isFull(uri));
}

function isBeginning(found: Uint8Array | undefined, whole: Uint8Array): boolean {
  return found !== undefined && found.length < whole.length && isSame(found, whole.subarray(0, found.length));
}

/** Whether all that an editor has saved is on the disk. */
async function hasArrived(document: vscode.TextDocument): Promise<boolean> {
  const { encoding } = document;
  const whole = await vscode.workspace.encode(document.getText(), { encoding });
  return !isBeginning(await bytesAt(document.uri), whole);
}

/** Makes the text unsaved again: else VS Code would load the cut off one from the disk, and the whole one would be lost. */
async function markUnsaved(document: vscode.TextDocument): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const text = document.getText();
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, whole, text);
    // Refused when the document changed in this very moment.
    if (await vscode.workspace.applyEdit(edit)) return;
  }
}

/** Puts a text into the editor of a file and leaves it unsaved. */
export async function putUnsaved(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, toTextEdits(document, lineReplacements(document.getText(), text)));
  await vscode.workspace.applyEdit(edit);
}

/** The document of a file after its step. */
async function documentAfter(step: EditStep): Promise<vscode.TextDocument> {
  if (step.to === undefined) return openDocument(step.document.uri) ?? step.document;
  return openDocument(step.to) ?? (await vscode.workspace.openTextDocument(step.to));
}

async function effectOf(step: Step): Promise<Effect> {
  switch (step.kind) {
    case 'create': {
      const bytes = await bytesAt(step.uri);
      if (bytes === undefined) return 'undone';
      return isSame(bytes, step.bytes) ? 'done' : 'other';
    }
    case 'delete':
      return (await isThere(step.uri)) ? 'undone' : 'done';
    case 'edit': {
      const from = step.document.uri;
      if (step.to === undefined) return contentEffect(step, false);
      const moved = await isMoved(from, step.to);
      const content = await contentEffect(step, moved);
      if (moved) return content === 'done' || content === 'other' ? content : 'partly';
      return content === 'done' && step.before !== step.after
        ? 'partly'
        : content === 'other'
          ? 'other'
          : 'undone';
    }
  }
}

async function isMoved(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  const isThereNow = isSameButCase(from, to) ? isThereAs : isThere;
  return !(await isThereNow(from)) && (await isThereNow(to));
}

async function contentEffect(step: EditStep, moved: boolean): Promise<Effect> {
  if (step.bytes !== undefined) {
    const bytes = await bytesAt(moved && step.to !== undefined ? step.to : step.document.uri);
    return isSame(bytes, step.bytes.after) ? 'done' : isSame(bytes, step.bytes.before) ? 'undone' : 'other';
  }
  const document = moved ? await documentAfter(step) : (openDocument(step.document.uri) ?? step.document);
  const text = document.getText();
  return text === step.after ? 'done' : text === step.before ? 'undone' : 'other';
}

/** @param cutOffs gets the document of which only the beginning has reached the disk */
async function finish(step: Step, save: boolean, cutOffs: vscode.TextDocument[]): Promise<AppliedFile> {
  if (step.kind !== 'edit') return { unsaved: false };
  const document = await documentAfter(step);
  if (step.bytes !== undefined) {
    await takenUp(document, step.after);
    const text = document.getText();
    return {
      unsaved: false,
      ...(!isSameText(text, step.after) && { differs: { text, cause: 'editedMeanwhile' } }),
    };
  }
  const typed = document.getText() !== step.after;
  // Unsaved text is the person's: it stays unsaved. `isDirty` is not asked: just after a move it may be told too late.
  const isToSave = save && step.before !== step.after;
  const saved = !isToSave || (await document.save());
  const text = document.getText();
  const isCut = isToSave && saved && !(await hasArrived(document));
  if (isCut) cutOffs.push(document);
  const why = isCut ? cutOff() : saved ? undefined : await whyNotSaved(document.uri);
  return {
    unsaved: !saved || isCut,
    ...(why !== undefined && { why }),
    ...(text !== step.after && {
      differs: { text, cause: typed ? ('editedMeanwhile' as const) : ('changedOnSave' as const) },
    }),
  };
}

function isDone(effect: Effect | undefined): boolean {
  return effect === 'done' || effect === 'partly';
}

/** In the order in which VS Code goes through the edit, and what goes beneath the editor after that. */
function firstFailing(steps: readonly Step[], effects: readonly Effect[]): number {
  const order = (step: Step): number => {
    if (step.kind !== 'edit') return step.kind === 'create' ? 2 : 3;
    if (isBeneath(step)) return 4;
    return step.to === undefined ? 0 : 1;
  };
  const failing = steps.flatMap((step, index) => (effects[index] === 'done' ? [] : [{ step, index }]));
  return failing.sort((one, other) => order(one.step) - order(other.step))[0]?.index ?? 0;
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
      if (found === undefined || isSame(found, bytes.before)) continue;
      // Refused, it is found half written below.
      await Promise.resolve(vscode.workspace.fs.writeFile(document.uri, bytes.before)).catch(() => {});
    }
    if (step.kind !== 'delete') await removeEmptyFolders(step.newFolders ?? []);
    if (step.kind === 'delete' && step.unsaved !== undefined && isDone(effects[index])) {
      await putUnsaved(step.uri, step.unsaved);
    }
  }
}

/** Refused, it is found in its new place below. */
async function renameBack(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.rename(from, to, { overwrite: false });
  } catch {
    return;
  }
}

async function bytesAt(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.from(one).equals(other);
}
