/** The conversations of this window. Starting a new one leaves the others as they are, running ones included. */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import { DisposableStore } from '../disposables.ts';
import { ChatSession, type SessionPorts } from './session.ts';

export class Sessions implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ports: SessionPorts;
  readonly #changed = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #all: ChatSession[] = [];
  #current: ChatSession;

  /** Another conversation is the current one. */
  readonly onDidChangeCurrent = this.#changed.event;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#current = this.#add();
  }

  get current(): ChatSession {
    return this.#current;
  }

  /** Newest first; empty ones are left out. */
  get started(): readonly ChatSession[] {
    return this.#all.filter((session) => session.conversation.turns.length > 0).toReversed();
  }

  /** Makes an empty conversation the current one; an empty one that is current already stays. */
  startNew(): void {
    if (this.#current.conversation.turns.length === 0) return;
    const empty = this.#all.find((session) => session.conversation.turns.length === 0);
    this.show(empty ?? this.#add());
  }

  show(session: ChatSession): void {
    if (session === this.#current) return;
    this.#current = session;
    this.#changed.fire(session);
  }

  /** See `ChatSession.tellLater`. False when the proposal is of a conversation that is gone. */
  tellLater(proposal: ProposalSummary, report: string | undefined): boolean {
    return this.#all.some((session) => session.tellLater(proposal, report));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #add(): ChatSession {
    const session = this.#store.add(new ChatSession(this.#ports));
    this.#all.push(session);
    return session;
  }
}
