/**
 * The command that deletes all conversations for good: says what will be deleted, has that confirmed, and says what was. Decides about nobody's
 * files: what is being answered, and what has a patch that waits, stays.
 */
import { dirname, join } from 'node:path';

import * as vscode from 'vscode';

import { familiesOf } from '../../core/conversation/families.ts';
import { haveOpenPatch } from '../../core/conversation/waiting.ts';
import { withOtherStore } from '../journal/otherStore.ts';
import type { Log } from '../log.ts';
import { OwnStorage } from '../ownStorage.ts';
import { composerFolder, ComposerStore } from '../composer/composerStore.ts';
import type { HistoryFolders } from './historyFolders.ts';
import type { KeptSessions } from '../sessions/keptSessions.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface DeletingParts {
  readonly sessions: Pick<Sessions, 'all'>;
  readonly kept: Pick<KeptSessions, 'store' | 'close'>;
  /** In which the conversations of this workspace are. */
  readonly folder: string;
  readonly folders?: Pick<HistoryFolders, 'others'>;
  /** Forgets the questions that can be recalled in this window. */
  readonly forgetAsked: () => void;
  readonly clock: () => number;
  readonly log: Log;
}

/** How it is asked and told. Only tests give others. */
export interface DeletingDialog {
  /** Resolves with the button that was chosen. */
  ask(message: string, detail: string, ...buttons: readonly string[]): Thenable<string | undefined>;
  tell(message: string): void;
  /** Opens the list of conversations. */
  show(): void;
}

interface Amount {
  readonly conversations: number;
  /** Bytes. */
  readonly size: number;
}

export async function deleteEverything(parts: DeletingParts, dialog: DeletingDialog = shown): Promise<void> {
  const { kept, folder, folders, clock, log } = parts;
  const own = amountOf(await kept.store.list());
  const others: { readonly folder: string; readonly amount: Amount }[] = [];
  for (const other of (await folders?.others(folder)) ?? []) {
    const { amount, isEmpty } = await withOtherStore(other.folder, clock, async (store) => ({
      amount: amountOf(await store.list()),
      isEmpty: await store.isEmpty(),
    }));
    if (!isEmpty) others.push({ folder: other.folder, amount });
  }
  // VS Code puts the cursor on the first one: Enter, pressed twice for the command itself, is not to delete anything.
  const show = vscode.l10n.t('Show Them');
  const here = vscode.l10n.t('Delete Those of This Workspace');
  const everywhere = vscode.l10n.t('Delete Those of All Workspaces');
  const chosen = await dialog.ask(
    vscode.l10n.t('Delete all conversations for good?'),
    detailOf(
      own,
      others.map(({ amount }) => amount),
    ),
    show,
    here,
    ...(others.length > 0 ? [everywhere] : []),
  );
  if (chosen === show) dialog.show();
  if (chosen !== here && chosen !== everywhere) return;
  await closeIdle(parts);
  const done = [await kept.store.deleteAll()];
  parts.forgetAsked();
  if (chosen === everywhere)
    for (const other of others) {
      done.push(await withOtherStore(other.folder, clock, (store) => store.deleteAll()));
      // A window that is open there goes on having them.
      const composer = new OwnStorage(join(dirname(other.folder), composerFolder), log);
      await new ComposerStore(composer).forgetAsked();
    }
  dialog.tell(
    resultOf(
      sumOf(done),
      done.reduce((sum, { left }) => sum + left.length, 0),
    ),
  );
}

const shown: DeletingDialog = {
  ask: (message, detail, ...buttons) =>
    vscode.window.showWarningMessage(message, { modal: true, detail }, ...buttons),
  tell: (message) => void vscode.window.showInformationMessage(message),
  show: () => void vscode.commands.executeCommand('kimiChat.showConversations'),
};

/** Whole families: their versions are shown with one another. */
async function closeIdle({ sessions, kept, log }: DeletingParts): Promise<void> {
  for (const family of familiesOf(sessions.all)) {
    const had = family.filter(({ conversation }) => conversation.turns.length > 0);
    if (had.length === 0 || !had.every(isIdle)) continue;
    try {
      await kept.close(had, isIdle);
    } catch (error) {
      log.bug('closing', error);
    }
  }
}

function isIdle({ running, conversation }: ChatSession): boolean {
  return !running && !haveOpenPatch(conversation.turns);
}

function amountOf(list: readonly { readonly size: number }[]): Amount {
  return { conversations: list.length, size: list.reduce((sum, { size }) => sum + size, 0) };
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(
    (sum, { conversations, size }) => ({
      conversations: sum.conversations + conversations,
      size: sum.size + size,
    }),
    { conversations: 0, size: 0 },
  );
}

function detailOf(own: Amount, others: readonly Amount[]): string {
  const lines = [
    vscode.l10n.t('This workspace: {0}', amountText(own)),
    ...(others.length === 0 ? [] : [vscode.l10n.t('Other workspaces: {0}', amountText(sumOf(others)))]),
    '',
    vscode.l10n.t(
      'With them goes what you deleted before and could have back, and the questions that can be recalled. This can’t be undone.',
    ),
    vscode.l10n.t(
      'What is being answered, what has a patch that waits, and what another window has open stays. Your files and what you paid so far stay as they are.',
    ),
  ];
  return lines.join('\n');
}

function amountText({ conversations, size }: Amount): string {
  return conversations === 1
    ? vscode.l10n.t('1 conversation ({0} MB)', megabytes(size))
    : vscode.l10n.t(
        '{0} conversations ({1} MB)',
        conversations.toLocaleString(vscode.env.language),
        megabytes(size),
      );
}

function megabytes(size: number): string {
  return (size / 1_000_000).toLocaleString(vscode.env.language, { maximumSignificantDigits: 2 });
}

function resultOf(deleted: Amount, left: number): string {
  const done = vscode.l10n.t('Deleted: {0}.', amountText(deleted));
  if (left === 0) return done;
  const stays =
    left === 1
      ? vscode.l10n.t(
          '1 conversation stays: it is being answered, has a patch that waits, or is open in another window.',
        )
      : vscode.l10n.t(
          '{0} conversations stay: they are being answered, have a patch that waits, or are open in another window.',
          left.toLocaleString(vscode.env.language),
        );
  return `${done} ${stays}`;
}
