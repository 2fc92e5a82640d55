/** One conversation and the turn that may be running in it: the truth that panels mirror. Knows no panel and no socket. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { continuing } from '../../core/conversation/continuing.ts';
import type {
  ContextCut,
  Conversation,
  ProposalSummary,
  Question,
  Turn,
} from '../../core/conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History } from '../../core/conversation/history.ts';
import { instructions, type InstructionFacts } from '../../core/conversation/instructions.ts';
import type { ModelPort } from '../../core/conversation/modelPort.ts';
import { emptyRequestLog, reduceRequests, type RequestLog } from '../../core/conversation/requestLog.ts';
import { emptyConversation, reduce } from '../../core/conversation/reduce.ts';
import { runTurn, type Admission, type NextRequest, type TurnSpec } from '../../core/conversation/turn.ts';
import { waitsForReview } from '../../core/conversation/waiting.ts';
import { isShown, type ShownEvent, type TurnEvent } from '../../core/conversation/turnEvent.ts';
import { noteMessage, userMessage, type Attachment } from '../../core/conversation/userMessage.ts';
import type { UserMessageItem } from '../../core/responses/wire.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { TurnChoice } from '../settings.ts';
import { canBeCut } from './makeRoom.ts';

export interface SessionPorts {
  readonly model: ModelPort;
  /** The tools that may be called now, and what the instructions say of them. Asked once a turn. */
  tools(): { readonly tools: readonly Tool[]; readonly facts: InstructionFacts };
  /** What the model is to be told with the next question of any conversation. Given out once. */
  notes?(): readonly string[];
  readonly clock: () => number;
  readonly newId: () => string;
  /** Asked before each request. */
  readonly admit: (request: NextRequest, session: ChatSession) => Admission;
  readonly log: Log;
}

export class ChatSession implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ports: SessionPorts;
  readonly #happened = this.#store.add(new vscode.EventEmitter<ShownEvent>());
  #conversation: Conversation;
  #history: History = emptyHistory();
  #requests: RequestLog = emptyRequestLog();
  /** Of the turns so far. */
  #tools: readonly Tool[] = [];
  #running: AbortController | undefined;
  /** Ends the wait before a request is sent again. */
  #endWait: () => void = () => undefined;
  /** Of the running turn: the person goes on before they decide. */
  #later = new AbortController();
  /** The question that is asked as soon as the running turn has ended. */
  #next: (() => void) | undefined;
  /** What the model is to be told with the next question. */
  #notes: readonly string[] = [];
  /** Settles when no turn is running. */
  #idle: Promise<void> = Promise.resolve();

  /** Every event after it was folded in: `conversation` already holds it. */
  readonly onDidHappen = this.#happened.event;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#conversation = emptyConversation(ports.newId());
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
  nextTools(): ReturnType<SessionPorts['tools']> {
    const { tools, facts } = this.#ports.tools();
    return { tools: withEarlier(this.#tools, tools), facts };
  }

  get running(): boolean {
    return this.#running !== undefined || this.#next !== undefined;
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
    if ((this.running && !this.#waits) || this.#store.isDisposed) return false;
    const question: Question = {
      text,
      attachments: attachments.map(({ text: _, ...summary }) => summary),
    };
    const start = (): void => {
      const note = this.#takeNote();
      this.#start({
        turn: this.#ports.newId(),
        start: {
          kind: 'ask',
          question,
          message: userMessage(text, attachments),
          ...(note !== undefined && { note }),
        },
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
    const message = this.#takeNote(...more);
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
    for (const { id: turn, parts } of this.#conversation.turns) {
      const part = parts.find((one) => one.kind === 'tool' && one.proposal?.id === proposal.id);
      if (part === undefined) continue;
      if (report !== undefined) this.#notes = [...this.#notes, report];
      if (!this.#store.isDisposed) this.#apply({ kind: 'toolReviewed', turn, part: part.id, proposal });
      return true;
    }
    return false;
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
    const turn = this.#conversation.turns.find(({ id }) => id === turnId);
    if (turn === undefined || this.#store.isDisposed) return false;
    if (!canBeCut(turn, this.#conversation, cut)) return false;
    this.#apply({ kind: 'contextCut', turn: turnId, cut });
    return true;
  }

  /** Sends the request that waits to be sent again at once. */
  retryNow(): void {
    this.#endWait();
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

  #resumable(turnId: string): Turn | undefined {
    const last = this.#conversation.turns.at(-1);
    if (this.running || this.#store.isDisposed || last?.id !== turnId) return undefined;
    return last.end === undefined || last.end.kind === 'completed' || last.cut?.whole ? undefined : last;
  }

  #takeNote(...more: readonly string[]): UserMessageItem | undefined {
    const notes = [...(this.#ports.notes?.() ?? []), ...this.#notes, ...more];
    this.#notes = [];
    return notes.length === 0 ? undefined : noteMessage(notes);
  }

  #start(turn: Pick<TurnSpec, 'turn' | 'start'> & TurnChoice): void {
    const { model, clock, newId } = this.#ports;
    const { tools, facts } = this.nextTools();
    this.#tools = tools;
    const running = new AbortController();
    this.#running = running;
    this.#later = new AbortController();
    const spec = {
      ...turn,
      instructions: instructions(facts),
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
      wait: (milliseconds: number, signal: CancelSignal) => this.#wait(milliseconds, signal),
      random: Math.random,
      admit: (request: NextRequest) => this.#ports.admit(request, this),
    };
    this.#idle = this.#run(runTurn(ports, spec), running);
  }

  #wait(milliseconds: number, signal: CancelSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#endWait = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      this.#endWait = end;
    });
  }

  async #run(events: AsyncIterable<TurnEvent>, running: AbortController): Promise<void> {
    try {
      for await (const event of events) this.#apply(event);
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

  #apply(event: TurnEvent): void {
    this.#history = reduceHistory(this.#history, event);
    this.#requests = reduceRequests(this.#requests, event);
    // Idle before the event is told: whoever hears of the end may ask the next question.
    if (event.kind === 'turnEnded') this.#running = undefined;
    if (!isShown(event)) return;
    this.#conversation = reduce(this.#conversation, event);
    this.#happened.fire(event);
  }
}

/** In an unchanging order. A tool that was offered once stays: the calls of it that are sent again need its declaration. */
function withEarlier(earlier: readonly Tool[], now: readonly Tool[]): readonly Tool[] {
  const named = (tools: readonly Tool[], { declaration }: Tool): Tool | undefined =>
    tools.find((tool) => tool.declaration.name === declaration.name);
  return [
    ...earlier.map((tool) => named(now, tool) ?? tool),
    ...now.filter((tool) => named(earlier, tool) === undefined),
  ];
}
