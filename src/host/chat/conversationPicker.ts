/** The list from which a person chooses the conversation to show. */
import * as vscode from 'vscode';

import type { ChatView } from './chatView.ts';
import type { ChatSession } from './session.ts';
import type { Sessions } from './sessions.ts';

export async function showConversations(sessions: Sessions, view: Pick<ChatView, 'focus'>): Promise<void> {
  interface Item extends vscode.QuickPickItem {
    readonly session: ChatSession;
  }
  const items: Item[] = sessions.started.map((session) => ({
    label: titleOf(session.conversation.turns[0]?.question.text ?? ''),
    description: [
      ...(session === sessions.current ? [vscode.l10n.t('shown')] : []),
      ...(session.running ? [vscode.l10n.t('answering')] : []),
    ].join(', '),
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

/** In characters as people count them: more than the list shows in one line. */
const longestTitle = 100;

/** The first line of a question, cut where it is long. What VS Code would draw as an icon stays text. */
export function titleOf(question: string): string {
  const line = question.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  // Cut in steps: taking a text of megabytes apart into characters would take seconds.
  const characters = [...new Intl.Segmenter().segment(line.slice(0, longestTitle * 20))];
  const short = characters
    .slice(0, longestTitle)
    .map(({ segment }) => segment)
    .join('');
  return (short.length < line.length ? `${short}…` : short).replaceAll('$(', '\\$(');
}
