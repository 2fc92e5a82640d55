/** Goes back to a turn and on from there: another text, another model, a conversation of its own. What was there before stays as it is. */
import * as vscode from 'vscode';

import type { AskedQuestion, Edit } from '../../core/conversation/branch.ts';
import { attachedContent } from '../../core/conversation/userMessage.ts';
import type { DearIntent, Intent } from '../../protocol/toHost.ts';
import type { Asked, ChangedFiles } from '../context/changedFiles.ts';
import type { DraftQuestion, ForecastSession, SpendingGate } from '../cost/spendingGate.ts';
import type { Attention } from '../edits/review/attention.ts';
import { heldBack, type QuestionGuard } from '../secretGuard/questionGuard.ts';
import type { Settings, TurnChoice } from '../settings.ts';
import type { Along } from '../prompts/along.ts';
import { addressProblemText } from './addressText.ts';
import { askedWith } from '../sessions/askedWith.ts';
import type { ChatView } from './chatView.ts';
import { keyProblemText } from './keyProblemText.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { PriceCheck } from './priceCheck.ts';
import { readChoice } from '../composer/readChoice.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { SessionSeed } from '../sessions/sessionSeed.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';

export interface BranchParts {
  readonly sessions: PanelSessions;
  readonly settings: Settings;
  readonly facts: Pick<PanelFacts, 'readKey'>;
  readonly view: Pick<ChatView, 'post'>;
  readonly attention: Pick<Attention, 'asked'>;
  readonly gate: Pick<SpendingGate, 'forecastOf'>;
  readonly isHeldBack: PriceCheck;
  readonly secrets: Pick<QuestionGuard, 'checkAnew'>;
  readonly changes: Pick<ChangedFiles, 'look'>;
  readonly along: Pick<Along, 'edited' | 'branched'>;
}

type Intended<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

/** A question that is ready to be asked in a branch. */
interface Step {
  readonly asked: Extract<DearIntent, { kind: 'edit' | 'answerAgain' }>;
  readonly edit: Edit | undefined;
  readonly choice: TurnChoice;
  readonly agreed: number | undefined;
}

interface Weighable {
  readonly session: ForecastSession;
  readonly question: DraftQuestion;
}

type Outcome =
  | { readonly kind: 'done' }
  /** The person was asked whether they are willing to pay for it. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'hindered'; readonly why: string };

function hindered(why: string): Outcome {
  return { kind: 'hindered', why };
}

/** What was done already is not done again: as many as a person can have said twice. */
const mostDone = 20;

export class Branches {
  readonly #parts: BranchParts;
  /** Ids of what is being done and was done last. */
  #done: readonly string[] = [];
  /** Of the edit of each turn, the one that is weighed last: only that is told of, for the person types on. */
  readonly #weighing = new Map<string, Edit>();

  constructor(parts: BranchParts) {
    this.#parts = parts;
  }

  async edit({ id, turn, text: typed, attachments, agreed }: Intended<'edit'>): Promise<void> {
    const text = typed.trim();
    if (text === '') return;
    const edit = { text, attachments: new Set(attachments) };
    const asked = { kind: 'edit', id, turn, text: typed, attachments } as const;
    await this.#once(id, () => this.#ask({ asked, edit, choice: this.#parts.settings.choice, agreed }));
  }

