/** Builds what has to do with the list of conversations, and connects it: the list, the last ones for empty panels, the closing of idle ones. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import { OwnStorage } from '../ownStorage.ts';
import type { Settings } from '../settings.ts';
import { deleteEverything } from './deleteEverything.ts';
import { showWhileRead } from '../sessions/firstLook.ts';
import { historyCommands } from './historyCommands.ts';
import { HistoryClosing } from './historyClosing.ts';
import { HistoryFolders } from './historyFolders.ts';
import type { HistoryParts, ShownHistory } from './historyParts.ts';
import { RecentConversations } from './historyRecent.ts';
import type { Queue } from '../chat/queue.ts';
import { Retention } from './retention.ts';

export interface RegisterHistoryParts extends Omit<HistoryParts, 'folders' | 'queue'> {
  readonly queue: Pick<Queue, 'facts' | 'onDidChange'>;
  /** Where the workspaces are written down that have conversations; they don't find each other when absent. */
  readonly workspaces?: string;
  readonly settings: Pick<Settings, 'keepConversations'>;
  /** See `DeletingParts`. */
  readonly forgetAsked: () => void;
}

export interface History extends vscode.Disposable {
  readonly recent: RecentConversations;
  readonly shown: ShownHistory;
  readonly commands: Readonly<Record<string, () => Promise<void>>>;
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
  const others = folders === undefined ? {} : { folders };
  if (kept !== undefined && folder !== undefined) {
    const days = (): number => parts.settings.keepConversations;
    store.add(new Retention({ store: kept.store, folder, ...others, days, clock, log }));
  }
  const { forgetAsked } = parts;
  return {
    recent: store.add(new RecentConversations(history)),
    shown: {
      async show(id, panel) {
        const known = sessions.find(id);
        const session = await showWhileRead(panel, {
          peek: async () => (known === undefined ? await kept?.store.peek(id) : undefined),
          open: async () => known ?? (await kept?.open(id)),
        });
        return session !== undefined;
      },
      choose: () => vscode.commands.executeCommand('kimiChat.showConversations'),
    },
    commands: {
      ...historyCommands(history),
      'kimiChat.deleteEverything': async () => {
        if (kept === undefined || folder === undefined)
          void vscode.window.showInformationMessage(vscode.l10n.t('No conversations are kept here.'));
        else await deleteEverything({ sessions, kept, folder, ...others, forgetAsked, clock, log });
      },
    },
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
