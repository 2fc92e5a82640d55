/** The commands of the list of conversations, and those for the conversation that is shown: one table from id to handler. */
import * as vscode from 'vscode';

import { showConversations } from './conversationPicker.ts';
import {
  deleteConversation,
  historyProblemText,
  pinConversation,
  renameConversation,
  type HistoryProblem,
} from './historyChanges.ts';
import type { HistoryEntry } from './historyEntries.ts';
import { HistoryList } from './historyList.ts';
import type { HistoryParts } from './historyParts.ts';

/** The handlers, to be registered under the names that the manifest contributes. */
export function historyCommands(parts: HistoryParts): Readonly<Record<string, () => Promise<void>>> {
  const list = new HistoryList(parts);
  const change =
    (act: (entry: HistoryEntry, parts: HistoryParts) => Promise<HistoryProblem | undefined>) =>
    async (): Promise<void> => {
      const { current } = parts.panel().sessions;
      const entries = await list.own(current);
      const entry = entries.find(({ members }) => members.includes(current.conversation.id));
      const problem = entry === undefined ? undefined : await act(entry, parts);
      if (entry === undefined)
        void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was asked in this chat yet.'));
      else if (problem !== undefined) void vscode.window.showWarningMessage(historyProblemText(problem));
    };
  return {
    'kimiChat.showConversations': () => showConversations(parts, list),
    'kimiChat.renameConversation': change(renameConversation),
    'kimiChat.pinConversation': change(pinConversation),
    'kimiChat.deleteConversation': change(deleteConversation),
  };
}
