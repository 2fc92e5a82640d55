/** What the panel knows, folded from what the host says. `apply` is pure; drawing and sending are for others. */
import type { Conversation } from '../core/conversation/conversation.ts';
import { reduce } from '../core/conversation/reduce.ts';
import type { ShownEvent } from '../core/conversation/turnEvent.ts';
import type { DearIntent } from '../protocol/toHost.ts';
import { leftOf } from '../protocol/leftOf.ts';
import { remembered } from '../protocol/remembered.ts';
import type { PanelState, QueueFacts, ToWebview, TurnVersions } from '../protocol/toWebview.ts';
import { keptEdits, lengthOfEdits, withoutEdit, type TurnEdits } from './turnEdits.ts';
import type { SavedPanel, SentQuestion } from './host.ts';

/** The mirror of the host's truth, absent until the first snapshot. */
export interface Mirror {
  /** Number of the last batch that is folded in. */
  readonly seq: number;
  readonly conversation: Conversation;
  /** Turns stand before these, which the host has not told yet. */
  readonly earlier: boolean;
  readonly panel: PanelState;
  /** The turns of the conversation that have other versions. */
  readonly versions: readonly TurnVersions[];
  /** Questions of the conversation that wait for the end of the turn. */
  readonly queue: QueueFacts;
}

type Told<K extends ToWebview['kind']> = Extract<ToWebview, { readonly kind: K }>;

export type Weighed = Omit<Told<'weighed'>, 'kind'>;
export type WeighedChoice = Omit<Told<'choiceWeighed'>, 'kind'>;
export type Completions = Omit<Told<'completions'>, 'kind'>;
export type DearStep = Omit<Told<'confirm'>, 'kind'>;
export type SecretsStep = Omit<Told<'secrets'>, 'kind'>;

export interface State {
  readonly mirror?: Mirror;
  /** A snapshot was asked for and has not come; events that arrive meanwhile are part of it. */
  readonly awaiting: boolean;
  /** A snapshot was asked for and did not come in time. */
  readonly late: boolean;
  readonly draft: string;
  /** The run of the host that `draft` was kept in. */
  readonly run?: string;
  /** The person typed into this page. */
  readonly typed?: true;
  /** An input method is at work in the composer, whose text must not be changed under it. */
  readonly composing?: true;
  /** A question that was taken and still begins what stands in the composer: it leaves when the input method is done. */
  readonly leaving?: string;
  /** What was asked before, the newest last. */
  readonly asked: readonly string[];
  /** What the next question would cost with another model or effort, as it was asked about last. */
  readonly choice?: WeighedChoice;
  /** What can be named with what is being typed, as it was told last. */
  readonly completions?: Completions;
  /** The question that was sent last, until the host says that it took it. It may refuse it, and is then asked again by the same id. */
  readonly sent?: SentQuestion;
  /** A sentence of the host that stays until it is put away. */
  readonly notice?: string;
  /** What is only done when the person agrees to what it costs; a question is the one that stands in the composer. */
  readonly confirm?: DearStep;
  /** What looks secret in a question, about which nothing was decided. */
  readonly secrets?: SecretsStep;
  /** Questions that are being written anew, by the id of their turn. */
  readonly edits: TurnEdits;
  /** What it would cost to ask turns again, as it was asked about last. */
  readonly weighed: readonly Weighed[];
  /** When something of the turn was heard last: milliseconds since the epoch on this machine's clock. */
  readonly heard?: number;
  /**
   * Milliseconds by which this clock is ahead of the host's: the least difference seen, so that the time a message takes does
   * not count. The host may be another machine.
   */
  readonly ahead?: number;
}

