/** What has become of steps, found by looking at the files and the editors: done, not done, or something else. Changes nothing. */
import * as vscode from 'vscode';

import { bytesAt, isBeginning, isSame } from './diskBytes.ts';
import { openDocument } from './documentText.ts';
import { isSameButCase, isThereAs } from './filePlace.ts';
import type { Step } from './toWorkspaceEdit.ts';
import { isFull, isThere } from './whyNotWritten.ts';

/** `partly` of what is to be taken back, `other` when the file is neither as before nor as wanted. */
export type Effect = 'done' | 'undone' | 'partly' | 'other';

export type EditStep = Extract<Step, { kind: 'edit' }>;

/** The document of a file after its step. */
export async function documentAfter(step: EditStep): Promise<vscode.TextDocument> {
  if (step.to === undefined) return openDocument(step.document.uri) ?? step.document;
  return openDocument(step.to) ?? (await vscode.workspace.openTextDocument(step.to));
}

export async function effectOf(step: Step): Promise<Effect> {
  switch (step.kind) {
    case 'create': {
      const bytes = await bytesAt(step.uri);
      if (bytes === undefined) return 'undone';
      return isSame(bytes, step.bytes) ? 'done' : 'other';
    }
    case 'delete':
      if (!(await isThere(step.uri))) return 'done';
      // Brought back to a disk that has no place for all of it.
      return isBeginning(await bytesAt(step.uri), step.bytes) ? 'partly' : 'undone';
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

export async function isMoved(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
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

export function isDone(effect: Effect | undefined): boolean {
  return effect === 'done' || effect === 'partly';
}

/** In the order in which VS Code goes through the edit, and what goes beneath the editor after that. */
export function firstFailing(steps: readonly Step[], effects: readonly Effect[]): number {
  const order = (step: Step): number => {
    if (step.kind !== 'edit') return step.kind === 'create' ? 2 : 3;
    if (isBeneath(step)) return 4;
    return step.to === undefined ? 0 : 1;
  };
  const failing = steps.flatMap((step, index) => (effects[index] === 'done' ? [] : [{ step, index }]));
  return failing.sort((one, other) => order(one.step) - order(other.step))[0]?.index ?? 0;
}

/** Whether a file is no longer what the step was made for. */
export async function isOvertaken(step: Step): Promise<boolean> {
  if (step.kind !== 'edit') return false;
  if (step.bytes === undefined) return step.document.getText() !== step.before;
  return step.document.isDirty || !isSame(await bytesAt(step.document.uri), step.bytes.before);
}

/** Whether nothing of a step is for the editor. */
export function isBeneath(step: Step): boolean {
  if (step.kind !== 'edit') return false;
  return step.replacements.length === 0 && (step.to === undefined || step.recased === true);
}

/**
 * Whether what is there is ours, written only in part because the disk became full.
 * @param accepted whether VS Code said that it was written: it does not always notice
 */
export async function isCutOff(step: Step, accepted: boolean): Promise<boolean> {
  if (step.kind === 'delete' || (step.kind === 'edit' && step.bytes === undefined)) return false;
  const uri = step.kind === 'create' ? step.uri : (step.to ?? step.document.uri);
  const bytes = step.kind === 'create' ? step.bytes : step.bytes?.after;
  if (bytes === undefined || !isBeginning(await bytesAt(uri), bytes)) return false;
  // What was refused may be a file that somebody else has just made, and that is empty.
  return accepted || step.kind === 'edit' || (await isFull(uri));
}
