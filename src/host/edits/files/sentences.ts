/** Why a file could not be changed, in two tellings: for the person (translated) and for the model (English). Words only. */
import * as vscode from 'vscode';

import { cutAt } from '../../../core/cutAt.ts';
import type { FileRefusal } from '../../../core/patch/editPlan.ts';

export interface Reason {
  /** For people. */
  readonly note: string;
  /** For the model: one sentence. */
  readonly detail: string;
  /** The patch and somebody else changed the same lines. Anything else that is in the way is not about lines. */
  readonly overlaps?: true;
  /** Another patch has to be decided on first. */
  readonly waits?: true;
}

export function refusal(reason: FileRefusal): Reason {
  return { note: refusalNote(reason), detail: refusalDetail(reason) };
}

/** Lines quoted to the model, and the longest that they may be together. */
const maxQuoted = 1500;

/**
 * @param from one-based lines as they are now; `to` is `from - 1` where lines were removed
 * @param present those lines
 */
export function overlap(from: number, to: number, present?: string): Reason {
  const reason = overlapOf(from, to);
  if (present === undefined || present === '') return reason;
  const cut = present.length > maxQuoted;
  const quoted = JSON.stringify(cutAt(present, maxQuoted));
  return { ...reason, detail: `${reason.detail} Present text${cut ? ', cut off' : ''}: ${quoted}.` };
}

function overlapOf(from: number, to: number): Reason {
  if (to < from) {
    return {
      overlaps: true,
      note: vscode.l10n.t('Lines that this patch changes were removed meanwhile, near line {0}.', from),
      detail: `Lines that the patch changes were removed meanwhile, near line ${from}.`,
    };
  }
  return from === to
    ? {
        overlaps: true,
        note: vscode.l10n.t('Line {0} was changed meanwhile, and the patch changes it too.', from),
        detail: `Line ${from} was changed meanwhile, and the patch changes it or a line next to it.`,
      }
    : {
        overlaps: true,
        note: vscode.l10n.t(
          'Lines {0} to {1} were changed meanwhile, and the patch changes them too.',
          from,
          to,
        ),
        detail: `Lines ${from} to ${to} were changed meanwhile, and the patch changes them or lines next to them.`,
      };
}

/** The lines are there only once another patch for the file is accepted. */
export function buildsOnOther(): Reason {
  return {
    waits: true,
    note: vscode.l10n.t(
      'This builds on another patch for the same file that still waits. Decide on that one first.',
    ),
    detail: 'It builds on another patch for the same file that was not decided on.',
  };
}

export function gone(): Reason {
  return {
    note: vscode.l10n.t('The file no longer exists.'),
    detail: 'The file no longer exists.',
  };
}

/** Another program may have renamed it: VS Code tells of what it renames itself, and of no other. */
export function goneOrRenamed(): Reason {
  return {
    note: vscode.l10n.t(
      'The file no longer exists. If it was renamed outside VS Code, give it its old name back, or send the patch back to the model.',
    ),
    detail: 'The file no longer exists under this name; it may have been renamed.',
  };
}

export function taken(path: string): Reason {
  return {
    note: vscode.l10n.t('{0} exists meanwhile and is not overwritten.', path),
    detail: `${path} exists meanwhile and is not overwritten.`,
  };
}

export function changedSince(): Reason {
  return {
    note: vscode.l10n.t('The file was changed meanwhile, so it is not deleted.'),
    detail: 'The file was changed meanwhile, so it was not deleted.',
  };
}

export function unsavedText(): Reason {
  return {
    note: vscode.l10n.t('The file has unsaved changes, so it is not deleted. Save or discard them first.'),
    detail: 'The file has unsaved changes in the editor, so it was not deleted.',
  };
}

export function unencodable(encoding: string): Reason {
  return {
    note: vscode.l10n.t(
      'The encoding of the file ({0}) has no place for some characters of the patch.',
      encoding,
    ),
    detail: `The encoding of the file (${encoding}) cannot hold some characters of the patch.`,
  };
}

export function noSpace(): Reason {
  return {
    note: vscode.l10n.t('There is no space left on the disk.'),
    detail: 'There is no space left on the disk.',
  };
}

/** A full disk may take the beginning of a file without complaint. Said when that was put right again. */
export function noRoom(): Reason {
  return {
    note: vscode.l10n.t(
      'Not all of it reached the disk, which may be full. Everything is as it was: make room, then try again.',
    ),
    detail: 'Not all of it reached the disk, which may be full, so everything was put back as it was.',
  };
}

/** The same when that could not be put right: the editor alone has the rest. */
export function cutOff(): Reason {
  return {
    note: vscode.l10n.t(
      'Only the beginning of the file reached the disk, which may be full. Make room, then save the file again.',
    ),
    detail: 'Only the beginning of the file reached the disk, which may be full.',
  };
}

export function noPermission(): Reason {
  return {
    note: vscode.l10n.t('The folder may not be written to.'),
    detail: 'The folder may not be written to.',
  };
}

export function noPermissionForFile(): Reason {
  return {
    note: vscode.l10n.t('The file may not be written to.'),
    detail: 'The file may not be written to.',
  };
}