export type Effect =
  /** Ask for a snapshot. */
  | { readonly kind: 'askSnapshot' }
  | { readonly kind: 'focusComposer' }
  | { readonly kind: 'focusApproval' }
  | { readonly kind: 'focusPicker'; readonly picker: 'model' | 'effort' }
  /** Put it into the composer, at the cursor. */
  | { readonly kind: 'insertText'; readonly text: string; readonly attachment: string }
  | { readonly kind: 'find' }
  /** A question became part of the conversation: show it. */
  | { readonly kind: 'showEnd' };

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** At the start of a page: `saved` is what VS Code kept of the page before. */
export function firstState(saved: SavedPanel | undefined): State {
  return {
    awaiting: true,
    late: false,
    draft: saved?.draft ?? '',
    edits: saved?.edits ?? {},
    weighed: [],
    asked: [],
    ...(saved?.run !== undefined && { run: saved.run }),
    ...(saved?.sent !== undefined && { sent: saved.sent }),
  };
}

const noQueue: QueueFacts = { questions: [] };

/** More than anybody has open at the same time. */
const mostWeighed = 16;

const kinds: Readonly<Record<ToWebview['kind'], true>> = {
  snapshot: true,
  events: true,
  conversation: true,
  earlier: true,
  panel: true,
  versions: true,
  weighed: true,
  editTaken: true,
  queue: true,
  draft: true,
  insertText: true,
  completions: true,
  choiceWeighed: true,
  focusComposer: true,
  focusApproval: true,
  focusPicker: true,
  find: true,
  questionTaken: true,
  notice: true,
  confirm: true,
  secrets: true,
};

/** Other scripts of the workbench may post to any frame; only what names one of our kinds is taken for the host's. */
export function isFromHost(message: unknown): message is ToWebview {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
  return typeof message.kind === 'string' && Object.hasOwn(kinds, message.kind);
}

/** The state after one message, and what is to be done. `now` is this machine's clock, in milliseconds since the epoch. */
export function apply(state: State, message: ToWebview, now: number): Step {
  switch (message.kind) {
    case 'snapshot':
      return step(withSnapshot(state, message, now));
    case 'events':
      return withEvents(state, message, now);
    case 'conversation': {
      if (state.mirror === undefined || state.awaiting) return step(state);
      const { seq, conversation } = message;
      const earlier = message.earlier === true;
      return step({
        ...withoutConfirm(state),
        heard: now,
        mirror: { ...state.mirror, seq, conversation, earlier, versions: [], queue: noQueue },
      });
    }
    case 'earlier':
      return step(withEarlier(state, message));
    case 'panel': {
      if (state.mirror === undefined) return step(state);
      const panel = withSame(message.panel, state.mirror.panel);
      const next = { ...state, mirror: { ...state.mirror, panel } };
      return step(lostSecret(state.mirror.panel, panel, state.secrets) ? withoutConfirm(next) : next);
    }
    case 'versions': {
      const { mirror } = state;
      if (mirror?.conversation.id !== message.conversation) return step(state);
      return step({
        ...state,
        mirror: { ...mirror, versions: withSameVersions(message.turns, mirror.versions) },
      });
    }
    case 'weighed': {
      const { kind: _kind, ...weighed } = message;
      const others = state.weighed.filter(
        (one) => one.turn !== weighed.turn || one.edited !== weighed.edited,
      );
      return step({ ...state, weighed: [...others, weighed].slice(-mostWeighed) });
    }
    case 'editTaken':
      return step(editTaken(withoutConfirm(withoutNotice(state)), message));
    case 'queue': {
      const { mirror } = state;
      if (mirror?.conversation.id !== message.conversation) return step(state);
      return step(onlyStill({ ...state, mirror: { ...mirror, queue: message.queue } }));
    }
    case 'draft': {
      // What was typed in the very moment stays too.
      const draft = state.draft === message.instead ? message.text : `${message.text}\n${state.draft}`;
      return step({ ...withDraft(state, draft), draft }, [{ kind: 'focusComposer' }]);
    }
    case 'insertText':
      return withChipAsText(state, message);
    case 'completions': {
      const { kind: _kind, ...completions } = message;
      return step({ ...state, completions });
    }
    case 'choiceWeighed': {
      const { kind: _kind, ...choice } = message;
      return step({ ...state, choice });
    }
    case 'focusApproval':
      return step(state, [{ kind: 'focusApproval' }]);
    case 'focusPicker':
      return step(state, [{ kind: 'focusPicker', picker: message.picker }]);
    case 'focusComposer':
      return step(state, [{ kind: 'focusComposer' }]);
    case 'find':
      return step(state, [{ kind: 'find' }]);
    case 'questionTaken': {
      const taken = asTaken(withoutConfirm(withoutNotice(state)), message);
      return step({ ...taken, asked: remembered(state.asked, message.text) });
    }
    case 'notice':
      return step({ ...state, notice: message.text });
    case 'confirm': {
      const { asked, next } = message;
      return step(isStill(asked, state) ? { ...withoutConfirm(state), confirm: { asked, next } } : state);
    }
    case 'secrets': {
      const { kind: _kind, ...secrets } = message;
      return step(isStill(secrets.asked, state) ? { ...withoutConfirm(state), secrets } : state);
    }
  }
}

