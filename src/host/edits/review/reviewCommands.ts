/** The commands of the diff editor's title bar, of the palette and of keys. Decides which file is meant, and what comes next. */
import * as vscode from 'vscode';

import type { Hunk } from '../../../core/patch/follow.ts';
import type { Diffs } from '../proposals/diffs.ts';
import { isOpen, type PendingFile, type Shown } from '../proposals/pendingProposal.ts';
import type { HunkDecision, PickHunk } from '../proposals/hunkDecisions.ts';
import type { ReviewBoard } from './reviewBoard.ts';
import { deafFor } from './secondYes.ts';

export type ReviewCommand =
  | 'kimiChat.acceptPatch'
  | 'kimiChat.rejectPatch'
  | 'kimiChat.acceptAllPatch'
  | 'kimiChat.acceptPatchHunk'
  | 'kimiChat.rejectPatchHunk'
  | 'kimiChat.nextPatchFile'
  | 'kimiChat.previousPatchFile'
  | 'kimiChat.takeBackPatch';

/** What VS Code hands to a command: from an editor's title bar the document's address, from the palette nothing. */
export type CommandHandler = (from?: unknown) => Promise<void>;

export function reviewCommands(
  board: ReviewBoard,
  diffs: Diffs,
): Readonly<Record<ReviewCommand, CommandHandler>> {
  const meant = (from: unknown): Shown | undefined => {
    const uri = from instanceof vscode.Uri ? from : diffs.active();
    return uri === undefined ? undefined : board.find(uri);
  };
  /** When a file came to the front by itself, where the one before had its button. */
  const cameAt = new WeakMap<PendingFile, number>();
  const cameJustNow = (file: PendingFile): boolean =>
    performance.now() - (cameAt.get(file) ?? Number.NEGATIVE_INFINITY) < deafFor;
  const decide =
    (act: (shown: Shown) => Promise<void>, accepts = false): CommandHandler =>
    async (from) => {
      const shown = meant(from);
      if (shown === undefined) return sayNothingOpen();
      // A double click means the one that was read.
      if (accepts && cameJustNow(shown.file)) return;
      const next = neighbour(shown, 1);
      await act(shown);
      // The person is at it in the editor area: the next file takes the place of the one that closed.
      if (!isOpen(shown.file) && next !== undefined && isOpen(next)) {
        await board.show({ proposal: shown.proposal, file: next }, true);
        cameAt.set(next, performance.now());
      }
    };
  const decideHunk = (
    act: (shown: Shown, pick: PickHunk) => Promise<HunkDecision>,
    accepts = false,
  ): CommandHandler =>
    decide(async (shown) => {
      const editor = vscode.window.activeTextEditor;
      const decision = await act(shown, (hunks) => hunkAt(hunks, shown.file, editor));
      // Asked for in words, answered in words; nobody waits for them to go.
      if (decision === 'none') void sayNoHunk();
      if (decision === 'conflict') void sayConflict();
    }, accepts);
  const go =
    (step: 1 | -1): CommandHandler =>
    async (from) => {
      const shown = meant(from);
      if (shown === undefined) {
        const waiting = board.waiting.find((proposal) => proposal.open().length > 0);
        return waiting === undefined ? sayNothingOpen() : board.review(waiting.id);
      }
      const next = neighbour(shown, step);
      if (next !== undefined) await board.show({ proposal: shown.proposal, file: next }, true);
    };
  return {
    'kimiChat.acceptPatch': decide(({ proposal, file }) => board.accept(proposal.id, file.index), true),
    'kimiChat.rejectPatch': decide(({ proposal, file }) => board.reject(proposal.id, file.index)),
    'kimiChat.acceptAllPatch': decide(({ proposal }) => board.accept(proposal.id)),
    'kimiChat.acceptPatchHunk': decideHunk((shown, pick) => board.acceptHunk(shown, pick), true),
    'kimiChat.rejectPatchHunk': decideHunk((shown, pick) => board.rejectHunk(shown, pick)),
    'kimiChat.nextPatchFile': go(1),
    'kimiChat.previousPatchFile': go(-1),
    'kimiChat.takeBackPatch': async () => {
      await vscode.window.showInformationMessage(takenBackText(await board.takeBackLast()));
    },
  };
}

/** The hunk in which the cursor stands, on either side; the only one, wherever the cursor is. */
function hunkAt(
  hunks: readonly Hunk[],
  file: PendingFile,
  editor: vscode.TextEditor | undefined,
): Hunk | undefined {
  if (hunks.length === 1) return hunks[0];
  if (editor === undefined) return undefined;
  const line = editor.selection.active.line;
  const shows = (uri: vscode.Uri): boolean => editor.document.uri.toString() === uri.toString();
  const side = shows(file.diff.right) ? 'inText' : shows(file.diff.left) ? 'inLive' : undefined;
  if (side === undefined) return undefined;
  // Where lines are removed or put in there is no line to stand in on one of the sides: those around it do.
  return hunks.find((hunk) => {
    const { from, to } = hunk[side];
    return from === to ? line === from || line === from - 1 : line >= from && line < to;
  });
}

/** The next file that can be decided, going round; undefined when there is no other. */
function neighbour({ proposal, file }: Shown, step: 1 | -1): PendingFile | undefined {
  const { files } = proposal;
  for (let distance = 1; distance < files.length; distance += 1) {
    const at = (file.index + step * distance + files.length * distance) % files.length;
    const other = files[at];
    if (other !== undefined && isOpen(other)) return other;
  }
  return undefined;
}

function takenBackText(result: { readonly done: number; readonly left: number } | undefined): string {
  if (result === undefined) return vscode.l10n.t('There is no accepted patch to take back.');
  const { done, left } = result;
  if (left === 0) return vscode.l10n.t('The patch accepted last was taken back. Files: {0}.', done);
  if (done === 0) {
    return vscode.l10n.t(
      'The patch accepted last was not taken back: its files have been changed, moved or deleted since.',
    );
  }
  return vscode.l10n.t(
    'The patch accepted last was taken back in {0} of {1} files: the others have been changed, moved or deleted since.',
    done,
    done + left,
  );
}

async function sayNoHunk(): Promise<void> {
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Put the cursor into one of the proposed changes first.'),
  );
}

async function sayConflict(): Promise<void> {
  await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'These lines were changed meanwhile. Write on the right what should stand there, or revert the change, and accept then.',
    ),
  );
}

async function sayNothingOpen(): Promise<void> {
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Open a proposed change first: click a file in a patch in the chat.'),
  );
}
