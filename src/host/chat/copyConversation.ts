/** Copies the conversation that is shown as Markdown: the words of the document. */
import * as vscode from 'vscode';

import {
  modelRow,
  type Approval,
  type AttachmentSummary,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Conversation,
  type ProposedFile,
  type Turn,
} from '../../core/conversation/conversation.ts';
import { paidFor, sumOf, type BillSum } from '../../core/cost/bill.ts';
import type { PriceTable } from '../../core/cost/prices.ts';
import { count, money } from '../cost/figures.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import {
  conversationPieces,
  conversationText,
  type ConversationWords,
} from '../sessions/conversationText.ts';
import { copyText } from './copyText.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';

export interface CopyParts {
  readonly sessions: Pick<PanelSessions, 'current'>;
  readonly settings: Pick<Settings, 'prices'>;
  readonly log: Log;
}

/** Resolves with a sentence on why nothing was copied, or undefined. Never rejects. */
export async function copyConversation({ sessions, settings, log }: CopyParts): Promise<string | undefined> {
  const { conversation } = sessions.current;
  if (conversation.turns.every(({ removed }) => removed === true)) {
    return vscode.l10n.t('There is nothing to copy yet.');
  }
  return copyText(markdownOf(conversation, settings.prices), log);
}

function markdownOf(conversation: Conversation, prices: PriceTable): string {
  return conversationText(conversation, wordsFor(prices));
}

/** All versions of a conversation, the one first that this is about, with times and costs: to be kept as a file. In pieces. */
export function markdownOfAll(
  conversations: readonly Conversation[],
  { title, prices }: { readonly title: string; readonly prices: PriceTable },
): Generator<string, void> {
  const words = wordsFor(prices);
  const turns = new Map(conversations.flatMap((one) => one.turns.map((turn) => [turn.id, turn])));
  const sum = sumOf([...turns.values()].flatMap(paidFor), prices);
  const at = conversations[0]?.turns[0]?.startedAt;
  const about = [
    vscode.l10n.t('Kimi Chat'),
    ...(at === undefined ? [] : [moment(at)]),
    ...costTexts(sum),
  ].join(' · ');
  const facts = (turn: Turn): string => `${moment(turn.startedAt)} · ${words.facts(turn)}`;
  // A heading of one line, whatever somebody called it.
  const line = title
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#]/g, '\\$&')
    .trim();
  return conversationPieces(conversations, { ...words, title: line, about, facts });
}

function moment(at: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

function wordsFor(prices: PriceTable): ConversationWords {
  const { l10n } = vscode;
  return {
    title: l10n.t('Kimi Chat'),
    version: (question) => l10n.t('Another version, from question {0} on', question),
    question: l10n.t('Question'),
    answer: l10n.t('Answer'),
    attached: l10n.t('Attached:'),
    sources: l10n.t('Sources:'),
    facts: (turn) => factsOf(turn, prices),
    place,
    state: stateText,
    approval: approvalText,
  };
}

function factsOf(turn: Turn, prices: PriceTable): string {
  return [
    modelRow(turn.model)?.label ?? turn.model,
    turn.effort,
    ...(turn.endedAt === undefined ? [] : [seconds(turn.endedAt - turn.startedAt)]),
    ...costTexts(sumOf(turn.requests, prices)),
    ...endText(turn),
  ].join(' · ');
}

/** Nothing where nothing is known. */
function costTexts(sum: BillSum): readonly string[] {
  const { l10n } = vscode;
  if (sum.told === 0) return [];
  const cost = sum.isEstimate ? `≈ ${money(sum.money)}` : money(sum.money);
  return [
    l10n.t('{0} tokens in, {1} out', count(sum.tokens.input), count(sum.tokens.output)),
    sum.unknown > 0 ? l10n.t('at least {0}', cost) : cost,
  ];
}

function seconds(milliseconds: number): string {
  const exact = milliseconds / 1000;
  return vscode.l10n.t('{0} s', count(exact < 10 ? Math.round(exact * 10) / 10 : Math.round(exact)));
}

/** Nothing where all is as it should be. */
function endText({ end }: Turn): readonly string[] {
  switch (end?.kind) {
    case undefined:
      return [vscode.l10n.t('still being answered')];
    case 'completed':
      return [];
    case 'stopped':
      return [vscode.l10n.t('stopped')];
    case 'incomplete':
      return [vscode.l10n.t('ended early')];
    case 'failed':
      return [vscode.l10n.t('failed')];
  }
}

function place({ path, range }: AttachmentSummary): string {
  if (range === undefined) return path;
  return range.from === range.to ? `${path}:${range.from}` : `${path}:${range.from}-${range.to}`;
}

function approvalText({ request, answer }: Approval): string {
  return vscode.l10n.t('{0}: {1}', askedText(request), answerText(answer));
}

function askedText(request: ApprovalRequest): string {
  const { l10n } = vscode;
  switch (request.kind) {
    case 'command':
      return l10n.t('Permission to run the command');
    case 'read':
      return l10n.t('Permission to read');
    case 'foreignTool':
      return l10n.t('Permission to call the tool');
    case 'secrets':
      return l10n.t('Permission to send what looks secret');
  }
}

function answerText(answer: ApprovalAnswer | undefined): string {
  const { l10n } = vscode;
  switch (answer?.kind) {
    case 'allow':
      return l10n.t('allowed');
    case 'mask':
      return l10n.t('masked');
    case 'deny':
      return l10n.t('denied');
    case 'later':
    case 'cancelled':
    case undefined:
      return l10n.t('not answered');
  }
}

function stateText({ state }: ProposedFile): string {
  const { l10n } = vscode;
  switch (state) {
    case 'pending':
    case 'applying':
      return l10n.t('not decided');
    case 'accepted':
      return l10n.t('accepted');
    case 'takenBack':
      return l10n.t('taken back');
    case 'rejected':
      return l10n.t('rejected');
    case 'there':
      return l10n.t('was there already');
    case 'conflict':
      return l10n.t('conflict');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('not proposed any more');
  }
}
