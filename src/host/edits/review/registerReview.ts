/** Builds the review and owns it. A table of contents. */
import { join } from 'node:path';

import type * as vscode from 'vscode';

import type { FilesPort, ReviewPort } from '../../../core/tools/applyPatchPorts.ts';
import { DisposableStore } from '../../disposables.ts';
import type { Log } from '../../log.ts';
import { OwnStorage } from '../../ownStorage.ts';
import { AcceptedDiffs, acceptedScheme } from './acceptedDiffs.ts';
import { Amendments } from './amendments.ts';
import { Attention } from './attention.ts';
import { Diffs } from '../proposals/diffs.ts';
import { EncodingOffer } from '../files/encodingOffer.ts';
import { emptyScheme, ProposedDocuments, proposalScheme } from '../proposals/proposedDocuments.ts';
import { Journal } from '../files/journal.ts';
import { PendingStore } from '../proposals/pendingStore.ts';
import { ReviewBoard, type ReviewSettings } from './reviewBoard.ts';
import { reviewCommands, type CommandHandler, type ReviewCommand } from './reviewCommands.ts';
import { SecondYes } from './secondYes.ts';
import { StackedFiles } from '../proposals/stackedFiles.ts';
import { WorkspaceFiles } from '../files/workspaceFiles.ts';

export interface ReviewDependencies {
  readonly log: Log;
  /** Read at each use. */
  readonly settings: ReviewSettings;
  /** The folder for what outlives the window; nothing does without one. */
  readonly storage?: string;
  /** Only tests give another: in them nobody presses the button of a dialog. */
  readonly secondYes?: SecondYes;
  /** Only tests give others: a scheme can be registered once. */
  readonly schemes?: { readonly proposal: string; readonly empty: string; readonly accepted: string };
}

export interface Review extends vscode.Disposable {
  /** Takes the panel's intents. */
  readonly board: ReviewBoard;
  /** What `apply_patch` gets. */
  readonly files: FilesPort;
  readonly review: ReviewPort;
  /** To be told of each question sent from the panel: the diff of a patch then opens by itself. */
  readonly attention: Attention;
  /** What is kept of accepted patches. */
  readonly accepted: Pick<Journal, 'ready' | 'get'>;
  /** Resolves when what is to outlive the window is on the disk. */
  whenKept(): Promise<void>;
  /** To be registered under the names the manifest contributes. */
  readonly commands: Readonly<Record<ReviewCommand, CommandHandler>>;
}

export function registerReview({
  log,
  settings,
  storage,
  secondYes = new SecondYes(),
  schemes = { proposal: proposalScheme, empty: emptyScheme, accepted: acceptedScheme },
}: ReviewDependencies): Review {
  const store = new DisposableStore();
  const documents = store.add(new ProposedDocuments(schemes.proposal, schemes.empty));
  const amendments = store.add(new Amendments(documents));
  const attention = store.add(new Attention());
  const kept = new OwnStorage(storage === undefined ? undefined : join(storage, 'accepted'), log);
  const waiting = new OwnStorage(storage === undefined ? undefined : join(storage, 'waiting'), log);
  const journal = new Journal(kept);
  const accepted = store.add(new AcceptedDiffs(schemes.accepted, journal));
  const encoding = new EncodingOffer();
  const diffs = new Diffs(schemes.proposal);
  const board = store.add(
    new ReviewBoard({
      documents,
      amendments,
      diffs,
      attention,
      journal,
      store: new PendingStore(waiting),
      accepted,
      settings,
      secondYes,
      emptyScheme: schemes.empty,
      log,
    }),
  );
  const files = new WorkspaceFiles((uri) => {
    encoding
      .offer(uri)
      .catch((error: unknown) => log.warn('A file could not be opened in another encoding', error));
  });
  board.ready
    .then(() => diffs.closeAllBut((right) => documents.get(right) !== undefined))
    .catch((error: unknown) => log.warn('Old diffs could not be closed', error));
  return {
    board,
    files: new StackedFiles(files, (uri) => board.standingAt(uri)),
    review: board.port,
    attention,
    accepted: journal,
    commands: reviewCommands(board, diffs),
    whenKept: async () => {
      await Promise.all([kept.whenKept(), waiting.whenKept()]);
    },
    dispose: () => store.dispose(),
  };
}
