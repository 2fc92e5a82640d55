/** Takes questions from the panel into the conversation: each one once, and none is lost when it can't be asked now. */
import * as vscode from 'vscode';

import type { Forecast } from '../../core/cost/forecast.ts';
import type { Intent } from '../../protocol/toHost.ts';
import type { KeyState } from '../../protocol/toWebview.ts';
import type { ChangedFiles } from '../context/changedFiles.ts';
import type { Attention } from '../edits/review/attention.ts';
import { heldBack, type QuestionGuard, type SecretCheck } from '../secretGuard/questionGuard.ts';
import type { Settings, TurnChoice } from '../settings.ts';
import type { Along } from '../prompts/along.ts';
import { addressProblemText } from './addressText.ts';
import { askedWith } from '../sessions/askedWith.ts';
import type { ChatView } from './chatView.ts';
import type { KeptQuestion } from '../composer/composerStore.ts';
import type { Draft } from '../composer/draft.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { DearCheck } from './priceCheck.ts';
import type { Queue } from './queue.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';

export interface SendParts {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly queue: Queue;
  readonly changes: Pick<ChangedFiles, 'look'>;
  readonly along: Pick<Along, 'withCommand' | 'rulesFor' | 'told' | 'asked'>;
  readonly facts: PanelFacts;
  readonly settings: Settings;
  readonly view: Pick<ChatView, 'post'>;
  readonly attention: Attention;
  readonly isDear: DearCheck;
  readonly secrets: Pick<QuestionGuard, 'check' | 'masked'>;
  readonly sending: Sending;
}

type SendIntent = Extract<Intent, { kind: 'send' }>;

/** What is on its way to be asked, from all panels of a window. */
export class Sending {
  /** Questions whose key is being looked up: who presses Enter again does not ask again. */
  readonly checking = new Set<string>();
  /** Conversations in which something is asked before those that wait: these wait for what comes of it. */
  readonly holding = new Set<ChatSession>();
  #line: Promise<void> = Promise.resolve();

  /** What was sent first is asked first, however long it takes to find what goes along. */
  inLine(act: () => Promise<void>): Promise<void> {
    const done = this.#line.then(act);
    this.#line = done.catch(() => undefined);
    return done;
  }
}

