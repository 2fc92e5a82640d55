/** What each intent of the panel does: one table, so that a new intent without a handler does not compile. */
import * as vscode from 'vscode';

import { modelRow } from '../../core/conversation/conversation.ts';
import type { Intent } from '../../protocol/toHost.ts';
import type { Review } from '../edits/registerReview.ts';
import type { Settings } from '../settings.ts';
import { addressProblemText } from './addressText.ts';
import type { ChatView } from './chatView.ts';
import type { Draft } from './draft.ts';
import { openAttachment } from './attachments.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { Sessions } from './sessions.ts';

export interface IntentParts {
  readonly sessions: Sessions;
  readonly draft: Draft;
  readonly facts: PanelFacts;
  readonly settings: Settings;
  readonly view: ChatView;
  readonly review: Review;
}

type Handlers = {
  readonly [K in Intent['kind']]: (intent: Extract<Intent, { kind: K }>) => void | PromiseLike<unknown>;
};

/** Runs one intent. Rejects only for a defect; what a person can mend is told in the panel. */
export function intentHandler(parts: IntentParts): (intent: Intent) => Promise<void> {
  const { sessions, draft, settings, view } = parts;
  const { board } = parts.review;
  const handlers: Handlers = {
    send: ({ text }) => send(parts, text),
    stop: () => sessions.current.stop(),
    newChat: () => sessions.startNew(),
    resume: ({ turn }) => {
      sessions.current.resume(turn, settings.choice);
    },
    draftChanged: ({ text }) => {
      draft.text = text;
    },
    setModel: ({ model }) => {
      const row = modelRow(model);
      return row && settings.setModel(row.id);
    },
    setEffort: ({ effort }) => {
      const known = settings.model.efforts.find((one) => one === effort);
      return known && settings.setEffort(known);
    },
    setKey: () => vscode.commands.executeCommand('kimiChat.setApiKey'),
    openSettings: ({ setting }) =>
      vscode.commands.executeCommand('workbench.action.openSettings', `kimiChat.${setting ?? ''}`),
    openLog: () => vscode.commands.executeCommand('kimiChat.showLog'),
    attachActive: () => vscode.commands.executeCommand('kimiChat.attachActive'),
    removeAttachment: ({ attachment }) => draft.remove(attachment),
    openAttachment: async ({ attachment, turn }) => {
      const known = findAttachment(parts, attachment, turn);
      if (known === undefined) return;
      try {
        await openAttachment(known);
      } catch {
        view.post({
          kind: 'notice',
          text: vscode.l10n.t('{0} can’t be opened: it is no longer there.', known.path),
        });
      }
    },
    review: ({ proposal, file }) => board.review(proposal, file),
    accept: ({ proposal, file }) => board.accept(proposal, file),
    reject: ({ proposal, file, reason }) => board.reject(proposal, file, reason),
    openLink: ({ href }) => openLink(href),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }) => insertAtCursor(parts, text),
  };
  return async (intent) => {
    // The table pairs each kind with a handler of its own type; the compiler can't follow the pairing through the look-up.
    const handle = handlers[intent.kind] as (intent: Intent) => void | PromiseLike<unknown>;
    await handle(intent);
  };
}

async function send(
  { sessions, draft, facts, settings, view, review }: IntentParts,
  typed: string,
): Promise<void> {
  const text = typed.trim();
  const notice = (sentence: string): void => view.post({ kind: 'notice', text: sentence });
  draft.text = typed;
  if (text === '') return;
  const address = settings.address;
  if (!address.ok) return notice(addressProblemText(address.error, settings.baseUrl));
  if ((await facts.readKey()) === 'missing') {
    return notice(vscode.l10n.t('Set an API key first. What you typed is kept.'));
  }
  if (!sessions.current.ask(text, draft.attachments, settings.choice)) {
    return notice(
      vscode.l10n.t('An answer is still coming. Stop it, or wait for its end. What you typed is kept.'),
    );
  }
  review.attention.asked();
  draft.clear();
  view.post({ kind: 'questionTaken', text: typed });
}

function findAttachment(
  { sessions, draft }: IntentParts,
  id: string,
  turnId: string | undefined,
): { uri: string; path: string; range?: { from: number; to: number } } | undefined {
  const turn = sessions.current.conversation.turns.find((one) => one.id === turnId);
  return [...(turn?.question.attachments ?? []), ...draft.attachments].find((one) => one.id === id);
}

/** Only what a person would type into a browser; the editor asks before it leaves for an unknown host. */
async function openLink(href: string): Promise<void> {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return;
  await vscode.env.openExternal(vscode.Uri.parse(href, true));
}

async function insertAtCursor({ view }: IntentParts, text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const done = await editor?.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (done === undefined) {
    view.post({
      kind: 'notice',
      text: vscode.l10n.t('Open a file and put the cursor where the code is to go.'),
    });
  } else if (!done) {
    view.post({ kind: 'notice', text: vscode.l10n.t('The file could not be changed. Is it read-only?') });
  }
}
