/** The panel in the side bar: makes its page, checks what it says, and feeds it. Holds no state that a panel could lose. */
import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import { readIntent, type Intent } from '../../protocol/toHost.ts';
import type { ToWebview } from '../../protocol/toWebview.ts';
import { DisposableStore, MutableDisposable } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Draft } from './draft.ts';
import { Feed } from './feed.ts';
import { page } from './page.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { Sessions } from './sessions.ts';

export const viewId = 'kimiChat.chat';

export interface ChatViewParts {
  readonly extensionUri: vscode.Uri;
  readonly sessions: Sessions;
  readonly facts: PanelFacts;
  readonly draft: Draft;
  readonly log: Log;
}

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: ChatViewParts;
  readonly #intended = this.#store.add(new vscode.EventEmitter<Intent>());
  readonly #session = this.#store.add(new MutableDisposable());
  readonly #resolved = this.#store.add(new MutableDisposable());
  #view: vscode.WebviewView | undefined;
  #feed: Feed | undefined;
  /** The composer is to take the cursor as soon as the panel can. */
  #focusWanted = false;

  /** What the person asks for; `ready` is answered here and not passed on. */
  readonly onDidIntend = this.#intended.event;

  constructor(parts: ChatViewParts) {
    this.#parts = parts;
    const { sessions, facts } = parts;
    this.#follow();
    this.#store.add(
      sessions.onDidChangeCurrent((session) => {
        this.#follow();
        this.#feed?.replace(session.conversation);
      }),
    );
    this.#store.add(facts.onDidChange((panel) => this.post({ kind: 'panel', panel })));
    this.#store.add(vscode.window.registerWebviewViewProvider(viewId, this));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const store = new DisposableStore();
    this.#resolved.value = store;
    this.#view = view;
    const feed = new Feed({
      // A panel that went away meanwhile is told everything when it comes back.
      post: (message) => void view.webview.postMessage(message),
      now: () => performance.now(),
      wait: (milliseconds, then) => {
        const timer = setTimeout(then, milliseconds);
        return () => clearTimeout(timer);
      },
    });
    this.#feed = feed;
    store.add(view.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    store.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) feed.close();
      }),
    );
    store.add({ dispose: () => feed.close() });
    store.add(view.onDidDispose(() => this.#forget(view)));
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [
        vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'webview'),
        vscode.Uri.joinPath(this.#parts.extensionUri, 'media'),
      ],
    };
    view.webview.html = page(view.webview, this.#parts.extensionUri, randomBytes(16).toString('base64url'));
  }

  /** Sends a fact if a panel is there to take it. */
  post(message: Exclude<ToWebview, { kind: 'events' | 'snapshot' | 'conversation' }>): void {
    this.#feed?.post(message);
  }

  /** Shows the panel and puts the cursor into the composer. */
  async focus(): Promise<void> {
    this.#focusWanted = true;
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.post({ kind: 'focusComposer' });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #receive(message: unknown): void {
    const intent = readIntent(message);
    if (intent === undefined) {
      this.#parts.log.warn('The panel sent a message that is not understood');
      return;
    }
    if (intent.kind === 'ready') this.#restart();
    else this.#intended.fire(intent);
  }

  #restart(): void {
    const { sessions, facts, draft } = this.#parts;
    this.#feed?.restart({
      conversation: sessions.current.conversation,
      panel: facts.current,
      draft: draft.text,
    });
    if (this.#focusWanted) this.post({ kind: 'focusComposer' });
    this.#focusWanted = false;
  }

  #follow(): void {
    const session = this.#parts.sessions.current;
    this.#session.value = session.onDidHappen((event) => this.#feed?.push(event));
  }

  #forget(view: vscode.WebviewView): void {
    if (this.#view !== view) return;
    this.#resolved.value = undefined;
    this.#view = undefined;
    this.#feed = undefined;
  }
}
