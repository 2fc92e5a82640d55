/** One panel in an editor tab: where its page stands. */
import * as vscode from 'vscode';

import type { Intent } from '../../protocol/toHost.ts';
import { DisposableStore } from '../disposables.ts';
import { ChatPage, type ChatPageParts, type Fact, type FocusFact } from './chatPage.ts';

export class ChatTab implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #page: ChatPage;
  readonly #panel: vscode.WebviewPanel;

  /** See `ChatPage.onDidIntend`. */
  readonly onDidIntend: vscode.Event<Intent>;

  /** The person came to it. */
  readonly onDidComeToFront: vscode.Event<void>;

  /** @param tab the panel's own name, which its page keeps and which leads back to it after a reload */
  constructor(parts: ChatPageParts, panel: vscode.WebviewPanel, tab: string) {
    this.#panel = panel;
    const page = this.#store.add(
      new ChatPage(parts, () => {
        // It may have been closed in the very moment.
        if (!this.#store.isDisposed) panel.reveal();
        return Promise.resolve();
      }),
    );
    this.#page = page;
    this.onDidIntend = page.onDidIntend;
    const cameToFront = this.#store.add(new vscode.EventEmitter<void>());
    this.onDidComeToFront = cameToFront.event;
    this.#store.add(
      panel.onDidChangeViewState(() => {
        if (panel.active) cameToFront.fire();
      }),
    );
    page
      .put({
        tab,
        webview: panel.webview,
        isVisible: () => panel.visible,
        onDidChangeVisibility: panel.onDidChangeViewState,
        onDidDispose: panel.onDidDispose,
      })
      .catch((error: unknown) => parts.log.bug('tab', error));
  }

  /** See `ChatPage.post`. */
  post(message: Fact): void {
    this.#page.post(message);
  }

  /** See `ChatPage.focus`. */
  async focus(wanted?: FocusFact): Promise<void> {
    await this.#page.focus(wanted);
  }

  /** See `ChatPage.find`. */
  async find(): Promise<void> {
    await this.#page.find();
  }

  /** The person can see the panel. */
  get visible(): boolean {
    return this.#page.visible;
  }

  set title(title: string) {
    if (this.#panel.title !== title) this.#panel.title = title;
  }

  /** Lets go of the page; the tab is the person's to close. */
  dispose(): void {
    this.#store.dispose();
  }
}