function withSnapshot(before: State, message: Told<'snapshot'>, now: number): State {
  const { seq, conversation, run, versions = [], queue = noQueue } = message;
  const shown = before.mirror?.conversation.id;
  const state = shown === undefined || shown === conversation.id ? before : withoutConfirm(before);
  const panel = withSame(message.panel, state.mirror?.panel);
  const ahead = message.at === undefined ? state.ahead : Math.min(state.ahead ?? Infinity, now - message.at);
  const there = {
    mirror: { seq, conversation, earlier: message.earlier === true, panel, versions, queue },
    awaiting: false,
    late: false,
    // What came while nobody looked is not known: silence is counted from now.
    heard: now,
    asked: message.asked ?? [],
    ...(ahead !== undefined && { ahead }),
  };
  if (state.sent !== undefined && message.taken === state.sent.id)
    return { ...inRun(asTaken(state, state.sent), run), ...there };
  const draft = state.mirror === undefined ? firstDraft(state, message) : state.draft;
  return { ...inRun(state, run), ...there, draft };
}

function withEvents(state: State, { seq, events }: Told<'events'>, now: number): Step {
  if (state.mirror === undefined || state.awaiting) return step(state);
  if (seq !== state.mirror.seq + 1) return ask({ ...state, awaiting: true });
  const conversation = events.reduce(reduce, state.mirror.conversation);
  const ahead = leastAhead(state.ahead, events, now);
  const started = events.some(({ kind }) => kind === 'turnStarted');
  const asks = started || events.some(({ kind }) => kind === 'turnResumed');
  const next: State = {
    // Something is asked already: what stood to be asked was meant for the moment before.
    ...(asks ? withoutConfirm(state) : state),
    heard: now,
    ...(ahead !== undefined && { ahead }),
    mirror: { ...state.mirror, seq, conversation },
  };
  return step(next, started ? [{ kind: 'showEnd' }] : []);
}

/** Behind a snapshot that was asked for meanwhile, these may be there already. */
function withEarlier(state: State, message: Told<'earlier'>): State {
  if (state.mirror?.conversation.id !== message.conversation || state.awaiting) return state;
  const { id, turns } = state.mirror.conversation;
  const known = new Set(turns.map((turn) => turn.id));
  const conversation = { id, turns: [...message.turns.filter((turn) => !known.has(turn.id)), ...turns] };
  return { ...state, mirror: { ...state.mirror, conversation, earlier: message.more === true } };
}

/** No snapshot came within the time the panel waits for one. */
export function waitedTooLong(state: State): State {
  return state.awaiting ? { ...state, late: true } : state;
}

/** After the person asked to try once more. */
export function askedAgain(state: State): State {
  return { ...state, awaiting: true, late: false };
}

/** @param composing an input method is at work in the text */
export function withDraft(before: State, typed: string, composing = false): State {
  const { composing: _composing, leaving, ...state } = before;
  const draft = composing || leaving === undefined ? typed : leftOf(typed, leaving);
  if (!composing && before.composing === undefined && before.draft === draft) return before;
  const rest = inQuestion(state)?.kind === 'send' && state.draft !== draft ? withoutConfirm(state) : state;
  return {
    ...rest,
    draft,
    typed: true,
    ...(composing && { composing, ...(leaving !== undefined && { leaving }) }),
  };
}

