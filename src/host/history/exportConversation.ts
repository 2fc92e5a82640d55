/** Writes a conversation to a file where the person says: as Markdown to be read, or as JSON that can be read in again. */
import * as vscode from 'vscode';

import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import { relativesOf } from '../../core/conversation/families.ts';
import { paidFor, sumOf } from '../../core/cost/bill.ts';
import type { PriceTable } from '../../core/cost/prices.ts';
import { ExportWriter, type ExportedCost } from '../../core/journal/exportFile.ts';
import type { JournalState } from '../../core/journal/state.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import { askWhereToSave, saveExport, tellSaved, unsavedText } from '../saveExport.ts';
import type { Settings } from '../settings.ts';
import { shortTitle } from '../sessions/conversationTitle.ts';
import { markdownOfAll } from '../chat/copyConversation.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { unreadableText } from './openConversation.ts';
import { whileWorking } from './whileWorking.ts';

export type ExportForm = 'markdown' | 'json';

export interface ExportConversationParts {
  readonly sessions: Pick<Sessions, 'all' | 'find'>;
  /** Absent where nothing is kept: then there is what this window has. */
  readonly store?: Pick<JournalStore, 'list' | 'load'>;
  readonly settings: Pick<Settings, 'prices'>;
  /** Takes every key out of a text. */
  readonly withoutKeys: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Log;
}

/** What a person is asked, each undefined when they think better of it, and told. Only tests give another. */
export interface ExportQuestions {
  tell(message: string): void;
  form(): Thenable<ExportForm | undefined>;
  where(form: ExportForm, name: string): Thenable<vscode.Uri | undefined>;
}

/** Never rejects: what hinders it is told. Resolves with the file that was written. */
export async function exportConversation(
  id: string,
  parts: ExportConversationParts,
  questions: ExportQuestions = asking,
): Promise<vscode.Uri | undefined> {
  try {
    const wanted = await wantedOf(id, parts);
    if (wanted === undefined) {
      questions.tell(vscode.l10n.t('There is nothing to export yet.'));
      return undefined;
    }
    const form = await questions.form();
    const uri = form && (await questions.where(form, fileName(wanted.title)));
    if (form === undefined || uri === undefined) return undefined;
    const title = vscode.l10n.t('Exporting the conversation');
    const isSaved = await whileWorking({ title, size: wanted.size }, async (isCancelled) => {
      const states = statesOf(wanted.ids, parts);
      const pieces =
        form === 'json' ? jsonPieces(states, wanted, parts) : markdownPieces(states, wanted, parts);
      return await saveExport(uri, pieces, { mark: false, isCancelled });
    });
    if (!isSaved) return undefined;
    void tellSaved(uri, (name) => vscode.l10n.t('The conversation was written to {0}.', name));
    return uri;
  } catch (error) {
    parts.log.warn('A conversation could not be exported', error);
    questions.tell(error instanceof Unreadable ? unreadableText() : unsavedText());
    return undefined;
  }
}

/** What is to be written. */
interface Wanted {
  readonly title: string;
  /** The one that it is about first, then the other versions of its turns. */
  readonly ids: readonly [string, ...string[]];
  /** Bytes that they have on the disk. */
  readonly size: number;
}

/** The conversation that it is about can't be read: there is nothing to write. */
class Unreadable extends Error {}

async function* jsonPieces(
  states: AsyncIterable<JournalState>,
  { ids: [shown] }: Wanted,
  { settings, withoutKeys, clock }: ExportConversationParts,
): AsyncGenerator<string, void> {
  const { prices } = settings;
  const writer = new ExportWriter({
    ...{ shown, at: clock(), clean: withoutKeys },
    costOf: (turn) => costOf(turn, prices),
  });
  for await (const state of states) yield* writer.pieces(state);
  yield writer.end;
}

