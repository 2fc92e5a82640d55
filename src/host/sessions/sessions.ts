/**
 * The conversations of this window. Starting or branching off another one leaves the others as they are, running ones included. Which of
 * them a panel shows is for `PanelSessions`.
 */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import { familiesOf } from '../../core/conversation/families.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import type { TurnVersions } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import { paidRequests, versionsIn, type PaidRequests } from './families.ts';
import { ChatSession, type SessionPorts } from './session.ts';
import type { SessionSeed } from './sessionSeed.ts';

export class Sessions implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ports: SessionPorts;
  readonly #versionsChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #reviewed = this.#store.add(new vscode.EventEmitter<ProposalSummary>());
  readonly #asked = this.#store.add(new vscode.EventEmitter<void>());
  readonly #ended = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #closed = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #back = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #showing = this.#store.add(new vscode.EventEmitter<void>());
  /** What is owned with each of them. */
  readonly #owned = new Map<ChatSession, DisposableStore>();
  #all: readonly ChatSession[] = [];
  /** When those began that an earlier window had. */
  readonly #began = new Map<ChatSession, number>();
  #restored: Promise<void> = Promise.resolve();
  /** When each began to be shown last: the later, the larger. */
  readonly #shown = new Map<ChatSession, number>();
  /** What each panel shows. */
  readonly #panels = new Map<object, ChatSession>();

  /** What `versionsOf` tells of a conversation may be another. Not told of while text comes. */
  readonly onDidChangeVersions = this.#versionsChanged.event;

  /** Something became of a proposal, in whichever conversation. */
  readonly onDidReview = this.#reviewed.event;

  /** A turn of any of the conversations has come to its end. */
  readonly onDidEndTurn = this.#ended.event;

  /** A tool asks the person something in any of the conversations, or does no longer. */
  readonly onDidAsk = this.#asked.event;

  /** Some panel shows another conversation, or none any more. */
  readonly onDidShow = this.#showing.event;

  /** A conversation was let go of: whoever shows it goes on with another one, whoever remembers something of it forgets that. */
  readonly onDidClose = this.#closed.event;

  /** A conversation that was there before is there again: of an earlier window, or one that was let go of. */
  readonly onDidRestore = this.#back.event;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** In the order in which they began. */
  get all(): readonly ChatSession[] {
    return this.#all;
  }

  /** The one that was shown last first. */
  get recent(): readonly ChatSession[] {
    return this.#all.toSorted((a, b) => this.lastShown(b) - this.lastShown(a));
  }

  /** A panel shows it, whether or not a person can see that panel. */
  isShown(session: ChatSession): boolean {
    return [...this.#panels.values()].includes(session);
  }

  /** A panel shows it, or another version of its turns. */
  isFamilyShown(session: ChatSession): boolean {
    return this.#familyOf(session).some((one) => this.isShown(one));
  }

  /** From now on this panel shows it, and no longer what it showed before; with undefined it shows nothing any more. */
  noteShown(panel: object, session: ChatSession | undefined): void {
    if (session === undefined) this.#panels.delete(panel);
    else {
      this.#panels.set(panel, session);
      this.#shown.set(session, Math.max(-1, ...this.#shown.values()) + 1);
    }
    this.#showing.fire();
  }

  /** The later a panel began to show it, the larger; -1 when none ever did. */
  lastShown(session: ChatSession): number {
    return this.#shown.get(session) ?? -1;
  }

  /** The turns of a conversation that have other versions. */
  versionsOf(session: ChatSession): readonly TurnVersions[] {
    return versionsIn(session, this.#familyOf(session), (one) => this.lastShown(one));
  }

  /** What is paid for as one conversation with the one of this id: all versions of its turns. */
  paidRequests(id: string): PaidRequests {
    const session = this.find(id);
    if (session === undefined) return { all: [], otherVersions: [], beforeFork: [] };
    return paidRequests(session, this.#familyOf(session));
  }

  /** An empty conversation that no panel shows. A branch before a first question is none: that question is on its way. */
  empty(): ChatSession {
    return (
      this.#all.find(
        (session) => session.parent === undefined && isEmpty(session) && !this.isShown(session),
      ) ?? this.#add()
    );
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
    this.#back.fire(session);
    this.#versionsChanged.fire();
    return session;
  }

  /** Lets go of a conversation, whatever goes on in it. Panels that show it go on with an empty one. What is written of it is for others. */
  close(session: ChatSession): void {
    const owned = this.#owned.get(session);
    if (owned === undefined) return;
    this.#all = this.#all.filter((one) => one !== session);
    this.#owned.delete(session);
    this.#began.delete(session);
    this.#shown.delete(session);
    this.#closed.fire(session);
    this.#store.delete(owned);
    this.#versionsChanged.fire();
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

  /** See `ChatSession.noteNaming`. Told to each conversation that has the turn, for branches share their beginnings. */
  noteNaming(event: Extract<ShownEvent, { kind: 'namingSent' | 'namingEnded' }>): void {
    for (const session of this.#all) session.noteNaming(event);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #familyOf(session: ChatSession): readonly ChatSession[] {
    return familiesOf(this.#all).find((one) => one.includes(session)) ?? [session];
  }

  #add(seed?: SessionSeed, createdAt?: number): ChatSession {
    const owned = this.#store.add(new DisposableStore());
    const session = owned.add(new ChatSession(this.#ports, seed));
    this.#owned.set(session, owned);
    if (createdAt === undefined) {
      this.#all = [...this.#all, session];
      this.#ports.keeper?.begun(session, seed);
    } else {
      this.#began.set(session, createdAt);
      const began = (one: ChatSession): number => this.#began.get(one) ?? Infinity;
      const at = this.#all.findIndex((one) => began(one) > createdAt);
      this.#all = this.#all.toSpliced(at === -1 ? this.#all.length : at, 0, session);
    }
    owned.add(
      session.onDidHappen((event) => {
        if (concernsVersions(event)) this.#versionsChanged.fire();
        if (event.kind === 'approvalAsked' || event.kind === 'approvalAnswered') this.#asked.fire();
        if (event.kind === 'toolReviewed') this.#reviewed.fire(event.proposal);
        // What the other window does after it is done there.
        if (event.kind === 'turnEnded' && !session.elsewhere) this.#ended.fire(session);
      }),
    );
    owned.add(session.onDidReplace(() => this.#versionsChanged.fire()));
    return session;
  }
}

/** One whose first question is on its way is not. */
export function isEmpty({ conversation, running }: ChatSession): boolean {
  return conversation.turns.length === 0 && !running;
}

function concernsVersions({ kind }: ShownEvent): boolean {
  switch (kind) {
    case 'turnStarted':
    case 'turnResumed':
    case 'turnEnded':
    case 'requestSent':
    case 'requestEnded':
    case 'namingEnded':
    case 'turnRemoved':
    case 'turnRestored':
      return true;
    default:
      return false;
  }
}
