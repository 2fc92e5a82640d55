/** The conversation that one panel shows, among all of the window. Two panels may show the same one; what happens in it, both hear of. */
import * as vscode from 'vscode';

import type { Conversation } from '../../core/conversation/conversation.ts';
import type { TurnVersions } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import type { PaidRequests } from './families.ts';
import type { ChatSession } from './session.ts';
import type { SessionSeed } from './sessionSeed.ts';
import { isEmpty, type Sessions } from './sessions.ts';

export class PanelSessions implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ChatSession>());
  readonly #previewChanged = this.#store.add(new vscode.EventEmitter<void>());
  #previewed: Conversation | undefined;
  #current: ChatSession;

  /** The conversations of the window. */
  readonly window: Sessions;

  /** Another conversation is the current one. */
  readonly onDidChangeCurrent = this.#changed.event;

  /** `previewed` is another. Not told of when the conversation itself takes its place. */
  readonly onDidPreview = this.#previewChanged.event;

  /** What `versions` tells of the current conversation may be another. Not told of while text comes. */
  readonly onDidChangeVersions: vscode.Event<void>;

  /** @param first an empty conversation when absent */
  constructor(window: Sessions, first: ChatSession = window.empty()) {
    this.window = window;
    this.onDidChangeVersions = window.onDidChangeVersions;
    this.#current = first;
    window.noteShown(this, first);
    this.#store.add(
      window.onDidClose((session) => {
        if (session === this.#current) this.show(window.empty());
      }),
    );
  }

  get current(): ChatSession {
    return this.#current;
  }

  /** The turns of the current conversation that have other versions. */
  get versions(): readonly TurnVersions[] {
    return this.window.versionsOf(this.#current);
  }

  /** The end of a conversation that is still being read. It stands in the place of the current one, and nothing can be done in it yet. */
  get previewed(): Conversation | undefined {
    return this.#previewed;
  }

  preview(conversation: Conversation | undefined): void {
    if (conversation === this.#previewed || this.#store.isDisposed) return;
    this.#previewed = conversation;
    this.#previewChanged.fire();
  }

  /** Whoever wanted to show something in a panel that is gone by then shows it nowhere. */
  show(session: ChatSession): void {
    if (this.#store.isDisposed || session.isClosed) return;
    if (session === this.#current) {
      this.preview(undefined);
      return;
    }
    this.#previewed = undefined;
    this.#current = session;
    this.window.noteShown(this, session);
    this.#changed.fire(session);
  }

  /** Makes an empty conversation the current one; an empty one that is current already stays. */
  startNew(): void {
    if (!isEmpty(this.#current)) this.show(this.window.empty());
    else this.preview(undefined);
  }

  /** See `Sessions.branch`. */
  branch(seed: SessionSeed): ChatSession {
    return this.window.branch(seed);
  }

  /** See `Sessions.find`. */
  find(id: string): ChatSession | undefined {
    return this.window.find(id);
  }

  /** See `Sessions.paidRequests`. */
  paidRequests(id: string): PaidRequests {
    return this.window.paidRequests(id);
  }

  dispose(): void {
    this.#store.dispose();
    this.window.noteShown(this, undefined);
  }
}