  async answerAgain({ id, turn, model, effort, agreed }: Intended<'answerAgain'>): Promise<void> {
    const choice = readChoice(model, effort);
    if (choice === undefined) return;
    const asked = { kind: 'answerAgain', id, turn, model, effort } as const;
    await this.#once(id, () =>
      this.#ask({ asked, edit: undefined, choice: { ...this.#parts.settings.choice, ...choice }, agreed }),
    );
  }

  /** An edit is weighed with all that would go along with it if it were sent now. */
  async weigh({ turn, model, effort, edit }: Intended<'weigh'>): Promise<void> {
    const { sessions, settings, gate, view, along } = this.#parts;
    const choice = readChoice(model, effort);
    if (choice === undefined) return;
    const { current } = sessions;
    const changed = edit && { text: edit.text.trim(), attachments: new Set(edit.attachments) };
    const seed = current.seed(turn, 'version');
    const before = current.asked(turn);
    let question = current.asked(turn, changed);
    if (seed === undefined || before === undefined || question === undefined) return;
    let asks: Pick<TurnChoice, 'model' | 'effort'> = choice;
    if (changed !== undefined) {
      this.#weighing.set(turn, changed);
      const from = { from: current, before: before.question, branch: seed.conversation } as const;
      const prepared = await along.edited(question, { ...from, onlyWeighed: true });
      if (this.#weighing.get(turn) !== changed) return;
      this.#weighing.delete(turn);
      if (sessions.current !== current) return;
      if (prepared.kind === 'ready') ({ question } = prepared);
      asks = askedWith({ ...settings.choice, ...choice }, question.question.attachments);
    }
    const weighable = weighed(current, { seed, question, choice: asks });
    view.post({
      kind: 'weighed',
      turn,
      ...choice,
      edited: edit !== undefined,
      next: gate.forecastOf(weighable.session, weighable.question),
    });
  }

  async fork({ id, turn }: Intended<'fork'>): Promise<void> {
    await this.#once(id, () => {
      const { sessions, view } = this.#parts;
      const seed = sessions.current.seed(turn, 'fork');
      if (seed === undefined) {
        const why = vscode.l10n.t('Wait for the end of the answer, or stop it, to go on from here.');
        return Promise.resolve(hindered(why));
      }
      sessions.show(sessions.branch(seed));
      view.post({ kind: 'focusComposer' });
      return Promise.resolve<Outcome>({ kind: 'done' });
    });
  }

  /** Only what can be seen as a version of a turn that is shown. */
  show({ conversation, turn }: Intended<'showVersion'>): void {
    const { sessions } = this.#parts;
    const known = sessions.versions.some(({ versions }) =>
      versions.some((one) => one.turn === turn && one.conversation === conversation),
    );
    const session = known ? sessions.find(conversation) : undefined;
    if (session !== undefined) sessions.show(session);
  }

  remove({ turn }: Intended<'deleteTurn'>): void {
    switch (this.#parts.sessions.current.remove(turn)) {
      case 'running':
        return this.#notice(
          vscode.l10n.t('Wait for the end of the answer, or stop it, to delete a question.'),
        );
      case 'waiting':
        return this.#notice(
          vscode.l10n.t('A patch of this answer waits. Accept or reject it to delete the question.'),
        );
      case 'unknown':
      case undefined:
    }
  }

  restore({ turn }: Intended<'restoreTurn'>): void {
    const { current } = this.#parts.sessions;
    if (current.restore(turn)) return;
    this.#notice(
      current.running
        ? vscode.l10n.t('Wait for the end of the answer, or stop it, to bring the question back.')
        : vscode.l10n.t('This question is no longer known.'),
    );
  }

  #notice(text: string): void {
    this.#parts.view.post({ kind: 'notice', text });
  }

  /** Who clicks twice means it once; what could not be done can be tried again. */
  async #once(id: string, act: () => Promise<Outcome>): Promise<void> {
    if (this.#done.includes(id)) return;
    this.#done = [...this.#done, id].slice(-mostDone);
    let outcome: Outcome | undefined;
    try {
      outcome = await act();
    } finally {
      if (outcome?.kind !== 'done') this.#done = this.#done.filter((one) => one !== id);
    }
    if (outcome.kind === 'hindered') this.#notice(outcome.why);
  }

  /** What counts is the moment in which it was said: the conversation that was shown then, whatever is shown when the key was looked up. */
  async #ask({ asked, edit, choice: chosen, agreed }: Step): Promise<Outcome> {
    const { sessions, settings, facts, view, attention, isHeldBack, along, changes } = this.#parts;
    const from = sessions.current;
    const { address } = settings;
    if (!address.ok) return hindered(addressProblemText(address.error, settings.baseUrl));
    const keyProblem = keyProblemText(await facts.readKey());
    if (keyProblem !== undefined) return hindered(keyProblem);
    const unknown = hindered(vscode.l10n.t('This question is no longer known.'));
    const before = from.asked(asked.turn);
    const written = from.asked(asked.turn, edit);
    const start = from.seed(asked.turn, 'version');
    if (before === undefined || written === undefined || start === undefined) return unknown;
    const prepared =
      edit === undefined
        ? { kind: 'ready' as const, question: written }
        : await along.edited(written, { from, before: before.question, branch: start.conversation });
    if (prepared.kind === 'problem') return hindered(prepared.text);
    if (prepared.kind === 'cancelled') return { kind: 'asked' };
    const checked = this.#parts.secrets.checkAnew(prepared.question, before);
    if (checked.kind === 'secrets') {
      view.post(heldBack(asked, checked.check));
      return { kind: 'asked' };
    }
    const { question } = checked;
    const choice = edit === undefined ? chosen : askedWith(chosen, question.question.attachments);
    // What happened meanwhile is part of where it begins.
    const seed = from.seed(asked.turn, 'version');
    if (seed === undefined) return unknown;
    if (isHeldBack({ asked, ...weighed(from, { seed, question, choice }), agreed })) return { kind: 'asked' };
    const branch = sessions.branch(seed);
    along.branched(branch, before.question, question.question);
    await changes.look(branch, sentChips(question));
    branch.askAs(question, choice);
    attention.asked();
    if (asked.kind === 'edit') view.post({ kind: 'editTaken', turn: asked.turn, text: asked.text });
    // Who has gone elsewhere meanwhile is left there.
    if (sessions.current === from) sessions.show(branch);
    return { kind: 'done' };
  }
}

interface Weighing {
  readonly seed: SessionSeed;
  readonly question: AskedQuestion;
  readonly choice: Pick<TurnChoice, 'model' | 'effort'>;
}

/** The question as it would be asked in a branch that is not there yet. */
function weighed(from: ChatSession, { seed, question, choice }: Weighing): Weighable {
  const session = { ...seed, nextTools: () => from.nextTools() };
  return { session, question: { text: '', attachments: [], message: question.message, choice } };
}

/** The chips of a question with the very texts that it sends. */
function sentChips({ question, message }: AskedQuestion): readonly Asked[] {
  return question.attachments.map((attachment, index) => {
    const part = message.content[index];
    const content = part && attachedContent(part);
    return content !== undefined && 'text' in content ? { ...attachment, text: content.text } : attachment;
  });
}
