/** What is said of a patch that builds on another one, or whose file has another name by now. Words only, in two tellings. */
import * as vscode from 'vscode';

import type { Reason } from '../files/sentences.ts';

/** Said while the one below can still be decided. */
export function stacked(): string {
  return vscode.l10n.t('Builds on another patch for the same file that still waits.');
}

/** What is in the way of a patch, where it is there because an earlier one was not accepted as it was proposed. */
export function undermined(reason: Reason): Reason {
  return {
    ...reason,
    note: vscode.l10n.t(
      'An earlier patch that this one builds on was not accepted as proposed. {0}',
      reason.note,
    ),
    detail: `An earlier patch that this one builds on was not accepted as it was proposed. ${reason.detail}`,
  };
}

/** @param line one-based, as the lines are now */
export function lostGround(line: number): Reason {
  return undermined({
    note: vscode.l10n.t('It does not fit the lines near line {0}.', line),
    detail: `It does not fit the lines near line ${line}.`,
  });
}

/** @param before the name that it had when the patch was made */
export function renamed(before: string): string {
  return vscode.l10n.t('This file was {0} when the patch was made.', before);
}

/** @param wanted the name that the file did not get */
export function notMoved(wanted: string): string {
  return vscode.l10n.t('The move to {0} was not accepted, so this is for the file in its old place.', wanted);
}

/** Said of what was sent back to the model after it had gone on. */
export function toldLater(): string {
  return vscode.l10n.t('The model is told with your next message.');
}

/** For the model. */
export function reportRenamed(before: string, now: string): string {
  return `${JSON.stringify(before)} was renamed meanwhile: it is ${JSON.stringify(now)} now.`;
}

/** For the model. */
export function reportNotMoved(wanted: string, now: string): string {
  return `The move to ${JSON.stringify(wanted)} was not accepted, so what is told of it is about ${JSON.stringify(now)}.`;
}