async function* markdownPieces(
  states: AsyncIterable<JournalState>,
  { title }: Wanted,
  { settings, withoutKeys }: ExportConversationParts,
): AsyncGenerator<string, void> {
  const conversations: Conversation[] = [];
  // What all of them cost stands above them.
  for await (const { conversation } of states) conversations.push(conversation);
  for (const piece of markdownOfAll(conversations, { title, prices: settings.prices }))
    yield withoutKeys(piece.toWellFormed());
}

function costOf(turn: Turn, prices: PriceTable): Omit<ExportedCost, 'turn'> {
  const { money, isEstimate, unknown } = sumOf(paidFor(turn), prices);
  return { usd: Math.round(money * 1e9) / 1e9, isEstimate, unknown };
}

/** Undefined when nothing was asked in it that was not deleted, and when there is no such conversation. */
async function wantedOf(
  id: string,
  { sessions, store }: ExportConversationParts,
): Promise<Wanted | undefined> {
  const listed = (await store?.list()) ?? [];
  const open = sessions.all.map(({ conversation, parent }) => ({ id: conversation.id, parent }));
  const known = [...listed.filter((one) => open.every(({ id: other }) => other !== one.id)), ...open];
  const ids = [id, ...relativesOf(id, known)] as const;
  const facts = listed.find((one) => one.id === id);
  const turns = sessions.find(id)?.conversation.turns.filter(({ removed }) => removed !== true);
  if ((turns?.length ?? facts?.turns ?? 0) === 0) return undefined;
  const name = facts?.title?.text ?? turns?.[0]?.question.text ?? facts?.question ?? '';
  return {
    title: shortTitle(name) || vscode.l10n.t('Kimi Chat'),
    ids,
    size: listed.reduce((sum, one) => sum + (ids.includes(one.id) ? one.size : 0), 0),
  };
}

/** One after the other, so that they need not all be in memory. Throws when the first one can't be read. */
async function* statesOf(
  ids: Wanted['ids'],
  { sessions, store }: ExportConversationParts,
): AsyncGenerator<JournalState, void> {
  for (const [index, id] of ids.entries()) {
    const state = (await store?.load(id))?.state ?? stateOf(sessions.find(id));
    if (index === 0 && state === undefined) throw new Unreadable();
    if (state !== undefined && (index === 0 || state.conversation.turns.length > 0)) yield state;
  }
}

/** Of one that is not kept, as far as it is known. */
function stateOf(session: ChatSession | undefined): JournalState | undefined {
  if (session === undefined) return undefined;
  const { conversation, history, requests, parent, begunWith } = session;
  return {
    ...{ conversation, history, requests, begunWith, removed: [], reports: [] },
    ...(parent !== undefined && { parent }),
    createdAt: conversation.turns[0]?.startedAt ?? 0,
  };
}

const longestName = 60;

/** What every system takes as the name of a file. */
function fileName(title: string): string {
  const plain = title.replaceAll(/[\p{C}\\/:*?"<>|]+/gu, ' ').replaceAll(/\s+/g, ' ');
  const short = [...plain]
    .slice(0, longestName)
    .join('')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  return short === '' ? 'kimi-chat' : short;
}

const asking: ExportQuestions = {
  tell: (message) => void vscode.window.showWarningMessage(message),
  async form() {
    const { l10n } = vscode;
    const forms: readonly (vscode.QuickPickItem & { readonly form: ExportForm })[] = [
      {
        form: 'markdown',
        label: l10n.t('Markdown file'),
        detail: l10n.t('To be read: questions, answers, patches, other versions, times and costs.'),
      },
      {
        form: 'json',
        label: l10n.t('JSON file'),
        detail: l10n.t('Whole, with everything that the model was told: it can be imported again.'),
      },
    ];
    const picked = await vscode.window.showQuickPick(forms, { title: l10n.t('Export the conversation as') });
    return picked?.form;
  },
  where(form, name) {
    return askWhereToSave({
      title: vscode.l10n.t('Export the conversation'),
      name: `${name}.${form === 'json' ? 'json' : 'md'}`,
      filters: form === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
    });
  },
};
