/** The question being written: its text and its chips. Survives the panel, and its text the window. */
import * as vscode from 'vscode';

import { sameTarget } from './attachments.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { DisposableStore } from '../disposables.ts';

const stateKey = 'draft';
/** In UTF-16 units. The editor's state storage is no place for more; a longer draft lives until the window closes. */
const maxKeptLength = 20_000;

export class Draft implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #state: vscode.Memento;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  #text: string;
  #attachments: readonly Attachment[] = [];

  /** The chips changed; the text is the panel's own and is not told back. */
  readonly onDidChangeAttachments = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#text = state.get(stateKey, '');
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    void this.#state.update(stateKey, text === '' || text.length > maxKeptLength ? undefined : text);
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** A chip for the same lines replaces the older one: its text may be out of date. */
  attach(attachments: readonly Attachment[]): void {
    const others = this.#attachments.filter((old) => !attachments.some((added) => sameTarget(old, added)));
    this.#attachments = [...others, ...attachments];
    this.#changed.fire();
  }

  remove(id: string): void {
    const rest = this.#attachments.filter((attachment) => attachment.id !== id);
    if (rest.length === this.#attachments.length) return;
    this.#attachments = rest;
    this.#changed.fire();
  }

  /** The question was asked. */
  clear(): void {
    this.text = '';
    if (this.#attachments.length === 0) return;
    this.#attachments = [];
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
