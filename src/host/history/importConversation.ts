/** Reads conversations from a file that the person chooses: they become conversations of this workspace, beside those that are there. */
import * as vscode from 'vscode';

import {
  readExport,
  type ImportedFile,
  type ImportParts,
  type ImportProblem,
} from '../../core/journal/importFile.ts';
import { err } from '../../core/result.ts';
import { inPieces } from '../inPieces.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import type { HistoryParts } from './historyParts.ts';
import type { KeptSessions } from '../sessions/keptSessions.ts';
import { whileWorking } from './whileWorking.ts';

export interface ImportConversationParts {
  /** Absent where nothing can be kept: then nothing can be imported either. */
  readonly kept?: Pick<KeptSessions, 'open'> & {
    readonly store: Pick<JournalStore, 'begin' | 'setTitle' | 'close' | 'discard'>;
  };
  readonly panel: HistoryParts['panel'];
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Log;
  /** Shows a person what went wrong. Only tests give another. */
  readonly tell?: (message: string) => void;
}

/** Bytes. A text of more can't be read at once. */
const largestFile = 256 * 1024 * 1024;

/** Never rejects: what is wrong with the file is told. */
export async function importConversation(
  parts: ImportConversationParts,
  where: () => Thenable<vscode.Uri | undefined> = askWhere,
): Promise<void> {
  const { panel, log, tell = (message) => void vscode.window.showErrorMessage(message) } = parts;
  const uri = await where();
  if (uri === undefined) return;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const title = vscode.l10n.t('Importing a conversation');
    const taken = await whileWorking({ title, size }, (isCancelled) =>
      take({ uri, size }, parts, isCancelled),
    );
    if (taken.kind === 'problem') tell(taken.sentence);
    if (taken.kind !== 'shown') return;
    const { view } = panel();
    await view.focus();
    view.post({
      kind: 'notice',
      text: vscode.l10n.t(
        'This conversation was imported. Its patches can’t be accepted or taken back here, and nothing that was allowed in it is allowed now.',
      ),
    });
  } catch (error) {
    log.warn('A conversation could not be imported', error);
    tell(vscode.l10n.t('The file could not be read. Look whether it is still there and may be opened.'));
  }
}

type Taken =
  | { readonly kind: 'shown' | 'cancelled' }
  /** With a sentence for the person. */
  | { readonly kind: 'problem'; readonly sentence: string };

const cancelled: Taken = { kind: 'cancelled' };

async function take(
  { uri, size }: { readonly uri: vscode.Uri; readonly size: number },
  { kept, newId, clock, panel }: ImportConversationParts,
  isCancelled: () => boolean,
): Promise<Taken> {
  const { l10n } = vscode;
  const problem = (sentence: string): Taken => ({ kind: 'problem', sentence });
  if (kept === undefined)
    return problem(
      l10n.t('Nothing can be imported here: this window has no folder in which conversations are kept.'),
    );
  if (size > largestFile)
    return problem(
      l10n.t('This file is too large to be imported: {0} MB are the most.', largestFile / 1024 / 1024),
    );
  const bytes = await vscode.workspace.fs.readFile(uri);
  const read = await inPieces(readBytes(bytes, { newId, now: clock() }), isCancelled);
  if (read === undefined) return cancelled;
  if (!read.ok) return problem(problemText(read.error));
  const done = await keep(read.value, kept.store, isCancelled);
  if (done === 'cancelled') return cancelled;
  if (done === 'failing')
    return problem(
      l10n.t('The conversation could not be saved, and was not imported. Look whether the disk is full.'),
    );
  const session = await kept.open(read.value.shown);
  if (session === undefined)
    return problem(l10n.t('The conversation was imported, but could not be opened.'));
  panel().sessions.show(session);
  return { kind: 'shown' };
}

/** Bytes that are decoded at a time. */
const pieceLength = 1024 * 1024;

function* readBytes(bytes: Uint8Array, parts: ImportParts): ReturnType<typeof readExport> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let at = 0; at < bytes.length; at += pieceLength) {
      text += decoder.decode(bytes.subarray(at, at + pieceLength), { stream: true });
      yield;
    }
    text += decoder.decode();
  } catch {
    return err({ kind: 'notJson' });
  }
  return yield* readExport(text, parts);
}

/** All of them or none. */
async function keep(
  { conversations }: ImportedFile,
  store: NonNullable<ImportConversationParts['kept']>['store'],
  isCancelled: () => boolean,
): Promise<'kept' | 'failing' | 'cancelled'> {
  const done: string[] = [];
  for (const { id, createdAt, title, parent, seed } of conversations) {
    const journal = store.begin(
      { id, createdAt, seed, ...(parent !== undefined && { parent }) },
      () => seed.conversation,
    );
    if (title !== undefined) await store.setTitle(id, title);
    await journal.flush();
    const { isKept } = journal;
    await store.close(id);
    done.push(id);
    if (isKept && !isCancelled()) continue;
    // Where there is no room, it is to take none.
    for (const one of done) await store.discard(one);
    return isKept ? 'cancelled' : 'failing';
  }
  return 'kept';
}

function problemText(problem: ImportProblem): string {
  const { l10n } = vscode;
  switch (problem.kind) {
    case 'notJson':
      return l10n.t(
        'This file is not JSON, or was cut off. Choose one that Kimi Chat has exported as JSON; what was exported as Markdown can’t be imported.',
      );
    case 'foreign':
      return l10n.t('This file is not a conversation that Kimi Chat has exported.');
    case 'newer':
      return l10n.t('A newer version of Kimi Chat has written this file. Update the extension to import it.');
    case 'damaged':
      return l10n.t('This file is damaged, and nothing was imported: look at {0}.', problem.where);
    case 'excessive':
      return l10n.t(
        'This file holds more than any conversation does, or is nested too deep. Nothing was imported.',
      );
  }
}

async function askWhere(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import a conversation'),
    openLabel: vscode.l10n.t('Import'),
    filters: { JSON: ['json'] },
  });
  return chosen?.[0];
}