/** Once for each chip, however often it was asked for. */
function withChipAsText(state: State, { text, attachment }: Told<'insertText'>): Step {
  const { mirror } = state;
  if (mirror?.panel.attachments.some(({ id }) => id === attachment) !== true) return step(state);
  const attachments = mirror.panel.attachments.filter(({ id }) => id !== attachment);
  const next = { ...state, mirror: { ...mirror, panel: { ...mirror.panel, attachments } } };
  return step(next, [{ kind: 'insertText', text, attachment }]);
}

/** The same question. On its way to the host and back, half of a surrogate pair becomes a replacement character. */
function says(text: string | undefined, sent: string): boolean {
  return text?.trim().toWellFormed() === sent.trim().toWellFormed();
}

/** The state without what was asked about, when that is no longer what stands there. */
export function onlyStill(state: State): State {
  const asked = inQuestion(state);
  return asked === undefined || isStill(asked, state) ? state : withoutConfirm(state);
}

/** What waits for the person's word. */
export function inQuestion({ confirm, secrets }: State): DearIntent | undefined {
  return (secrets ?? confirm)?.asked;
}

/** A chip that something was found in was taken off: that was an answer to it. */
function lostSecret(before: PanelState, now: PanelState, secrets: SecretsStep | undefined): boolean {
  return (
    secrets?.places.some(
      ({ chip }) =>
        before.attachments.some(({ id }) => id === chip?.id) &&
        !now.attachments.some(({ id }) => id === chip?.id),
    ) === true
  );
}

/** The edit is over, unless its text was changed since it was sent. */
function editTaken(state: State, { turn, text }: Told<'editTaken'>): State {
  return says(state.edits[turn]?.text, text) ? withoutEdit(state, turn) : state;
}

/** What the composer holds when a text is proposed for it: nothing that was written is replaced. */
export function composed(draft: string, proposed: string): string {
  return draft.trim() === '' || draft === proposed ? proposed : `${draft.trimEnd()}\n${proposed}`;
}

/** What is asked about may be no longer what stands there, or be done. */
function isStill(asked: DearIntent, { draft, mirror, edits }: State): boolean {
  switch (asked.kind) {
    case 'send':
      return says(draft, asked.text);
    case 'resume': {
      const last = mirror?.conversation.turns.at(-1);
      return last?.id === asked.turn && last.end !== undefined;
    }
    case 'summarize':
      return true;
    case 'sendQueued':
      return (
        mirror?.queue.questions.some(({ id, removed }) => id === asked.question && removed !== true) === true
      );
    case 'edit': {
      const edit = edits[asked.turn];
      return says(edit?.text, asked.text) && !asked.attachments.some((id) => edit?.dropped.includes(id));
    }
    case 'answerAgain':
      return mirror?.conversation.turns.some(({ id }) => id === asked.turn) === true;
  }
}

/**
 * Text typed into this page, or kept in this run of the host, wins: the host may be a moment behind. After a reload of the window the
 * host's wins, for what VS Code kept of the page may be old.
 */
function firstDraft(state: State, message: Told<'snapshot'>): string {
  const { draft, run, instead } = message;
  // The page went away before it heard of the exchange.
  if (state.draft === instead) return draft;
  const own = state.typed === true || (run !== undefined && state.run === run);
  if (own) return state.draft;
  if (draft !== '') return draft;
  // It was kept before the rest was typed and asked.
  if (message.asked?.at(-1)?.startsWith(state.draft) === true) return '';
  // What was sent was taken, though the page did not hear of it; anything else could not be written by the host.
  return state.sent === undefined ? state.draft : leftOf(state.draft, state.sent.text);
}

function inRun(state: State, run: string | undefined): State {
  return run === undefined ? state : { ...state, run };
}

/** `newId` is used unless this very text was sent before and not taken, to the panel's knowledge: then it is the same question. */
export function withSent(state: State, text: string, newId: string): State & { readonly sent: SentQuestion } {
  const rest = withoutConfirm(withoutNotice(state));
  return { ...rest, sent: state.sent?.text === text ? state.sent : { id: newId, text } };
}

