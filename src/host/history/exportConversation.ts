/** Writes a conversation to a file where the person says: as Markdown to be read, or as JSON that can be read in again. */
import * as vscode from 'vscode';

import type { Turn } from '../../core/conversation/conversation.ts';
import { relativesOf } from '../../core/conversation/families.ts';
import { paidFor, sumOf } from '../../core/cost/bill.ts';
import type { PriceTable } from '../../core/cost/prices.ts';
import { exportText, type ExportedCost } from '../../core/journal/exportFile.ts';
import type { JournalState } from '../../core/journal/state.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import { askWhereToSave, saveExport, tellSaved, unsavedText } from '../saveExport.ts';
import type { Settings } from '../settings.ts';
import { shortTitle } from '../sessions/conversationTitle.ts';
import { markdownOfAll } from '../chat/copyConversation.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

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
    const states = await statesOf(id, parts);
    const [shown] = states;
    if (shown === undefined || shown.conversation.turns.every(({ removed }) => removed === true)) {
      questions.tell(vscode.l10n.t('There is nothing to export yet.'));
      return undefined;
    }
    const form = await questions.form();
    const uri = form && (await questions.where(form, fileName(titleOf(shown))));
    if (form === undefined || uri === undefined) return undefined;
    const text = form === 'json' ? jsonOf(states, parts) : markdownOf(states, parts);
    await saveExport(uri, text, { mark: false });
    void tellSaved(uri, (name) => vscode.l10n.t('The conversation was written to {0}.', name));
    return uri;
  } catch (error) {
    parts.log.warn('A conversation could not be exported', error);
    questions.tell(
      error instanceof RangeError
        ? vscode.l10n.t('The conversation is too long for one file.')
        : unsavedText(),
    );
    return undefined;
  }
}

function jsonOf(
  states: readonly JournalState[],
  { settings, withoutKeys, clock }: ExportConversationParts,
): string {
  const { prices } = settings;
  return exportText({ states, at: clock(), costOf: (turn) => costOf(turn, prices), clean: withoutKeys });
}

function markdownOf(
  states: readonly JournalState[],
  { settings, withoutKeys }: ExportConversationParts,
): string {
  const [first] = states;
  const title = first === undefined ? '' : titleOf(first);
  const conversations = states.map(({ conversation }) => conversation);
  return withoutKeys(markdownOfAll(conversations, { title, prices: settings.prices }).toWellFormed());
}

function costOf(turn: Turn, prices: PriceTable): Omit<ExportedCost, 'turn'> {
  const { money, isEstimate, unknown } = sumOf(paidFor(turn), prices);
  return { usd: Math.round(money * 1e9) / 1e9, isEstimate, unknown };
}

function titleOf({ title, conversation }: JournalState): string {
  const first = conversation.turns.find(({ removed }) => removed !== true);
  return shortTitle(title?.text ?? first?.question.text ?? '') || vscode.l10n.t('Kimi Chat');
}

/** The one of this id first, then the other versions of its turns. None when it can't be read. */
async function statesOf(id: string, parts: ExportConversationParts): Promise<readonly JournalState[]> {
  const { sessions, store } = parts;
  const listed = (await store?.list()) ?? [];
  const open = sessions.all.map(({ conversation, parent }) => ({ id: conversation.id, parent }));
  const known = [...listed.filter((one) => open.every(({ id: other }) => other !== one.id)), ...open];
  const states: JournalState[] = [];
  for (const one of [id, ...relativesOf(id, known)]) {
    const state = (await store?.load(one))?.state ?? stateOf(sessions.find(one));
    if (state !== undefined && (one === id || state.conversation.turns.length > 0)) states.push(state);
    // Without the one that is wanted there is nothing to write.
    else if (one === id) return [];
  }
  return states;
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
