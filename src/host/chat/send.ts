/** Takes questions from the panel into the conversation: each one once, and none is lost when it can't be asked now. */
import * as vscode from 'vscode';

import type { Forecast } from '../../core/cost/forecast.ts';
import type { Attention } from '../edits/attention.ts';
import type { Settings } from '../settings.ts';
import { addressProblemText } from './addressText.ts';
import type { ChatView } from './chatView.ts';
import type { KeptQuestion } from './composerStore.ts';
import type { Draft } from './draft.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { DearCheck } from './priceCheck.ts';
import type { Queue } from './queue.ts';
import type { ChatSession } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface SendParts {
  readonly sessions: Sessions;
  readonly draft: Draft;
  readonly queue: Queue;
  readonly facts: PanelFacts;
  readonly settings: Settings;
  readonly view: Pick<ChatView, 'post'>;
  readonly attention: Attention;
  readonly isDear: DearCheck;
}

export interface Sender {
  /**
   * From the composer. `agreed`: what the person was willing to pay for this question when they were asked, in US dollars.
   */
  send(id: string, typed: string, agreed?: number): Promise<void>;
  /** A queued one of the shown conversation, now. What is being answered is stopped for it. */
  sendQueued(id: string, agreed?: number): Promise<void>;
  /** The next queued one of a conversation, by itself. */
  sendNext(session: ChatSession): Promise<void>;
}

type Outcome =
  | { readonly kind: 'asked' }
  /** Something is being answered. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'dear'; readonly next: Forecast }
  /** What the person can do about it, in whole sentences. */
  | { readonly kind: 'problem'; readonly text: string };

/**
 * What counts is the moment of sending: the question goes to the conversation that was shown then, with the chips and the model of
 * then, whatever the person does while the key is looked up.
 */
export function questionSender(parts: SendParts): Sender {
  const { sessions, draft, queue, facts, settings, view, isDear, attention } = parts;
  /** Questions whose key is being looked up: who presses Enter again does not ask again. */
  const checking = new Set<string>();

  /** Once at a time for each question. */
  const once = async (id: string, act: () => Promise<void>): Promise<void> => {
    if (checking.has(id)) return;
    checking.add(id);
    try {
      await act();
    } finally {
      checking.delete(id);
    }
  };

  const ask = async (
    session: ChatSession,
    question: KeptQuestion,
    { agreed, isWanted = () => true }: { agreed?: number | undefined; isWanted?: () => boolean } = {},
  ): Promise<Outcome> => {
    const { attachments } = question;
    const { address, choice } = settings;
    if (!address.ok) {
      return { kind: 'problem', text: addressProblemText(address.error, settings.baseUrl) };
    }
    const key = await facts.readKey();
    if (key === 'missing') {
      return { kind: 'problem', text: vscode.l10n.t('Set an API key first. What you typed is kept.') };
    }
    if (key === 'unreadable') {
      return {
        kind: 'problem',
        text: vscode.l10n.t(
          'The API key could not be read from this system’s secret store. Unlock the store and send again. What you typed is kept.',
        ),
      };
    }
    if (!isWanted() || !session.takesQuestions) return { kind: 'busy' };
    const text = question.text.trim();
    const next = isDear({ session, question: { text, attachments }, agreed });
    if (next !== undefined) return { kind: 'dear', next };
    return session.ask(text, attachments, choice) ? { kind: 'asked' } : { kind: 'busy' };
  };

  const send = async (id: string, typed: string, agreed?: number): Promise<void> => {
    const session = sessions.current;
    const question = { id, text: typed, attachments: draft.attachments };
    // What is going to be queued needs no key yet.
    const outcome = session.takesQuestions
      ? await ask(session, question, { agreed })
      : { kind: 'busy' as const };
    switch (outcome.kind) {
      case 'dear':
        view.post({ kind: 'confirm', asked: { kind: 'send', id, text: typed }, next: outcome.next });
        return;
      case 'problem':
        view.post({ kind: 'notice', text: outcome.text });
        return;
      case 'busy':
        queue.add(session, question);
        break;
      case 'asked':
        attention.asked();
    }
    draft.asked(question);
    view.post({ kind: 'questionTaken', id, text: typed });
  };

  const sendQueued = async (session: ChatSession, id: string, agreed?: number): Promise<void> => {
    if (!session.takesQuestions) {
      session.stop();
      await session.whenIdle();
    }
    const question = queue.find(session, id);
    if (question === undefined) return;
    const isWanted = (): boolean => queue.waits(session, question);
    const outcome = await ask(session, question, { agreed, isWanted });
    switch (outcome.kind) {
      case 'asked':
        queue.take(session, id);
        // The others follow it.
        queue.resume(session);
        attention.asked();
        return;
      case 'busy':
        return;
      case 'dear':
        view.post({ kind: 'confirm', asked: { kind: 'sendQueued', question: id }, next: outcome.next });
        return;
      case 'problem':
        queue.pause(session, outcome);
    }
  };

  const sendNext = async (session: ChatSession): Promise<void> => {
    const question = queue.next(session);
    if (question === undefined) return;
    await once(question.id, async () => {
      // It may be taken out or changed while the key is looked up.
      const outcome = await ask(session, question, { isWanted: () => queue.waits(session, question) });
      if (outcome.kind === 'asked') queue.take(session, question.id);
      else if (outcome.kind !== 'busy') queue.pause(session, outcome);
    });
  };

  return {
    send: async (id, typed, agreed) => {
      if (typed.trim() === '' || checking.has(id)) return;
      if (id === draft.lastAsked) {
        view.post({ kind: 'questionTaken', id, text: typed });
        return;
      }
      draft.text = typed;
      await once(id, () => send(id, typed, agreed));
    },
    sendQueued: (id, agreed) => once(id, () => sendQueued(sessions.current, id, agreed)),
    sendNext,
  };
}
