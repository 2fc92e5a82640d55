/** One conversation and the turn that may be running in it: the truth that panels mirror. Knows no panel and no socket. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import type { Approval, ApprovalAnswer, ApprovalRequest } from '../../core/conversation/approval.ts';
import {
  askedQuestion,
  firstTurns,
  leftBehind,
  type AskedQuestion,
  type Edit,
  type Parent,
} from '../../core/conversation/branch.ts';
import { continuing } from '../../core/conversation/continuing.ts';
import { declarationsOf } from '../../core/conversation/declarations.ts';
import type {
  ContextCut,
  Conversation,
  ProposalSummary,
  Question,
  ToolPart,
  Turn,
} from '../../core/conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History } from '../../core/conversation/history.ts';
import { answeredBefore } from '../../core/conversation/granted.ts';
import { instructions } from '../../core/conversation/instructions.ts';
import { isSameProposal, proposalAfter } from '../../core/conversation/laterProposal.ts';
import type { ModelPort } from '../../core/conversation/modelPort.ts';
import { isUntold, type Report } from '../../core/conversation/reports.ts';
import { emptyRequestLog, reduceRequests, type RequestLog } from '../../core/conversation/requestLog.ts';
import type { RuleChoice } from '../../core/conversation/rules.ts';
import { emptyConversation, reduce } from '../../core/conversation/reduce.ts';
import { runTurn, type Admission, type NextRequest, type TurnSpec } from '../../core/conversation/turn.ts';
import { isLeftOpen, waitsForReview } from '../../core/conversation/waiting.ts';
import { isShown, type ShownEvent, type TurnEvent } from '../../core/conversation/turnEvent.ts';
import { noteMessage, summaryOf, userMessage, type Attachment } from '../../core/conversation/userMessage.ts';
import type { WebSearchScope } from '../../core/responses/webSearchTool.ts';
import type { UserMessageItem } from '../../core/responses/wire.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { weighed } from '../context/attachmentTokens.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { TurnChoice } from '../settings.ts';
import { Approvals } from './approvals.ts';
import { declaredBefore, withEarlier } from './earlierTools.ts';
import { canBeCut } from './makeRoom.ts';
import { ResendWait } from './resendWait.ts';
import type { SessionChange, SessionSeed } from './sessionSeed.ts';
import type { TurnTools } from './turnTools.ts';

export interface SessionPorts {
  readonly model: ModelPort;
  /** The tools that may be called now, and what the instructions say of them. Asked once a turn. */
  tools(): TurnTools;
  /** What holds of searching the web where the person said nothing of it, and where it may be searched. */
  webSearch(): { readonly on: boolean; readonly scope: WebSearchScope | undefined };
  /** What the model is to be told with the next question of any conversation. Given out once. */
  notes(): readonly string[];
  /** What changed of the files that the model has seen in this conversation, as it was found last. Told with this turn. */
  changes(session: ChatSession, turn: string): string | undefined;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Asked before each request. */
  readonly admit: (request: NextRequest, session: ChatSession) => Admission;
  /** The events of a turn as they may be shown and kept. */
  readonly clean: (events: AsyncIterable<TurnEvent>) => AsyncIterable<TurnEvent>;
  /** Has conversations outlive the window; nobody does when absent. */
  readonly keeper?: SessionKeeper;
  readonly log: Log;
}

export interface SessionKeeper {
  /** Another conversation is there, with this beginning. */
  begun(session: ChatSession, seed: SessionSeed | undefined): void;
  /** Told in the order in which it is folded, before anybody else hears of it. */
  note(session: ChatSession, change: SessionChange): void;
  /** Resolves when everything so far would outlive the window, or can't soon. Never rejects. */
  whenKept(session: ChatSession): Promise<void>;
}

/** What a turn is offered, and what the instructions say of that. */
export interface NextTools extends Omit<TurnTools, 'isOff'> {
  /** Where the service may search the web, when it may. */
  readonly webSearch?: WebSearchScope;
}

