/** Shows what was chosen in the list: a conversation of this workspace as it is, one of another as a copy, or its folder. */
import * as vscode from 'vscode';

import { viewId } from '../chat/chatView.ts';
import { showWhileRead } from '../sessions/firstLook.ts';
import type { HistoryEntry } from './historyEntries.ts';
import type { HistoryList } from './historyList.ts';
import type { HistoryParts } from './historyParts.ts';
import type { ChatSession } from '../sessions/session.ts';

/** In the panel that the person is at. What can't be read is told. */
export async function openConversation(
  entry: HistoryEntry,
  parts: HistoryParts,
  list: HistoryList,
): Promise<void> {
  const { sessions, view } = parts.panel();
  const { id, place } = entry;
  const store = place === undefined ? parts.kept?.store : list.storeIn(place.folder);
  // At once: who goes elsewhere while a long one is read is not to be called back from there.
  const focused = view.focus();
  const isOpen = place === undefined && parts.sessions.find(id) !== undefined;
  const session = await showWhileRead(sessions, {
    peek: async () => (isOpen ? undefined : await store?.peek(id)),
    open: () => opened(entry, parts, list),
  });
  if (session === undefined) {
    void vscode.window.showWarningMessage(unreadableText());
    return;
  }
  await focused;
  if (place !== undefined) {
    view.post({
      kind: 'notice',
      text: vscode.l10n.t(
        'This is a copy: what you ask here is not in the conversation of the other workspace.',
      ),
    });
  }
}

export function unreadableText(): string {
  return vscode.l10n.t('The conversation could not be read: it was deleted, or its file is damaged.');
}

/** In a window of its own, where the conversation is the one that is shown unless that window is open already. */
export async function openItsFolder({ id, place }: HistoryEntry, list: HistoryList): Promise<void> {
  if (place?.uri === undefined) return;
  const store = list.storeIn(place.folder);
  store.noteShown(id);
  // Answered when that is written.
  await store.lastShown();
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.parse(place.uri, true), {
    forceNewWindow: true,
  });
}

async function opened(
  { id, place }: HistoryEntry,
  { sessions, kept }: HistoryParts,
  list: HistoryList,
): Promise<ChatSession | undefined> {
  const known = place === undefined ? sessions.find(id) : undefined;
  if (known !== undefined || kept === undefined) return known;
  return await vscode.window.withProgress({ location: { viewId } }, async () =>
    place === undefined ? await kept.open(id) : await kept.copy(list.storeIn(place.folder), id),
  );
}
