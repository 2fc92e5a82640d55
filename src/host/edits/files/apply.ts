/**
 * Applies steps as one edit, looks at what came of it, takes everything back when not all of it went, and has saved what was saved
 * before. Knows no proposals and no people.
 */
import * as vscode from 'vscode';

import { lineReplacements } from '../../../core/patch/lineDiff.ts';
import { bytesAt, bytesOf, isBeginning, isOnDisk, isSame } from './diskBytes.ts';
import { isSameText, loadAnew, openDocument, takenUp } from './documentText.ts';
import {
  documentAfter,
  effectOf,
  firstFailing,
  isBeneath,
  isCutOff,
  isDone,
  isMoved,
  isOvertaken,
  type EditStep,
  type Effect,
} from './effects.ts';
import { fewAtOnce } from './fewAtOnce.ts';
import { isLost, saveOf, unsave, whyNotKept, type Save } from './saves.ts';
import { cutOff, noRoom, notApplied, type Reason } from './sentences.ts';
import { toTextEdits, toWorkspaceEdit, type Step } from './toWorkspaceEdit.ts';
import { isThere, reasonOf, whyNotDone, whyNotSaved } from './whyNotWritten.ts';
import {
  applyEdit,
  markUnsaved,
  putUnsaved,
  removeEmptyFolders,
  rename,
  renameBack,
  setMode,
  tryFile,
  writeBack,
  writeFile,
} from './workspaceWrites.ts';

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
  /** It was to be saved and could not be, nor put back as it was. The editor still holds the text. */
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
  const isToSave = await fewAtOnce(
    steps,
    async (step) => save && isEdited(step) && (step.unwritten === true || (await isOnDisk(step.document))),
  );
  const wasDirty = steps.map((step) => isEdited(step) && step.document.isDirty);
  if ((await Promise.all(steps.map(isOvertaken))).includes(true)) return { kind: 'overtaken' };
  // To an edit without anything in it VS Code says no.
  let accepted = steps.every(isBeneath) || (await applyEdit(toWorkspaceEdit(steps)));
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
    const finished = await fewAtOnce([...steps.entries()], ([index, step]) =>
      finish(step, { isToSave: isToSave[index] === true, wasDirty: wasDirty[index] === true }),
    );
    const files = finished.map(({ file }) => file);
    const unsaved = files.findIndex((file) => file.unsaved);
    if (unsaved === -1) return { kind: 'applied', files };
    const saves = finished.flatMap(({ save: each }) => each ?? []);
    // What somebody has typed in right after stays, and the rest with it.
    const stuck = effects.includes('other') ? undefined : await unsave(saves);
    if (stuck === undefined) {
      for (const each of saves) if (each.arrived === 'beginning') await markUnsaved(each.document, each.text);
      return { kind: 'applied', files };
    }
    for (const { step } of saves) {
      if (!stuck.has(step)) effects[steps.indexOf(step)] = step.to === undefined ? 'undone' : 'partly';
    }
    const reason = whyNotKept(saves) ?? files[unsaved]?.why;
    return takeAllBack(steps, effects, { step: unsaved, reason, stuck });
  }
  const stopped = written === undefined ? firstFailing(steps, effects) : written.step;
  const isOthers = effects.every((effect) => effect === 'undone' || effect === 'other');
  if (isOthers && effects.includes('other') && written?.reason === undefined) return { kind: 'overtaken' };
  const failing = steps[stopped];
  const seen =
    written?.reason ?? (cut ? noRoom() : failing === undefined ? undefined : await whyNotDone(failing));
  return takeAllBack(steps, effects, { step: stopped, reason: seen });
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
      if (step.recased === true) await rename(step.document.uri, uri);
      if (step.bytes === undefined || isSame(step.bytes.before, step.bytes.after)) continue;
      if (!isSame(await bytesAt(uri), step.bytes.before)) return { step: index, reason: undefined };
      await writeFile(uri, step.bytes.after);
      if (isBeginning(await bytesAt(uri), step.bytes.after)) return { step: index, reason: noRoom() };
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
    await tryFile(step.uri, step.bytes);
  } catch (error) {
    return reasonOf(error);
  }
  return undefined;
}