export function withoutNotice(state: State): State {
  const { notice: _notice, ...rest } = state;
  return rest;
}

/** The person thought better of it, or decided; what they typed stays. */
export function withoutConfirm(state: State): State {
  const { confirm: _confirm, secrets: _secrets, ...rest } = state;
  return rest;
}

/** Characters. VS Code writes what a page keeps together with all else that it keeps for the workspace, and it is told at every key. */
const longestSaved = 10_000;

/** It is too much to be told at every key: nobody but the page has it, so it is told a moment later. */
export function isLongToSave({ edits }: State): boolean {
  return lengthOfEdits(edits) > longestSaved;
}

/** What is worth keeping for the next page. A longer draft is the host's alone, who has it a moment after the last key. */
export function toSave(state: State): SavedPanel {
  const { draft, run, sent } = state;
  const isLong = draft.length > longestSaved;
  const edits = keptEdits(state.edits);
  return {
    draft: isLong ? '' : draft,
    ...(Object.keys(edits).length > 0 && { edits }),
    // Without it the host's draft is the one that counts.
    ...(run !== undefined && !isLong && { run }),
    ...(sent !== undefined && sent.text.length <= longestSaved && { sent }),
  };
}

/** True while the last turn has no end. */
export function isRunning(state: State): boolean {
  const last = state.mirror?.conversation.turns.at(-1);
  return last !== undefined && last.end === undefined;
}

/** The host's time now, as far as it can be told from here. */
export function hostNow(state: State, now: number): number {
  return now - (state.ahead ?? 0);
}

/** When something was heard last, by the host's clock. */
export function heardAt(state: State, now: number): number {
  return hostNow(state, state.heard ?? now);
}

/**
 * What says the same keeps its identity: every turn's footer is made from the table of prices, and every failed turn's help from who is
 * asked; they are drawn anew when that is another value.
 */
function withSame(panel: PanelState, before: PanelState | undefined): PanelState {
  if (before === undefined) return panel;
  const kept = {
    ...(panel.service !== undefined && { service: same(panel.service, before.service) }),
    ...(panel.code !== undefined && { code: same(panel.code, before.code) }),
    ...(panel.problems !== undefined && { problems: same(panel.problems, before.problems) }),
    ...(panel.orphans !== undefined && { orphans: same(panel.orphans, before.orphans) }),
    ...(panel.spending !== undefined && {
      spending: { ...panel.spending, prices: same(panel.spending.prices, before.spending?.prices) },
    }),
  };
  return { ...panel, ...kept };
}

/** Each turn's versions keep their identity while nothing of them changes. */
function withSameVersions(
  now: readonly TurnVersions[],
  before: readonly TurnVersions[],
): readonly TurnVersions[] {
  return now.map((one) =>
    same(
      one,
      before.find(({ turn }) => turn === one.turn),
    ),
  );
}

function same<T>(now: T, before: T | undefined): T {
  return before !== undefined && JSON.stringify(now) === JSON.stringify(before) ? before : now;
}

/** Takes the text out of the composer; what was typed behind it meanwhile stays, and so does another text. */
function asTaken(state: State, question: SentQuestion): State {
  const { sent, ...rest } = state;
  const draft = leftOf(state.draft, question.text);
  const next: State =
    state.composing === true && draft !== state.draft
      ? { ...rest, leaving: question.text }
      : { ...rest, draft };
  return sent === undefined || sent.id === question.id ? next : { ...next, sent };
}

function leastAhead(
  known: number | undefined,
  events: readonly ShownEvent[],
  now: number,
): number | undefined {
  let least = known;
  for (const event of events) {
    if ('at' in event) least = Math.min(least ?? Infinity, now - event.at);
  }
  return least;
}

function step(state: State, effects: readonly Effect[] = []): Step {
  return { state, effects };
}

function ask(state: State): Step {
  return { state, effects: [{ kind: 'askSnapshot' }] };
}
