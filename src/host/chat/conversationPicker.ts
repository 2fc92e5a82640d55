/** The list from which a person chooses the conversation to show: each family once, its branches below it. */
import * as vscode from 'vscode';

import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import type { ChatView } from './chatView.ts';
import type { ChatSession } from './session.ts';
import type { PanelSessions } from './panelSessions.ts';

/** One line of the list. */
export interface ConversationItem extends vscode.QuickPickItem {
  readonly session: ChatSession;
}

export async function showConversations(
  sessions: Pick<PanelSessions, 'families' | 'current' | 'show'>,
  view: Pick<ChatView, 'focus'>,
): Promise<void> {
  const items = conversationItems(sessions);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Conversations of this window'),
    placeHolder:
      items.length === 0
        ? vscode.l10n.t('No conversation yet')
        : vscode.l10n.t('Choose the conversation to show'),
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  sessions.show(picked.session);
  await view.focus();
}

/** The newest family first. */
export function conversationItems({
  families,
  current,
}: Pick<PanelSessions, 'families' | 'current'>): readonly ConversationItem[] {
  return families.flatMap((family) => itemsOf(family, current));
}

/** The branch that was shown last stands for the family; the others follow, each with the question that it ends with. */
function itemsOf(family: readonly ChatSession[], current: ChatSession): readonly ConversationItem[] {
  const [first, ...others] = family;
  if (first === undefined) return [];
  const { conversation } = first;
  return [
    {
      label: titleOf(firstQuestion(conversation.turns)),
      description: facts([
        ...(family.some(({ parent }) => parent?.kind === 'fork') ? [vscode.l10n.t('forked')] : []),
        ...(others.length > 0 ? [vscode.l10n.t('{0} branches', family.length)] : []),
        ...state(first, current),
      ]),
      session: first,
    },
    ...others.map((session): ConversationItem => {
      const last = session.conversation.turns.findLast(({ removed }) => removed !== true);
      return {
        label: `$(git-branch) ${titleOf(last?.question.text ?? '')}`,
        description: facts([
          ...(last === undefined ? [] : [modelRow(last.model)?.label ?? last.model, last.effort]),
          ...state(session, current),
        ]),
        session,
      };
    }),
  ];
}

function firstQuestion(turns: readonly Turn[]): string {
  const first = turns.find(({ removed }) => removed !== true);
  return first?.question.text ?? vscode.l10n.t('All questions were deleted');
}

function state(session: ChatSession, current: ChatSession): readonly string[] {
  return [
    ...(session === current ? [vscode.l10n.t('shown')] : []),
    ...(session.running ? [vscode.l10n.t('answering')] : []),
  ];
}

function facts(all: readonly string[]): string {
  return all.join(' · ');
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