async function finish(
  step: Step,
  { isToSave, wasDirty }: { readonly isToSave: boolean; readonly wasDirty: boolean },
): Promise<{ readonly file: AppliedFile; readonly save?: Save }> {
  if (step.kind === 'create' && step.mode !== undefined) await setMode(step.uri, step.mode);
  if (step.kind !== 'edit') return { file: { unsaved: false } };
  const document = await documentAfter(step);
  if (step.bytes !== undefined) {
    const isRewritten = step.before === step.after && !isSame(step.bytes.before, step.bytes.after);
    await (isRewritten ? loadAnew(document) : takenUp(document, step.after));
    const text = document.getText();
    // A document without unsaved changes that differs has not loaded the file yet: that is nobody's edit.
    const isEdited = document.isDirty && !isSameText(text, step.after);
    return { file: { unsaved: false, ...(isEdited && { differs: { text, cause: 'editedMeanwhile' } }) } };
  }
  const isTyped = document.getText() !== step.after;
  // Unsaved text is the person's: it stays unsaved. `isDirty` is not asked: just after a move it may be told too late.
  const save =
    isToSave && (step.before !== step.after || step.unwritten === true)
      ? await saveOf(step, document, { isTyped, wasDirty })
      : undefined;
  const text = document.getText();
  const unsaved = save !== undefined && isLost(save);
  const why = !unsaved
    ? undefined
    : save.arrived === 'beginning'
      ? cutOff()
      : await whyNotSaved(document.uri);
  const file: AppliedFile = {
    unsaved,
    ...(why !== undefined && { why }),
    ...(text !== step.after && {
      differs: { text, cause: isTyped ? ('editedMeanwhile' as const) : ('changedOnSave' as const) },
    }),
  };
  return { file, ...(save !== undefined && { save }) };
}

async function takeAllBack(
  steps: readonly Step[],
  effects: readonly Effect[],
  failed: {
    readonly step: number;
    readonly reason: Reason | undefined;
    /** Of these the disk has neither what it had nor what it was to have. */
    readonly stuck?: ReadonlySet<Step>;
  },
): Promise<Applied> {
  const failing = steps[failed.step];
  await undo(steps, effects);
  const reason =
    failed.reason ?? (failing === undefined ? undefined : await whyNotCreated(failing)) ?? notApplied();
  const left = await fewAtOnce(steps, effectOf);
  const half = steps.flatMap((step, index) =>
    failed.stuck?.has(step) === true || (left[index] !== 'undone' && isDone(effects[index])) ? [index] : [],
  );
  return half.length > 0 ? { kind: 'half', steps: half } : { kind: 'failed', step: failed.step, reason };
}

/** Undoes what was done, in one edit. What somebody else has touched since is left alone. */
async function undo(steps: readonly Step[], effects: readonly Effect[]): Promise<void> {
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
  await applyEdit(edit);
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'edit' && step.bytes !== undefined && isDone(effects[index])) {
      const { bytes, document } = step;
      const found = await bytesAt(document.uri);
      if (found !== undefined && !isSame(found, bytes.before)) await writeBack(document.uri, bytes.before);
      // Else the editor would load what is on the disk, and nobody would have the rest.
      if (isBeginning(bytes.before, await bytesOf(step.before, document)))
        await markUnsaved(document, step.before);
    }
    if (step.kind !== 'delete') await removeEmptyFolders(step.newFolders ?? []);
    if (step.kind === 'delete' && isDone(effects[index])) await bringBack(step);
  }
}

/** A file that was deleted and is to be there again. Where the disk has no place for it, its text is left in an editor. */
async function bringBack({ uri, bytes, unsaved, mode }: Extract<Step, { kind: 'delete' }>): Promise<void> {
  const isMissing = async (): Promise<boolean> => {
    const found = await bytesAt(uri);
    if (isSame(found, bytes) && mode !== undefined) await setMode(uri, mode);
    return found === undefined || isBeginning(found, bytes);
  };
  if (await isMissing()) await writeBack(uri, bytes);
  if (unsaved === undefined && !(await isMissing())) return;
  await putUnsaved(uri, unsaved ?? (await vscode.workspace.decode(bytes, { uri })));
}