/** Moving it might make it lead nowhere, and deleting it could not be taken back. */
export function link(): Reason {
  return {
    note: vscode.l10n.t('This is a link to another file. Links are not moved or deleted.'),
    detail: 'The path is a symbolic link to another file; links are not moved or deleted.',
  };
}

/** VS Code said no and nothing that was looked at says why. */
export function notApplied(): Reason {
  return {
    note: vscode.l10n.t('VS Code did not apply the change. Try again, or reject it.'),
    detail: 'The editor did not apply the change and gave no reason.',
  };
}

/** The person kept typing in the very moment, again and again. */
export function keptChanging(): Reason {
  return {
    note: vscode.l10n.t('The file kept changing while the patch was applied. Try again.'),
    detail: 'The file kept changing while the patch was applied.',
  };
}

/** Something was written and could not be taken back. */
export function halfWritten(): Reason {
  return {
    note: vscode.l10n.t('The change was applied only in part and could not be taken back. Check this file.'),
    detail: 'The change was applied only in part and could not be taken back; read the file again.',
  };
}

/** Said of a file that is as it was before the patch, but for what else was done to it. */
export function othersKept(): string {
  return vscode.l10n.t('Your later changes in other lines are still there.');
}

/** Said of a file of which one of the patch's changes is undone and the others are not. */
export function changeTakenBack(): string {
  return vscode.l10n.t('One of the changes was taken back.');
}

export function changedOnSave(): string {
  return vscode.l10n.t('Saving changed more: a formatter, or another action on save.');
}

/** @param note why, as a sentence */
export function notTakenBack(note: string): string {
  return vscode.l10n.t('Not taken back. {0}', note);
}

/** Only so many patches are kept. */
export function tooLongAgo(): Reason {
  return {
    note: vscode.l10n.t('What was there before is no longer kept.'),
    detail: 'What was there before is no longer kept.',
  };
}

/** What was written under another name was never asked about as this one takes it. */
export function changedElsewhere(): Reason {
  return {
    note: vscode.l10n.t(
      'Other programs obey or run a file of the name that it had, and it was changed since it was moved. Take those changes back first.',
    ),
    detail:
      'Other programs obey or run a file of the name that it had, and it was changed since it was moved: those changes have to be taken back first.',
  };
}

/** Why a file could not be saved, for the model. */
export function whyUnsaved(why?: Reason): string {
  return why?.detail ?? 'The editor gave no reason.';
}

/** @param why as a sentence, when it is known */
export function unsaved(why?: Reason): string {
  const what = vscode.l10n.t('Changed in the editor, but the file could not be saved.');
  return why === undefined ? what : `${what} ${why.note}`;
}

function refusalNote(reason: FileRefusal): string {
  switch (reason) {
    case 'outsideWorkspace':
      return vscode.l10n.t('The file is outside the workspace.');
    case 'protected':
      return vscode.l10n.t('Files of Git itself are not changed.');
    case 'untrusted':
      return vscode.l10n.t('Nothing is changed in a workspace that you have not marked as trusted.');
    case 'directory':
      return vscode.l10n.t('There is a folder in this place.');
    case 'behindFile':
      return vscode.l10n.t('A part of the path is a file, not a folder.');
    case 'binary':
      return vscode.l10n.t('The file is binary.');
    case 'undecodable':
      return vscode.l10n.t(
        'The file can’t be read in its present encoding without loss. Reopen it with the right encoding.',
      );
    case 'mixedLineEnds':
      return vscode.l10n.t(
        'The file mixes line ends and has unsaved changes, and saving them would change every line end. Save or discard them yourself first.',
      );
    case 'tooLarge':
      return vscode.l10n.t('The file is larger than 50 MB.');
    case 'readOnly':
      return vscode.l10n.t('The file is read-only.');
    case 'notebook':
      return vscode.l10n.t('Notebooks can’t be patched.');
    case 'unreadable':
      return vscode.l10n.t('The file can’t be read.');
    case 'notLoaded':
      return vscode.l10n.t(
        'Another program has just written the file, and VS Code has not loaded it yet. Try again.',
      );
    case 'unavailable':
      return vscode.l10n.t('The file system can’t be reached at the moment. Try again later.');
  }
}

function refusalDetail(reason: FileRefusal): string {
  switch (reason) {
    case 'outsideWorkspace':
      return 'The file is outside the workspace.';
    case 'protected':
      return 'Files inside .git are not changed.';
    case 'untrusted':
      return 'The user has not marked this workspace as trusted.';
    case 'directory':
      return 'There is a directory at this path.';
    case 'behindFile':
      return 'A part of the path is a file, not a directory.';
    case 'binary':
      return 'The file is binary.';
    case 'undecodable':
      return 'The file cannot be decoded without loss.';
    case 'mixedLineEnds':
      return 'The file mixes line ends and has unsaved changes in the editor, which the person must save or discard first.';
    case 'tooLarge':
      return 'The file is larger than 50 MB.';
    case 'readOnly':
      return 'The file is read-only.';
    case 'notebook':
      return 'Notebooks cannot be patched.';
    case 'unreadable':
      return 'The file cannot be read.';
    case 'notLoaded':
      return 'Another program has just written the file, and the editor has not loaded it yet.';
    case 'unavailable':
      return 'The file system cannot be reached at the moment.';
  }
}
