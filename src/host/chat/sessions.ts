/** The conversations of this window. Starting or branching off another one leaves the others as they are, running ones included. */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import type { TurnVersions } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import { familiesOf, paidRequests, versionsIn, type PaidRequests } from './families.ts';
import { ChatSession, type SessionPorts, type SessionSeed } from './session.ts';

export class Sessions implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ports: SessionPorts;
  readonly #changed = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #versionsChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #reviewed = this.#store.add(new vscode.EventEmitter<ProposalSummary>());
  readonly #asked = this.#store.add(new vscode.EventEmitter<void>());
  #all: readonly ChatSession[] = [];
  /** When those began that an earlier window had. */
  readonly #began = new Map<ChatSession, number>();
  #restored: Promise<void> = Promise.resolve();
  /** When each was shown last: the later, the larger. */
  readonly #shown = new Map<ChatSession, number>();
  #current: ChatSession;

  /** Another conversation is the current one. */
  readonly onDidChangeCurrent = this.#changed.event;

  /** What `versions` tells of the current conversation may be another. Not told of while text comes. */
  readonly onDidChangeVersions = this.#versionsChanged.event;

  /** Something became of a proposal, in whichever conversation. */
  readonly onDidReview = this.#reviewed.event;

  /** A tool asks the person something in any of the conversations, or does no longer. */
  readonly onDidAsk = this.#asked.event;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#current = this.#add();
  }

  /** In the order in which they began. */
  get all(): readonly ChatSession[] {
    return this.#all;
  }

  get current(): ChatSession {
    return this.#current;
  }

  /** The families of conversations, the newest first, in each the one first that was shown last. Empty conversations are left out. */
  get families(): readonly (readonly ChatSession[])[] {
    return familiesOf(this.#all)
      .map((family) =>
        family
          .filter(({ conversation }) => conversation.turns.length > 0)
          .toSorted((a, b) => this.#lastShown(b) - this.#lastShown(a)),
      )
      .filter((family) => family.length > 0)
      .toReversed();
  }

  /** The turns of the current conversation that have other versions. */
  get versions(): readonly TurnVersions[] {
    return versionsIn(this.#current, this.#familyOf(this.#current), (session) => this.#lastShown(session));
  }

  /** What is paid for as one conversation with the one of this id: all versions of its turns. */
  paidRequests(id: string): PaidRequests {
    const session = this.find(id);
    if (session === undefined) return { all: [], otherVersions: [], beforeFork: [] };
    return paidRequests(session, this.#familyOf(session));
  }

  /** Makes an empty conversation the current one; an empty one that is current already stays. */
  startNew(): void {
    if (isEmpty(this.#current)) return;
    this.show(this.#all.find(isEmpty) ?? this.#add());
  }

  /** Another conversation with this beginning. It is not shown. */
  branch(seed: SessionSeed): ChatSession {
    return this.#add(seed);
  }

  /** Resolves when the conversation that an earlier window showed last is shown again, or is not to be. Never rejects. */
  get whenRestored(): Promise<void> {
    return this.#restored;
  }

  /** What is to be waited for before anything is shown. It must not reject. */
  set whenRestored(work: Promise<void>) {
    this.#restored = work;
  }

  /**
   * A conversation that an earlier window had goes on. It is not shown.
   * @param createdAt milliseconds since the epoch
   */
  restore(seed: SessionSeed, createdAt: number): ChatSession {
    const session = this.#add(seed, createdAt);
    this.#versionsChanged.fire();
    return session;
  }

  show(session: ChatSession): void {
    if (session === this.#current) return;
    this.#shown.set(this.#current, this.#shown.size === 0 ? 0 : Math.max(...this.#shown.values()) + 1);
    this.#current = session;
    this.#changed.fire(session);
  }

  /** The conversation of this id; undefined when there is none. */
  find(id: string): ChatSession | undefined {
    return this.#all.find(({ conversation }) => conversation.id === id);
  }

  /**
   * See `ChatSession.tellLater`. Told to each conversation that has the proposal, for branches share their beginnings. False when there is
   * none: it is of a conversation that is gone.
   */
  tellLater(proposal: ProposalSummary, report: string | undefined): boolean {
    return this.#all.filter((session) => session.tellLater(proposal, report)).length > 0;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #familyOf(session: ChatSession): readonly ChatSession[] {
    return familiesOf(this.#all).find((one) => one.includes(session)) ?? [session];
  }

  /** The current one is shown later than all others. */
  #lastShown(session: ChatSession): number {
    return session === this.#current ? Infinity : (this.#shown.get(session) ?? -1);
  }

  #add(seed?: SessionSeed, createdAt?: number): ChatSession {
    const session = this.#store.add(new ChatSession(this.#ports, seed));
    if (createdAt === undefined) {
      this.#all = [...this.#all, session];
      this.#ports.keeper?.begun(session, seed);
    } else {
      this.#began.set(session, createdAt);
      const began = (one: ChatSession): number => this.#began.get(one) ?? Infinity;
      const at = this.#all.findIndex((one) => began(one) > createdAt);
      this.#all = this.#all.toSpliced(at === -1 ? this.#all.length : at, 0, session);
    }
    this.#store.add(
      session.onDidHappen((event) => {
        if (concernsVersions(event)) this.#versionsChanged.fire();
        if (event.kind === 'approvalAsked' || event.kind === 'approvalAnswered') this.#asked.fire();
        if (event.kind === 'toolReviewed') this.#reviewed.fire(event.proposal);
      }),
    );
    return session;
  }
}

/** One whose first question is on its way is not. */
function isEmpty({ conversation, running }: ChatSession): boolean {
  return conversation.turns.length === 0 && !running;
}

function concernsVersions({ kind }: ShownEvent): boolean {
  switch (kind) {
    case 'turnStarted':
    case 'turnResumed':
    case 'turnEnded':
    case 'requestSent':
    case 'requestEnded':
    case 'turnRemoved':
    case 'turnRestored':
      return true;
    default:
      return false;
  }
}
