/** The question being written: its text and its chips. Survives the panel, and its text the window. */
import * as vscode from 'vscode';

import { sameTarget } from './attachments.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';

const stateKey = 'draft';
/** In UTF-16 units. The editor's state storage is no place for more; a longer draft lives until the window closes. */
const maxKeptLength = 20_000;

/** A question on its way from the panel to the model. */
export interface SentQuestion {
  /** The panel's own name for it. */
  readonly id: string;
  /** As it was typed. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export class Draft implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #state: vscode.Memento;
  readonly #log: Log;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  #text: string;
  #attachments: readonly Attachment[] = [];
  #lastAsked: string | undefined;

  /** The chips changed; the text is the panel's own and is not told back. */
  readonly onDidChangeAttachments = this.#changed.event;

  constructor(state: vscode.Memento, log: Log) {
    this.#state = state;
    this.#log = log;
    const kept = state.get<unknown>(stateKey);
    this.#text = typeof kept === 'string' ? kept : '';
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    const kept = text === '' || text.length > maxKeptLength ? undefined : text;
    this.#state.update(stateKey, kept).then(undefined, (error: unknown) => {
      this.#log.warn('The draft could not be kept', error);
    });
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** Id of the question that was asked last. */
  get lastAsked(): string | undefined {
    return this.#lastAsked;
  }

  /** A chip for the same lines replaces the older one: its text may be out of date. */
  attach(attachments: readonly Attachment[]): void {
    const others = this.#attachments.filter((old) => !attachments.some((added) => sameTarget(old, added)));
    this.#attachments = [...others, ...attachments];
    this.#changed.fire();
  }

  remove(id: string): void {
    this.#keep((attachment) => attachment.id !== id);
  }

  /** The question became part of a conversation. What was written or attached since it was sent stays. */
  asked(question: SentQuestion): void {
    this.#lastAsked = question.id;
    if (this.#text === question.text) this.text = '';
    this.#keep((attachment) => !question.attachments.includes(attachment));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #keep(stays: (attachment: Attachment) => boolean): void {
    const rest = this.#attachments.filter(stays);
    if (rest.length === this.#attachments.length) return;
    this.#attachments = rest;
    this.#changed.fire();
  }
}
