/** Takes questions from the panel into the conversation: each one once, and none is lost when it can't be asked now. */
import * as vscode from 'vscode';

import type { Attention } from '../edits/attention.ts';
import type { Settings } from '../settings.ts';
import { addressProblemText } from './addressText.ts';
import type { ChatView } from './chatView.ts';
import type { Draft } from './draft.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { PriceCheck } from './priceCheck.ts';
import type { Sessions } from './sessions.ts';

export interface SendParts {
  readonly sessions: Sessions;
  readonly draft: Draft;
  readonly facts: PanelFacts;
  readonly settings: Settings;
  readonly view: Pick<ChatView, 'post'>;
  readonly attention: Attention;
  readonly isHeldBack: PriceCheck;
}

/** `agreed`: what the person was willing to pay for this question when they were asked. US dollars. */
export type Send = (id: string, typed: string, agreed?: number) => Promise<void>;

/**
 * What counts is the moment of sending: the question goes to the conversation that was shown then, with the chips and the model of
 * then, whatever the person does while the key is looked up.
 */
export function questionSender(parts: SendParts): Send {
  const { sessions, draft, facts, settings, view } = parts;
  /** Questions whose key is being looked up: who presses Enter again does not ask again. */
  const checking = new Set<string>();

  const ask = async (id: string, typed: string, agreed?: number): Promise<string | undefined> => {
    const session = sessions.current;
    const { attachments } = draft;
    const { address, choice } = settings;
    if (!address.ok) return addressProblemText(address.error, settings.baseUrl);
    const key = await facts.readKey();
    if (key === 'missing') return vscode.l10n.t('Set an API key first. What you typed is kept.');
    if (key === 'unreadable') {
      return vscode.l10n.t(
        'The API key could not be read from this system’s secret store. Unlock the store and send again. What you typed is kept.',
      );
    }
    const text = typed.trim();
    const asked = { kind: 'send', id, text: typed } as const;
    if (parts.isHeldBack({ asked, session, question: { text, attachments }, agreed })) return undefined;
    if (!session.ask(text, attachments, choice)) {
      return vscode.l10n.t(
        'An answer is still coming. Stop it, or wait for its end. What you typed is kept.',
      );
    }
    parts.attention.asked();
    draft.asked({ id, text: typed, attachments });
    view.post({ kind: 'questionTaken', id, text: typed });
    return undefined;
  };

  return async (id, typed, agreed) => {
    if (typed.trim() === '' || checking.has(id)) return;
    if (id === draft.lastAsked) {
      view.post({ kind: 'questionTaken', id, text: typed });
      return;
    }
    draft.text = typed;
    checking.add(id);
    try {
      const problem = await ask(id, typed, agreed);
      if (problem !== undefined) view.post({ kind: 'notice', text: problem });
    } finally {
      checking.delete(id);
    }
  };
}
