/**
 * The only place that writes to the workspace: applies steps as one edit, looks at what came of it, takes everything back when not
 * all of it went, and saves what was saved before. Knows no proposals and no people.
 */
import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';

import { lineReplacements } from '../../core/patch/lineDiff.ts';
import { openDocument } from './documentText.ts';
import { noPermission, noSpace, notApplied, taken, type Reason } from './sentences.ts';
import { toTextEdits, toWorkspaceEdit, type Step } from './toWorkspaceEdit.ts';

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
  if (steps.some((step) => step.kind === 'edit' && step.document.getText() !== step.before)) {
    return { kind: 'overtaken' };
  }
  const saved = steps.map((step) => save && step.kind === 'edit' && !step.document.isDirty);
  const accepted = await vscode.workspace.applyEdit(toWorkspaceEdit(steps));
  const effects = await Promise.all(steps.map((step) => effectOf(step)));
  // Where VS Code said yes, a text that is neither the old nor the new one was typed into right after.
  if (effects.every((effect) => effect === 'done' || (accepted && effect === 'other'))) {
    return {
      kind: 'applied',
      files: await Promise.all(steps.map((step, index) => finish(step, saved[index] === true))),
    };
  }
  if (effects.every((effect) => effect === 'undone' || effect === 'other') && effects.includes('other')) {
    return { kind: 'overtaken' };
  }
  const step = firstFailing(steps, effects);
  const reason = await whyNot(steps[step]);
  await takeBack(steps, effects);
  const left = await Promise.all(steps.map((each) => effectOf(each)));
  const half = left.flatMap((effect, index) =>
    effect !== 'undone' && isDone(effects[index]) ? [index] : [],
  );
  return half.length > 0 ? { kind: 'half', steps: half } : { kind: 'failed', step, reason };
}

/** Puts a text into the editor of a file and leaves it unsaved. */
export async function putUnsaved(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, toTextEdits(document, lineReplacements(document.getText(), text)));
  await vscode.workspace.applyEdit(edit);
}

/** The text of a file after its step, for people and tests alike to look at. */
async function documentAfter(step: Extract<Step, { kind: 'edit' }>): Promise<vscode.TextDocument> {
  if (step.to === undefined) return openDocument(step.document.uri) ?? step.document;
  return openDocument(step.to) ?? (await vscode.workspace.openTextDocument(step.to));
}

async function effectOf(step: Step): Promise<Effect> {
  switch (step.kind) {
    case 'create': {
      const bytes = await bytesAt(step.uri);
      if (bytes === undefined) return 'undone';
      return Buffer.from(bytes).equals(step.bytes) ? 'done' : 'other';
    }
    case 'delete':
      return (await isThere(step.uri)) ? 'undone' : 'done';
    case 'edit': {
      const from = step.document.uri;
      if (step.to === undefined) return textEffect(step, openDocument(from) ?? step.document);
      const moved = !(await isThere(from)) && (await isThere(step.to));
      const text = textEffect(
        step,
        moved ? await documentAfter(step) : (openDocument(from) ?? step.document),
      );
      if (moved) return text === 'done' || text === 'other' ? text : 'partly';
      return text === 'done' && step.before !== step.after ? 'partly' : text === 'other' ? 'other' : 'undone';
    }
  }
}

function textEffect(step: Extract<Step, { kind: 'edit' }>, document: vscode.TextDocument): Effect {
  const text = document.getText();
  return text === step.after ? 'done' : text === step.before ? 'undone' : 'other';
}

async function finish(step: Step, save: boolean): Promise<AppliedFile> {
  if (step.kind !== 'edit') return { unsaved: false };
  const document = await documentAfter(step);
  const typed = document.getText() !== step.after;
  // Unsaved text is the person's: it stays unsaved. `isDirty` is not asked: just after a move it may be told too late.
  const saved = !save || step.before === step.after || (await document.save());
  const text = document.getText();
  return {
    unsaved: !saved,
    ...(text !== step.after && {
      differs: { text, cause: typed ? ('editedMeanwhile' as const) : ('changedOnSave' as const) },
    }),
  };
}

function isDone(effect: Effect | undefined): boolean {
  return effect === 'done' || effect === 'partly';
}

/** In the order in which VS Code goes through the edit. */
function firstFailing(steps: readonly Step[], effects: readonly Effect[]): number {
  const order = (step: Step): number =>
    step.kind === 'edit' ? (step.to === undefined ? 0 : 1) : step.kind === 'create' ? 2 : 3;
  const failing = steps.flatMap((step, index) => (effects[index] === 'done' ? [] : [{ step, index }]));
  return failing.sort((one, other) => order(one.step) - order(other.step))[0]?.index ?? 0;
}

/** `applyEdit` says only no: the reason is found by looking. */
async function whyNot(step: Step | undefined): Promise<Reason> {
  if (step === undefined) return notApplied();
  const target = step.kind === 'edit' ? step.to : step.uri;
  if (target === undefined) return notApplied();
  if (step.kind !== 'delete' && (await isThere(target))) {
    return taken(vscode.workspace.asRelativePath(target));
  }
  if (target.scheme !== 'file') return notApplied();
  const folder = await nearestFolder(target.fsPath);
  if (folder === undefined || !(await mayWrite(folder))) return noPermission();
  return (await isFull(folder)) ? noSpace() : notApplied();
}

/** Undoes what was done, in one edit. What somebody else has touched since is left alone. */
async function takeBack(steps: readonly Step[], effects: readonly Effect[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const renames: (readonly [vscode.Uri, vscode.Uri])[] = [];
  for (const [index, step] of steps.entries()) {
    if (!isDone(effects[index])) continue;
    switch (step.kind) {
      case 'edit': {
        const moved = step.to !== undefined && !(await isThere(step.document.uri));
        const document = moved
          ? await documentAfter(step)
          : (openDocument(step.document.uri) ?? step.document);
        if (document.getText() === step.after && step.before !== step.after) {
          edit.set(document.uri, toTextEdits(document, lineReplacements(step.after, step.before)));
        }
        if (moved) renames.push([document.uri, step.document.uri]);
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
    if (step.kind === 'delete' && step.unsaved !== undefined && isDone(effects[index])) {
      await putUnsaved(step.uri, step.unsaved);
    }
  }
}

async function bytesAt(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

async function nearestFolder(path: string): Promise<string | undefined> {
  for (let at = dirname(path); ; at = dirname(at)) {
    try {
      await access(at, constants.F_OK);
      return at;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

async function mayWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function isFull(folder: string): Promise<boolean> {
  try {
    return (await statfs(folder)).bavail === 0;
  } catch {
    return false;
  }
}
