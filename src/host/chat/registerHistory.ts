/** Builds what has to do with the list of conversations, and connects it: the list, the last ones for empty panels, the closing of idle ones. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import { OwnStorage } from '../ownStorage.ts';
import { historyCommands } from './historyCommands.ts';
import { HistoryClosing } from './historyClosing.ts';
import { HistoryFolders } from './historyFolders.ts';
import type { HistoryParts, ShownHistory } from './historyParts.ts';
import { RecentConversations } from './historyRecent.ts';
import type { Queue } from './queue.ts';

export interface RegisterHistoryParts extends Omit<HistoryParts, 'folders'> {
  readonly queue: Pick<Queue, 'facts'>;
  /** Where the workspaces are written down that have conversations; they don't find each other when absent. */
  readonly workspaces?: string;
}

export interface History extends vscode.Disposable {
  readonly recent: RecentConversations;
  readonly shown: ShownHistory;
  readonly commands: ReturnType<typeof historyCommands>;
  /** See `HistoryClosing.reopenFor`. */
  readonly reopenFor: HistoryClosing['reopenFor'];
}

export function registerHistory(parts: RegisterHistoryParts): History {
  const store = new DisposableStore();
  const { sessions, kept, queue, folder, workspaces, clock, log } = parts;
  const folders = workspaces === undefined ? undefined : new HistoryFolders(new OwnStorage(workspaces, log));
  if (folders !== undefined && folder !== undefined) {
    const register = (): void => void folders.register({ folder, ...ownWorkspace() }, clock());
    register();
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(register));
  }
  const history: HistoryParts = { ...parts, ...(folders !== undefined && { folders }) };
  const closing =
    kept === undefined ? undefined : store.add(new HistoryClosing({ sessions, kept, queue, log }));
  return {
    recent: store.add(new RecentConversations(history)),
    shown: {
      async show(id, panel) {
        const before = panel.current;
        const session = sessions.find(id) ?? (await kept?.open(id));
        if (session === undefined) return false;
        if (panel.current === before) panel.show(session);
        return true;
      },
      choose: () => vscode.commands.executeCommand('kimiChat.showConversations'),
    },
    commands: historyCommands(history),
    reopenFor: async (proposal) => await closing?.reopenFor(proposal),
    dispose: () => store.dispose(),
  };
}

/** A workspace of several folders that was never saved has no place that could be opened again. */
function ownWorkspace(): { readonly name: string; readonly uri?: string } {
  const { name = '', workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  return { name, ...(uri !== undefined && uri.scheme !== 'untitled' && { uri: uri.toString() }) };
}
