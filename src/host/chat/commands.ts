/** The commands of the chat: one table from id to handler. */
import { randomUUID } from 'node:crypto';

import * as vscode from 'vscode';

import type { Log } from '../log.ts';
import type { ApiKeys } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { attachFrom, type AttachProblem } from './attachments.ts';
import type { ChatView } from './chatView.ts';
import type { Draft } from './draft.ts';
import { clearApiKey, setApiKey } from './keyCommands.ts';
import type { ChatSession } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface CommandParts {
  readonly keys: ApiKeys;
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly draft: Draft;
  readonly view: ChatView;
  readonly log: Log;
}

/** Registers the chat's commands; disposing of the result takes them back. */
export function registerChatCommands(parts: CommandParts): vscode.Disposable {
  const { keys, settings, sessions, view, log } = parts;
  const table: Record<string, () => unknown> = {
    'kimiChat.setApiKey': () => setApiKey(keys, settings, log),
    'kimiChat.clearApiKey': () => clearApiKey(keys, settings, log),
    'kimiChat.newChat': () => {
      sessions.startNew();
      return view.focus();
    },
    'kimiChat.showConversations': () => showConversations(sessions, view),
    'kimiChat.stop': () => sessions.current.stop(),
    'kimiChat.askAboutSelection': () => attach(parts, vscode.window.activeTextEditor),
    // The panel has the focus, so the editor that was used last may not be the active one any more.
    'kimiChat.attachActive': () =>
      attach(parts, vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0]),
    'kimiChat.showLog': () => log.show(),
  };
  return vscode.Disposable.from(
    ...Object.entries(table).map(([id, handler]) => vscode.commands.registerCommand(id, handler)),
  );
}

async function attach({ draft, view }: CommandParts, editor: vscode.TextEditor | undefined): Promise<void> {
  const attachments = attachFrom(editor, randomUUID);
  await view.focus();
  if (attachments.ok) draft.attach(attachments.value);
  else view.post({ kind: 'notice', text: attachProblemText(attachments.error) });
}

function attachProblemText(problem: AttachProblem): string {
  switch (problem) {
    case 'nothingOpen':
      return vscode.l10n.t('Open a file or select code to attach it.');
    case 'empty':
      return vscode.l10n.t('There is no text to attach.');
    case 'tooLong':
      return vscode.l10n.t('This is more than 1,000,000 characters. Select the part that matters.');
  }
}

async function showConversations(sessions: Sessions, view: ChatView): Promise<void> {
  interface Item extends vscode.QuickPickItem {
    readonly session: ChatSession;
  }
  const items: Item[] = sessions.started.map((session) => ({
    label: firstLine(session.conversation.turns[0]?.question.text ?? ''),
    description: session.running ? vscode.l10n.t('answering') : '',
    picked: session === sessions.current,
    session,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Conversations of this window'),
    placeHolder:
      items.length === 0
        ? vscode.l10n.t('No conversation yet')
        : vscode.l10n.t('Choose the conversation to show'),
  });
  if (picked === undefined) return;
  sessions.show(picked.session);
  await view.focus();
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}
