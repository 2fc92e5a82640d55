/** What a person does to conversations of the list: names, pins and deletes them, and takes a deletion back. */
import * as vscode from 'vscode';

import { haveOpenPatch } from '../../core/conversation/waiting.ts';
import { cutAt } from '../../core/cutAt.ts';
import type { JournalProblem } from '../journal/journalStore.ts';
import type { Notify } from '../chat/approvalNotice.ts';
import type { HistoryEntry } from './historyEntries.ts';
import type { HistoryParts } from './historyParts.ts';
import type { ChatSession } from '../sessions/session.ts';

/** UTF-16 units. */
const longestName = 200;

/** Why something could not be done. */
export type HistoryProblem = JournalProblem | 'running' | 'patch' | 'unkept';

type Parts = Pick<HistoryParts, 'sessions' | 'kept' | 'panel'>;

/** Asks for another name. With none it goes by its first question again. Resolves with what hindered it. */
export async function renameConversation(
  entry: HistoryEntry,
  { kept }: Pick<Parts, 'kept'>,
  ask: (options: vscode.InputBoxOptions) => Thenable<string | undefined> = (options) =>
    vscode.window.showInputBox(options),
): Promise<HistoryProblem | undefined> {
  if (kept === undefined) return 'unkept';
  const name = await ask({
    title: vscode.l10n.t('Rename conversation'),
    prompt: vscode.l10n.t('Leave it empty to have the first question as its name again.'),
    value: cutAt(entry.title.trim().split(/[\r\n]/, 1)[0] ?? '', longestName),
  });
  if (name === undefined) return undefined;
  const done = await kept.store.setTitle(entry.root, { text: cutAt(name.trim(), longestName), by: 'person' });
  return done.ok ? undefined : done.error;
}

/** Resolves with what hindered it. */
export async function pinConversation(
  entry: HistoryEntry,
  { kept }: Pick<Parts, 'kept'>,
): Promise<HistoryProblem | undefined> {
  if (kept === undefined) return 'unkept';
  const { root, pinned } = entry;
  for (const id of pinned.length > 0 ? pinned : [root]) {
    const done = await kept.store.setPinned(id, pinned.length === 0);
    if (!done.ok) return done.error;
  }
  return undefined;
}

/**
 * Puts a conversation aside with all its versions, and offers to take that back. Resolves when it is gone, with what hindered it: then it is
 * as it was before.
 */
export async function deleteConversation(
  entry: HistoryEntry,
  parts: Parts,
  notify: Notify = (message, button) => vscode.window.showInformationMessage(message, button),
): Promise<HistoryProblem | undefined> {
  const { sessions, kept, panel } = parts;
  // A long one takes a while: then it is open here, and is closed first.
  await kept?.whenOpened(entry.members);
  const open = entry.members.flatMap((id) => sessions.find(id) ?? []);
  const problem = open.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) return problem;
  const wasShown = open.some((session) => session === panel().sessions.current);
  const closed = await closeAll(open, parts);
  if (closed !== undefined) return closed;
  const deleted: string[] = [];
  for (const id of entry.members) {
    const done = await kept?.store.delete(id);
    if (done === undefined) continue;
    if (done.ok) deleted.push(id);
    // A version in which nothing was asked yet was never written.
    else if (done.error !== 'missing') {
      for (const other of deleted) await kept?.store.restore(other);
      if (wasShown) await showAgain(entry, parts);
      return done.error;
    }
  }
  // What was never written can't be had back, and nothing was asked in it.
  if (deleted.length === 0) return undefined;
  const undo = vscode.l10n.t('Undo');
  void notify(vscode.l10n.t('The conversation was deleted.'), undo).then(async (chosen) => {
    if (chosen !== undefined) await undelete(deleted, entry, { ...parts, wasShown });
  });
  return undefined;
}

/** For people, with what to do next. Without anything that was written by others: VS Code draws links of it. */
export function historyProblemText(problem: HistoryProblem): string {
  switch (problem) {
    case 'running':
      return vscode.l10n.t(
        'The conversation is being answered. Stop the answer, or wait for its end, to delete it.',
      );
    case 'patch':
      return vscode.l10n.t(
        'A patch of the conversation waits. Accept or reject it to delete the conversation.',
      );
    case 'busy':
      return vscode.l10n.t('The conversation is open in another window. Do it there, or close it there.');
    case 'newer':
      return vscode.l10n.t(
        'A newer version of Kimi Chat has written to the conversation. Update Kimi Chat to change it.',
      );
    case 'missing':
      return vscode.l10n.t('The conversation is no longer there.');
    case 'unkept':
    case 'failing':
      return vscode.l10n.t(
        'The conversation could not be changed on the disk. Is the disk full, or the folder read-only?',
      );
  }
}

async function closeAll(
  open: readonly ChatSession[],
  { sessions, kept }: Parts,
): Promise<HistoryProblem | undefined> {
  if (open.length === 0) return undefined;
  if (kept !== undefined) {
    const isIdle = (session: ChatSession): boolean => problemOf(session) === undefined;
    if (await kept.close(open, isIdle, 'go')) return undefined;
    return open.map(problemOf).find((one) => one !== undefined) ?? 'failing';
  }
  for (const session of open) sessions.close(session);
  return undefined;
}

async function undelete(
  deleted: readonly string[],
  entry: HistoryEntry,
  parts: Parts & { readonly wasShown: boolean },
): Promise<void> {
  for (const id of deleted) {
    const done = await parts.kept?.store.restore(id);
    if (done?.ok === false)
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The conversation could not be brought back: {0}', historyProblemText(done.error)),
      );
  }
  if (parts.wasShown) await showAgain(entry, parts);
}

/** Where nothing else was begun meanwhile. */
async function showAgain({ id }: HistoryEntry, { kept, panel }: Parts): Promise<void> {
  const { sessions } = panel();
  if (sessions.current.conversation.turns.length > 0 || sessions.current.running) return;
  const session = await kept?.open(id);
  if (session !== undefined) sessions.show(session);
}

/** Why it can't be deleted now. */
function problemOf(session: ChatSession): HistoryProblem | undefined {
  if (session.elsewhere) return session.deletedElsewhere ? 'missing' : 'busy';
  if (session.running) return 'running';
  return haveOpenPatch(session.conversation.turns) ? 'patch' : undefined;
}
