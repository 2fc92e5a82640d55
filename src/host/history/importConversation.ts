/** Reads conversations from a file that the person chooses: they become conversations of this workspace, beside those that are there. */
import * as vscode from 'vscode';

import { readExport, type ImportedFile, type ImportProblem } from '../../core/journal/importFile.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import type { HistoryParts } from './historyParts.ts';
import type { KeptSessions } from '../sessions/keptSessions.ts';

export interface ImportConversationParts {
  /** Absent where nothing can be kept: then nothing can be imported either. */
  readonly kept?: Pick<KeptSessions, 'open'> & {
    readonly store: Pick<JournalStore, 'begin' | 'setTitle' | 'close' | 'delete'>;
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
    const location = vscode.ProgressLocation.Window;
    const title = vscode.l10n.t('Importing a conversation');
    const problem = await vscode.window.withProgress({ location, title }, () => take(uri, parts));
    if (problem !== undefined) {
      tell(problem);
      return;
    }
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

/** Resolves with a sentence on what hindered it. */
async function take(uri: vscode.Uri, parts: ImportConversationParts): Promise<string | undefined> {
  const { kept, newId, clock, panel } = parts;
  const { l10n } = vscode;
  if (kept === undefined)
    return l10n.t('Nothing can be imported here: this window has no folder in which conversations are kept.');
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestFile)
    return l10n.t('This file is too large to be imported: {0} MB are the most.', largestFile / 1024 / 1024);
  const text = decoded(await vscode.workspace.fs.readFile(uri));
  if (text === undefined) return problemText({ kind: 'notJson' });
  const read = readExport(text, { newId, now: clock() });
  if (!read.ok) return problemText(read.error);
  if (!(await keep(read.value, kept.store)))
    return l10n.t(
      'The conversation could not be saved, and was not imported. Look whether the disk is full.',
    );
  const session = await kept.open(read.value.shown);
  if (session === undefined) return l10n.t('The conversation was imported, but could not be opened.');
  panel().sessions.show(session);
  return undefined;
}

/** All of them or none. */
async function keep(
  { conversations }: ImportedFile,
  store: NonNullable<ImportConversationParts['kept']>['store'],
): Promise<boolean> {
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
    if (isKept) continue;
    for (const one of done) await store.delete(one);
    return false;
  }
  return true;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
