/** A new chat with a summary of the present one: asked for as an ordinary question, whose answer becomes a chip. */
import * as vscode from 'vscode';

import type { Turn } from '../../core/conversation/conversation.ts';
import type { SpendingGate } from '../cost/spendingGate.ts';
import type { Settings } from '../settings.ts';
import type { ChatView } from './chatView.ts';
import { roomFacts } from './costFacts.ts';
import type { Draft } from '../composer/draft.ts';
import { cutsFor, roomKinds, type TurnCut } from '../sessions/makeRoom.ts';
import type { PriceCheck } from './priceCheck.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { Summaries } from './summaries.ts';

export interface SummarizeParts {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly settings: Settings;
  readonly gate: SpendingGate;
  readonly summaries: Summaries;
  readonly view: Pick<ChatView, 'post'>;
  readonly isHeldBack: PriceCheck;
}

/** Tokens for the question and the summary itself, with much to spare. */
const roomForSummary = 20_000;

/**
 * Asks, and when the answer has come to its end, starts a new conversation with it. When it does not, everything is as before, but for
 * the question that stands in the conversation. Resolves then with a sentence on why, if there is something to be said.
 */
export async function summarize(
  session: ChatSession,
  parts: SummarizeParts,
  agreed?: number,
): Promise<string | undefined> {
  const { sessions, settings, draft, summaries, view } = parts;
  if (session.running) {
    return vscode.l10n.t('An answer is still coming, or a patch waits. A summary can be made afterwards.');
  }
  if (session.conversation.turns.every(({ removed }) => removed === true)) return undefined;
  const undo = makeFit(session, parts);
  const question = { text: request(), attachments: [] };
  if (
    parts.isHeldBack({ asked: { kind: 'summarize' }, session, question, agreed }) ||
    !session.ask(question.text, question.attachments, settings.choice)
  ) {
    undo();
    return undefined;
  }
  const turn = await toEnd(session);
  const text = turn === undefined ? '' : summaryOf(turn);
  if (turn?.end?.kind !== 'completed' || text === '') {
    undo();
    // Why it failed stands under the question.
    return undefined;
  }
  if (sessions.current !== session) {
    return vscode.l10n.t('The summary is ready in the conversation where it was asked for.');
  }
  sessions.startNew();
  sessions.current.webSearch = session.webSearch;
  draft.attach([summaries.attachment(text)]);
  view.post({ kind: 'focusComposer' });
  return undefined;
}

function request(): string {
  return vscode.l10n.t(
    'Summarize this conversation so that it can be continued in a new one: what is to be achieved, what was decided and why, which files were changed and how, and what is still open. Be complete and short. Change nothing.',
  );
}

/** Leaves out what has to go so that the question fits. Returns how that is undone. */
function makeFit(session: ChatSession, { gate, settings }: SummarizeParts): () => void {
  const undone: TurnCut[] = [];
  for (const what of roomKinds) {
    const context = gate.context(session);
    if (context.used + roomForSummary <= context.window) break;
    for (const { turn, cut } of cutsFor(what, roomFacts(session, { gate, settings }, context))) {
      const before = session.conversation.turns.find(({ id }) => id === turn)?.cut;
      if (session.cut(turn, cut)) undone.push({ turn, cut: before ?? {} });
    }
  }
  return () => {
    for (const { turn, cut } of undone.toReversed()) session.cut(turn, cut);
  };
}

/** The turn that was just asked, as it is when it ends: what is asked afterwards does not count. None of its events has come yet. */
function toEnd(session: ChatSession): Promise<Turn | undefined> {
  return new Promise((resolve) => {
    const listener = session.onDidHappen((event) => {
      if (event.kind !== 'turnEnded') return;
      listener.dispose();
      resolve(session.conversation.turns.find(({ id }) => id === event.turn));
    });
  });
}

function summaryOf({ parts }: Turn): string {
  return parts
    .flatMap((part) => (part.kind === 'answer' ? part.sections : []))
    .join('\n\n')
    .trim();
}