/** Why a turn can't be deleted now. */
export type RemoveProblem = 'unknown' | 'running' | 'waiting';

export class ChatSession implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ports: SessionPorts;
  readonly #happened = this.#store.add(new vscode.EventEmitter<ShownEvent>());
  readonly #replaced = this.#store.add(new vscode.EventEmitter<void>());
  #conversation: Conversation;
  #history: History;
  #requests: RequestLog;
  /** Of the turns so far. */
  #tools: readonly Tool[];
  /** Deleted turns as they were, by id. */
  readonly #removed: Map<string, Turn>;
  #running: AbortController | undefined;
  readonly #resendWait = new ResendWait();
  /** Of the running turn: the person goes on before they decide. */
  #later = new AbortController();
  /** The question that is asked as soon as the running turn has ended. */
  #next: (() => void) | undefined;
  #reports: readonly Report[];
  /** Whether the web is searched: as the person said or, from the first question on, as it was asked with. */
  #webSearch: boolean | undefined;
  readonly #ruleChoices: Map<string, RuleChoice>;
  readonly #approvals: Approvals;
  #elsewhere: boolean;
  #isDeleted = false;
  /** Settles when no turn is running. */
  #idle: Promise<void> = Promise.resolve();

  /** Every event after it was folded in: `conversation` already holds it. */
  readonly onDidHappen = this.#happened.event;

  /** `conversation` is another all at once, or `elsewhere` is. */
  readonly onDidReplace = this.#replaced.event;

  /** Where it branched off, when it did. */
  readonly parent: Parent | undefined;

  /** How many requests each turn already had that it began with, by the id of the turn. */
  readonly begunWith: ReadonlyMap<string, number>;

  constructor(ports: SessionPorts, seed?: SessionSeed) {
    this.#ports = ports;
    this.#approvals = new Approvals(ports.clock);
    this.#conversation = seed?.conversation ?? emptyConversation(ports.newId());
    this.#history = seed?.history ?? emptyHistory();
    this.#requests = seed?.requests ?? emptyRequestLog();
    this.#removed = new Map(seed?.removed.map((turn) => [turn.id, turn]));
    this.#reports = seed?.reports ?? [];
    this.#webSearch = seed?.webSearch;
    this.#ruleChoices = new Map(seed?.ruleChoices?.map(({ uri, choice }) => [uri, choice]));
    this.#tools = declaredBefore(this.#requests);
    this.#elsewhere = seed?.elsewhere === true;
    this.parent = seed?.parent;
    this.begunWith =
      seed?.begunWith ?? new Map(this.#conversation.turns.map(({ id, requests }) => [id, requests.length]));
  }

  /** Another window writes it: here it can only be looked at. */
  get elsewhere(): boolean {
    return this.#elsewhere;
  }

  /** The other window that wrote it has deleted it: it is here as it was seen last. */
  get deletedElsewhere(): boolean {
    return this.#elsewhere && this.#isDeleted;
  }

  /** Whether another window has deleted it. */
  set deletedElsewhere(isDeleted: boolean) {
    if (isDeleted === this.#isDeleted || this.#store.isDisposed) return;
    this.#isDeleted = isDeleted;
    if (this.#elsewhere) this.#replaced.fire();
  }

  /** It was let go of: nothing can happen in it any more. */
  get isClosed(): boolean {
    return this.#store.isDisposed;
  }

  /**
   * As it is in the window that writes it.
   * @param event what happened; nothing that is shown when absent
   */
  mirror(seed: SessionSeed, event?: ShownEvent): void {
    if (!this.#isMirror) return;
    this.#take(seed);
    if (event !== undefined) this.#happened.fire(event);
  }

  /** `mirror`, when it is not known what happened. */
  mirrorAnew(seed: SessionSeed): void {
    if (!this.#isMirror) return;
    this.#take(seed);
    this.#replaced.fire();
  }

  /** From now on it is written here. */
  takeOver(seed: SessionSeed): void {
    if (!this.#isMirror) return;
    this.#elsewhere = false;
    this.#take(seed);
    this.#replaced.fire();
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** All requests so far, exactly. */
  get requests(): RequestLog {
    return this.#requests;
  }

  /** What the model is told with the next request, as far as it is known now. */
  get history(): History {
    return this.#history;
  }

  /** What the next turn would be offered if it were asked now, and what it would be told of that. */
  nextTools(): NextTools {
    const { tools, facts, isOff } = this.#ports.tools();
    const webSearch = this.#webSearchScope;
    return {
      tools: withEarlier(this.#tools, tools, isOff),
      facts,
      ...(webSearch !== undefined && { webSearch }),
    };
  }

  /** Whether the service may search the web for the next question. */
  get webSearch(): boolean {
    return this.#webSearch ?? this.#ports.webSearch().on;
  }

  /** Holds for this conversation alone, from the next question on. */
  set webSearch(on: boolean) {
    if (!this.#elsewhere) this.#settleWebSearch(on);
  }

  /** The next question is offered the search in the web otherwise than the last one was: the service then finds nothing in its cache. */
  get webSearchDiffers(): boolean {
    const last = this.#requests.requests.at(-1);
    if (last === undefined || last.lost === true) return false;
    const before = last.head.tools?.filter(({ type }) => type === 'web_search') ?? [];
    return JSON.stringify(before) !== JSON.stringify(declarationsOf([], this.#webSearchScope));
  }

  /** What the person said of standing instructions in this conversation, by their address. */
  get ruleChoices(): ReadonlyMap<string, RuleChoice> {
    return this.#ruleChoices;
  }

  /** Undefined takes back what was said. */
  chooseRule(uri: string, choice: RuleChoice | undefined): void {
    if (this.#ruleChoices.get(uri) === choice) return;
    if (choice === undefined) this.#ruleChoices.delete(uri);
    else this.#ruleChoices.set(uri, choice);
    this.#ports.keeper?.note(this, { kind: 'ruleChosen', uri, choice: choice ?? null });
  }

  get #webSearchScope(): WebSearchScope | undefined {
    return this.webSearch ? this.#ports.webSearch().scope : undefined;
  }

  get running(): boolean {
    return this.#running !== undefined || this.#next !== undefined;
  }

  /** A question can be asked now. */
  get takesQuestions(): boolean {
    return this.#isWritable && (!this.running || this.#waits);
  }

  /** Nothing is going on but a patch that waits for the person. */
  get #waits(): boolean {
    const turn = this.#conversation.turns.at(-1);
    return this.#next === undefined && turn !== undefined && waitsForReview(turn);
  }

  /**
   * Asks a question. While a patch waits for the person and nothing else is going on, the patch is left to be decided later. Returns
   * false, and does nothing, while anything else of a turn is running and after the window's end.
   */
  ask(text: string, attachments: readonly Attachment[], choice: TurnChoice): boolean {
    const question: Question = {
      text,
      attachments: attachments.map((attachment) => summaryOf(weighed(attachment))),
    };
    return this.askAs({ question, message: userMessage(text, attachments) }, choice);
  }

  /** `ask`, with the message as the model reads it made already. */
  askAs({ question, message }: AskedQuestion, choice: TurnChoice): boolean {
    if (!this.takesQuestions) return false;
    const start = (): void => {
      const turn = this.#ports.newId();
      const note = this.#takeNote(turn);
      this.#start({
        turn,
        start: { kind: 'ask', question, message, ...(note !== undefined && { note }) },
        ...choice,
      });
    };
    if (this.running) {
      this.#next = start;
      this.#later.abort();
    } else start();
    return true;
  }

  /** Goes on with a turn that failed, was stopped or is incomplete. Only the last turn can: later ones build on the others. */
  resume(turnId: string, choice: TurnChoice): boolean {
    const shown = this.#resumable(turnId);
    if (shown === undefined) return false;
    const next = continuing(shown, choice.maxOutputTokens);
    const more = next.message === undefined ? [] : [next.message];
    const message = this.#takeNote(turnId, ...more);
    this.#start({
      turn: turnId,
      start: { kind: 'resume', shown, ...(message !== undefined && { message }) },
      ...choice,
      ...(next.kind !== 'none' && { maxOutputTokens: next.room }),
    });
    return true;
  }

  /** Tokens that a turn has for reasoning and answer when it is gone on with, where they are limited. Undefined when it can't be. */
  roomToResume(turnId: string, choice: TurnChoice): { readonly room?: number } | undefined {
    const shown = this.#resumable(turnId);
    if (shown === undefined) return undefined;
    const next = continuing(shown, choice.maxOutputTokens);
    const room = next.kind === 'none' ? choice.maxOutputTokens : next.room;
    return room === undefined ? {} : { room };
  }

  /**
   * What became of a proposal after its call was answered. `report` is for the model, with the next question. False when the proposal
   * is none of this conversation.
   */
  tellLater(proposal: ProposalSummary, report: string | undefined): boolean {
    if (this.#elsewhere) return false;
    for (const { id: turn, parts } of [...this.#conversation.turns, ...this.#removed.values()]) {
      const part = parts.find((one) => one.kind === 'tool' && isOf(one, proposal));
      if (part?.kind !== 'tool' || part.proposal === undefined) continue;
      if (report !== undefined) this.#setReports([...this.#reports, { text: report, about: turn }]);
      const event = {
        kind: 'toolReviewed',
        turn,
        part: part.id,
        proposal: proposalAfter(part.proposal, proposal),
      } as const;
      const removed = this.#removed.get(turn);
      if (removed !== undefined) {
        this.#ports.keeper?.note(this, { kind: 'removedReviewed', event });
        const { turns } = reduce({ id: '', turns: [removed] }, event);
        for (const one of turns) this.#removed.set(turn, one);
      } else if (!this.#store.isDisposed) this.#apply(event);
      return true;
    }
    return false;
  }

  /** What became of naming the conversation after a turn. False when that is none of this conversation. */
  noteNaming(event: Extract<ShownEvent, { kind: 'namingSent' | 'namingEnded' }>): boolean {
    if (this.#store.isDisposed || this.#find(event.turn) === undefined) return false;
    this.#apply(event);
    return true;
  }

  /**
   * Takes a turn out of the conversation, and out of what the model sees; what it cost stays. Not while a turn runs, for that would go on
   * with it, and not while a patch of it waits: deleting decides about nobody's files. Undefined when it is done.
   */
  remove(turnId: string): RemoveProblem | undefined {
    const turn = this.#find(turnId);
    if (!this.#isWritable || turn === undefined || turn.removed === true) return 'unknown';
    if (hasUndecided(turn)) return 'waiting';
    if (this.running || turn.end === undefined) return 'running';
    this.#removed.set(turnId, turn);
    this.#apply({ kind: 'turnRemoved', turn: turnId });
    return undefined;
  }

  /** Brings a deleted turn back to its place. False when there is none, and while a turn runs. */
  restore(turnId: string): boolean {
    const content = this.#removed.get(turnId);
    if (!this.#isWritable || content === undefined || this.running) return false;
    this.#removed.delete(turnId);
    this.#apply({ kind: 'turnRestored', turn: turnId, content });
    return true;
  }

  /** What another conversation begins with that branches off at a turn. Undefined when there is no such turn, or what it takes along still runs. */
  seed(turnId: string, kind: Parent['kind']): SessionSeed | undefined {
    const { id: conversation, turns } = this.#conversation;
    const at = turns.findIndex(({ id }) => id === turnId);
    if (at === -1) return undefined;
    const count = kind === 'fork' ? at + 1 : at;
    const first = firstTurns(
      { conversation: this.#conversation, history: this.#history, requests: this.#requests },
      count,
      this.#ports.newId(),
    );
    if (first === undefined) return undefined;
    const taken = new Set(first.conversation.turns.map(({ id }) => id));
    const left = leftBehind(turns.slice(count).map((turn) => this.#removed.get(turn.id) ?? turn));
    return {
      ...first,
      removed: [...this.#removed.values()].filter(({ id }) => taken.has(id)),
      reports: [
        ...this.#reports.filter(({ about }) => about === undefined || taken.has(about)),
        ...(left === undefined ? [] : [{ text: left }]),
      ],
      parent: { conversation, turn: turnId, kind },
      webSearch: this.webSearch,
      ruleChoices: [...this.#ruleChoices].map(([uri, choice]) => ({ uri, choice })),
    };
  }

  /** The question of a turn as it was asked, or as it is with an edit. Undefined when there is none. */
  asked(turnId: string, edit?: Edit): AskedQuestion | undefined {
    const turn = this.#find(turnId);
    return turn === undefined || turn.removed === true ? undefined : askedQuestion(this.#history, turn, edit);
  }

  /**
   * Gives the person's answer to what a tool asked. False when nothing of this id is open, when the question takes no such answer, and
   * for a moment after it was asked: nobody has read it by then.
   */
  answer(approval: string, answer: ApprovalAnswer): boolean {
    return this.#approvals.answer(approval, answer);
  }

  /** Ends the running turn at once; what came is kept. */
  stop(): void {
    this.#running?.abort();
  }

  /**
   * Leaves something out of what the model is sent, or takes it in again; on the screen it stays. Not of a turn that runs or that may
   * be gone on with, for what it is going on with must be there; unless that was too long.
   */
  cut(turnId: string, cut: ContextCut): boolean {
    const turn = this.#find(turnId);
    if (!this.#isWritable || turn === undefined) return false;
    if (!canBeCut(turn, this.#conversation, cut)) return false;
    this.#apply({ kind: 'contextCut', turn: turnId, cut });
    return true;
  }

  /** Sends the request that waits to be sent again at once. */
  retryNow(): void {
    this.#resendWait.endNow();
  }

  /** Resolves when the running turn, if there is one, has ended. */
  async whenIdle(): Promise<void> {
    // A question may be waiting for the end of the turn.
    for (let idle: unknown; idle !== this.#idle;) {
      idle = this.#idle;
      await idle;
    }
  }

  dispose(): void {
    this.stop();
    this.#store.dispose();
  }

  /** It is there, and no other window has it. */
  get #isWritable(): boolean {
    return !this.#elsewhere && !this.#store.isDisposed;
  }

  /** It is there, and another window has it. */
  get #isMirror(): boolean {
    return this.#elsewhere && !this.#store.isDisposed;
  }

  #find(turnId: string): Turn | undefined {
    return this.#conversation.turns.find(({ id }) => id === turnId);
  }

  #take({ conversation, history, requests, removed, reports, webSearch, ruleChoices }: SessionSeed): void {
    this.#conversation = conversation;
    this.#history = history;
    this.#requests = requests;
    this.#removed.clear();
    for (const turn of removed) this.#removed.set(turn.id, turn);
    this.#reports = reports;
    this.#webSearch = webSearch;
    this.#ruleChoices.clear();
    for (const { uri, choice } of ruleChoices ?? []) this.#ruleChoices.set(uri, choice);
    this.#tools = declaredBefore(requests);
  }

  #resumable(turnId: string): Turn | undefined {
    const last = this.#conversation.turns.at(-1);
    if (!this.#isWritable || this.running || last?.id !== turnId) return undefined;
    return last.end === undefined || last.end.kind === 'completed' || last.cut?.whole ? undefined : last;
  }

  /** What the model is to be told in a turn, before anything else. */
  #takeNote(turn: string, ...more: readonly string[]): UserMessageItem | undefined {
    const isNews = isUntold(this.#conversation);
    const given = this.#ports.notes().map((text): Report => ({ text }));
    const all = [...given, ...this.#reports];
    const news = all.filter(isNews);
    if (news.length > 0)
      this.#setReports(all.map((report) => (news.includes(report) ? { ...report, told: turn } : report)));
    const changes = this.#ports.changes(this, turn);
    const notes = [...news.map(({ text }) => text), ...(changes === undefined ? [] : [changes]), ...more];
    return notes.length === 0 ? undefined : noteMessage(notes);
  }

  #start(turn: Pick<TurnSpec, 'turn' | 'start'> & TurnChoice): void {
    const { model, clock, newId } = this.#ports;
    const { tools, facts, webSearch } = this.nextTools();
    this.#tools = tools;
    this.#settleWebSearch(this.webSearch);
    const running = new AbortController();
    this.#running = running;
    this.#later = new AbortController();
    this.#approvals.restart();
    const spec = {
      ...turn,
      instructions: instructions(facts),
      webSearch,
      history: this.#history,
      requests: this.#requests,
      signal: running.signal,
      later: this.#later.signal,
    };
    const ports = {
      model,
      tools,
      clock,
      newId,
      wait: (milliseconds: number, signal: CancelSignal) => this.#resendWait.start(milliseconds, signal),
      random: Math.random,
      answered: (request: ApprovalRequest) =>
        this.#approvals.answered(request) ?? answeredBefore(this.#conversation, request),
      decide: (approval: Approval) => this.#approvals.open(approval),
      admit: (request: NextRequest) => this.#ports.admit(request, this),
    };
    this.#idle = this.#run(runTurn(ports, spec), running);
  }

  #settleWebSearch(on: boolean): void {
    if (on === this.#webSearch) return;
    this.#webSearch = on;
    this.#ports.keeper?.note(this, { kind: 'webSearch', on });
  }

  async #run(events: AsyncIterable<TurnEvent>, running: AbortController): Promise<void> {
    try {
      for await (const event of this.#ports.clean(events)) {
        this.#apply(event);
        // A question that was sent is there whatever happens next.
        if (event.kind === 'requestMade') await this.#ports.keeper?.whenKept(this);
      }
    } catch (error) {
      // The turn reports everything it knows of as an event; what arrives here is a defect of ours.
      this.#ports.log.bug('turn', error);
      // After its last event the next turn may be running already.
      if (this.#running === running) this.#endBrokenTurn(error);
    }
    this.#askNext();
  }

  #askNext(): void {
    const next = this.#next;
    // Whoever heard of the end may have asked meanwhile: then it is for that turn's end.
    if (this.#running !== undefined || next === undefined) return;
    this.#next = undefined;
    if (!this.#store.isDisposed) next();
  }

  #endBrokenTurn(error: unknown): void {
    const turn = this.#conversation.turns.at(-1);
    this.#running = undefined;
    if (turn === undefined || turn.end !== undefined) return;
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const at = this.#ports.clock();
    this.#apply({
      kind: 'turnEnded',
      turn: turn.id,
      end: { kind: 'failed', failure: { kind: 'bug', detail } },
      at,
    });
  }

  #setReports(reports: readonly Report[]): void {
    this.#reports = reports;
    this.#ports.keeper?.note(this, { kind: 'reports', reports });
  }

  #apply(event: TurnEvent): void {
    this.#history = reduceHistory(this.#history, event);
    this.#requests = reduceRequests(this.#requests, event);
    // Idle before the event is told: whoever hears of the end may ask the next question.
    if (event.kind === 'turnEnded') this.#running = undefined;
    this.#ports.keeper?.note(this, { kind: 'event', event });
    if (!isShown(event)) return;
    if (event.kind === 'approvalAnswered') this.#approvals.close(event.approval);
    this.#conversation = reduce(this.#conversation, event);
    this.#happened.fire(event);
  }
}

function isOf({ proposal: own }: ToolPart, proposal: ProposalSummary): boolean {
  return own !== undefined && isSameProposal(own.id, proposal.id);
}

/** A patch of it can still be decided about, or is just being written. */
function hasUndecided({ parts }: Turn): boolean {
  return parts.some(
    (part) =>
      part.kind === 'tool' &&
      (part.outcome === undefined || part.outcome.kind === 'undecided') &&
      part.proposal?.files.some(isLeftOpen) === true,
  );
}