export interface Sender {
  /** From the composer. */
  send(intent: SendIntent): Promise<void>;
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
  /** Something in it looks secret, and the person has not decided about that. */
  | { readonly kind: 'secrets'; readonly check: SecretCheck }
  /** What the person can do about it, in whole sentences. */
  | { readonly kind: 'problem'; readonly text: string };

interface AskOptions {
  readonly agreed?: number | undefined;
  /** Its price was looked at a moment ago, before the answer was stopped that now adds to it. */
  readonly isPriced?: true;
  /** Asked again when what takes its time is done. */
  readonly isWanted?: () => boolean;
  /** What it is asked with; as the settings say by then when absent. */
  readonly chosen?: TurnChoice;
}

/**
 * What counts is the moment of sending: the question goes to the conversation that was shown then, with the chips and the model of
 * then, whatever the person does while the key is looked up.
 */
export function questionSender(parts: SendParts): Sender {
  const { sessions, draft, queue, along, changes, facts, settings, view, attention } = parts;
  const { isDear, secrets } = parts;
  const { checking, holding } = parts.sending;

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

  /** Why nothing can be asked now, whatever the question. */
  const problem = (key: KeyState): Outcome | undefined => {
    const { address } = settings;
    if (!address.ok) {
      return { kind: 'problem', text: addressProblemText(address.error, settings.baseUrl) };
    }
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
    return undefined;
  };

  const tooDear = (
    session: ChatSession,
    question: KeptQuestion,
    { agreed, chosen = settings.choice }: Pick<AskOptions, 'agreed' | 'chosen'>,
  ): Outcome | undefined => {
    const { attachments } = question;
    const choice = askedWith(chosen, attachments);
    const next = isDear({ session, question: { text: question.text.trim(), attachments, choice }, agreed });
    return next && { kind: 'dear', next };
  };

  const ask = async (
    session: ChatSession,
    question: KeptQuestion,
    { agreed, isPriced, isWanted = () => true, chosen = settings.choice }: AskOptions = {},
  ): Promise<Outcome> => {
    const choice = askedWith(chosen, question.attachments);
    const hindrance = problem(await facts.readKey());
    if (hindrance !== undefined) return hindrance;
    const rules = await along.rulesFor(session, question.attachments);
    await changes.look(session, question.attachments);
    if (!isWanted() || !session.takesQuestions) return { kind: 'busy' };
    const checked = secrets.check({ ...question, attachments: [...rules, ...question.attachments] });
    if (checked.kind === 'secrets') return checked;
    const { question: prepared } = checked;
    const dear = isPriced === true ? undefined : tooDear(session, prepared, { agreed, chosen });
    if (dear !== undefined) return dear;
    if (!session.ask(prepared.text.trim(), prepared.attachments, choice)) return { kind: 'busy' };
    along.told(session, rules);
    return { kind: 'asked' };
  };

  /** An answer is stopped only for a question that can then be asked: it goes on while that is looked into. */
  const askInstead = async (
    session: ChatSession,
    question: KeptQuestion,
    options: AskOptions,
  ): Promise<Outcome> => {
    holding.add(session);
    try {
      return await askFirst(session, question, options);
    } finally {
      holding.delete(session);
      queue.goOn(session);
    }
  };

  const askFirst = async (
    session: ChatSession,
    question: KeptQuestion,
    options: AskOptions,
  ): Promise<Outcome> => {
    if (!session.takesQuestions) {
      const hindrance = problem(facts.key);
      if (hindrance !== undefined) return hindrance;
      const rules = await along.rulesFor(session, question.attachments);
      if (options.isWanted?.() === false) return { kind: 'busy' };
      const checked = secrets.check({ ...question, attachments: [...rules, ...question.attachments] });
      if (checked.kind === 'secrets') return checked;
      const dear = tooDear(session, checked.question, options);
      if (dear !== undefined) return dear;
      if (!session.takesQuestions) session.stop();
      await session.whenIdle();
      return ask(session, question, { ...options, isPriced: true });
    }
    return ask(session, question, options);
  };

  /** The next queued one is on its way already, and is asked as soon as it is known what goes along with it. */
  const isNextOnItsWay = (session: ChatSession): boolean =>
    !session.running && queue.next(session) !== undefined;

  const send = async (session: ChatSession, intent: Omit<SendIntent, 'kind'>): Promise<void> => {
    const { id, text: typed } = intent;
    const { choice } = settings;
    const prepared = await along.withCommand({ id, text: typed, attachments: draft.attachments });
    if (prepared.kind === 'problem') view.post({ kind: 'notice', text: prepared.text });
    if (prepared.kind !== 'ready') return;
    await parts.sending.inLine(() =>
      sendPrepared(session, intent, { question: prepared.question, chosen: choice }),
    );
  };

  const sendPrepared = async (
    session: ChatSession,
    { id, text: typed, agreed, interrupt }: Omit<SendIntent, 'kind'>,
    { question, chosen }: { readonly question: KeptQuestion; readonly chosen: TurnChoice },
  ): Promise<void> => {
    // What is going to be queued needs no key yet.
    const interrupts = interrupt === true && !session.takesQuestions;
    const outcome = interrupts
      ? await askInstead(session, question, { agreed, chosen })
      : session.takesQuestions && (interrupt === true || !isNextOnItsWay(session))
        ? await ask(session, question, { agreed, chosen })
        : { kind: 'busy' as const };
    const asked = { kind: 'send', id, text: typed, ...(interrupts && { interrupt }) } as const;
    switch (outcome.kind) {
      case 'dear':
        view.post({ kind: 'confirm', asked, next: outcome.next });
        return;
      case 'secrets':
        view.post(heldBack(asked, outcome.check));
        return;
      case 'problem':
        view.post({ kind: 'notice', text: outcome.text });
        return;
      case 'busy': {
        // It was deleted in the very moment, or another window has it.
        if (session.isClosed || session.elsewhere) {
          view.post({
            kind: 'notice',
            text: vscode.l10n.t(
              'Nothing can be asked in this conversation any more. What you typed is kept.',
            ),
          });
          return;
        }
        // It is sent when nobody may be looking.
        const checked = secrets.check(question);
        if (checked.kind === 'secrets') {
          view.post(heldBack(asked, checked.check));
          return;
        }
        // What is asked by now began in the very moment, and is not what was to be interrupted.
        queue.add(session, checked.question, interrupt === true ? 'first' : 'last');
        break;
      }
      case 'asked':
        // Those that waited for the end of what was stopped follow it.
        if (interrupts) queue.resume(session);
        attention.asked();
    }
    draft.asked(question, secrets.masked(typed));
    along.asked();
    view.post({ kind: 'questionTaken', id, text: typed });
  };

  const sendQueued = async (session: ChatSession, id: string, agreed?: number): Promise<void> => {
    const question = queue.find(session, id);
    if (question === undefined) return;
    const isWanted = (): boolean => queue.waits(session, question);
    const outcome = await askInstead(session, question, { agreed, isWanted });
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
        if (queue.next(session)?.id === id && !session.running) queue.pause(session, outcome);
        view.post({ kind: 'confirm', asked: { kind: 'sendQueued', question: id }, next: outcome.next });
        return;
      case 'secrets':
        if (queue.next(session)?.id === id && !session.running) queue.pause(session, { kind: 'secrets' });
        view.post(heldBack({ kind: 'sendQueued', question: id }, outcome.check));
        return;
      case 'problem':
        queue.pause(session, outcome);
    }
  };

  const sendNext = async (session: ChatSession): Promise<void> => {
    const question = queue.next(session);
    if (question === undefined || holding.has(session)) return;
    await once(question.id, async () => {
      // It may be taken out or changed while the key is looked up.
      const isWanted = (): boolean => queue.waits(session, question);
      const outcome = await ask(session, question, { isWanted }).catch((error: unknown) => {
        // Nobody would ask those that wait, and what is sent from here on would wait behind them.
        queue.pause(session, { kind: 'failed' });
        throw error;
      });
      if (outcome.kind === 'asked') queue.take(session, question.id);
      else if (outcome.kind === 'secrets') queue.pause(session, { kind: 'secrets' });
      else if (outcome.kind !== 'busy') queue.pause(session, outcome);
    });
  };

  return {
    send: async (intent) => {
      const { id, text: typed, conversation } = intent;
      if (typed.trim() === '' || checking.has(id)) return;
      if (id === draft.lastAsked) {
        view.post({ kind: 'questionTaken', id, text: typed });
        return;
      }
      draft.text = typed;
      // Another one may have been shown in the very moment.
      const session = conversation === undefined ? undefined : sessions.find(conversation);
      await once(id, () => send(session ?? sessions.current, intent));
    },
    sendQueued: (id, agreed) => once(id, () => sendQueued(sessions.current, id, agreed)),
    sendNext,
  };
}
