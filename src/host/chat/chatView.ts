/** The panel in the side bar: where its page stands. */
import * as vscode from 'vscode';

import type { Intent } from '../../protocol/toHost.ts';
import { DisposableStore, MutableDisposable } from '../disposables.ts';
import { ChatPage, type ChatPageParts, type Fact, type FocusFact } from './chatPage.ts';

export const viewId = 'kimiChat.chat';

export interface ChatViewParts extends ChatPageParts {
  /** Only tests give another: a view has one provider. */
  readonly viewId?: string;
}

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #page: ChatPage;
  readonly #resolved = this.#store.add(new MutableDisposable());
  #view: vscode.WebviewView | undefined;
  /** How many things wait for the person, and how that is said. */
  #badge: vscode.ViewBadge | undefined;

  /** See `ChatPage.onDidIntend`. */
  readonly onDidIntend: vscode.Event<Intent>;

  constructor({ viewId: id = viewId, ...parts }: ChatViewParts) {
    const reveal = (): Thenable<unknown> => vscode.commands.executeCommand(`${id}.focus`);
    this.#page = this.#store.add(new ChatPage(parts, reveal));
    this.onDidIntend = this.#page.onDidIntend;
    this.#store.add(vscode.window.registerWebviewViewProvider(id, this));
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.#view = view;
    view.badge = this.#badge;
    this.#resolved.value = view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#resolved.value = undefined;
    });
    await this.#page.put({
      webview: view.webview,
      isVisible: () => view.visible,
      onDidChangeVisibility: view.onDidChangeVisibility,
      onDidDispose: view.onDidDispose,
    });
  }

  /** See `ChatPage.post`. */
  post(message: Fact): void {
    this.#page.post(message);
  }

  /** See `ChatPage.focus`. */
  async focus(wanted?: FocusFact): Promise<void> {
    await this.#page.focus(wanted);
  }

  /** The person can see the panel. */
  get visible(): boolean {
    return this.#page.visible;
  }

  /** See `ChatPage.find`. */
  async find(): Promise<void> {
    await this.#page.find();
  }

  /** Shows on the panel's icon that something waits for the person; nothing of it with 0. */
  setBadge(value: number, tooltip: string): void {
    this.#badge = value === 0 ? undefined : { value, tooltip };
    if (this.#view !== undefined) this.#view.badge = this.#badge;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
