/**
 * Stands in for the side bar: runs the panel's own logic without drawing, can be hidden and shown at the moment a test wants, and
 * remembers what came. What people see and click is for the end-to-end tests.
 */
import * as vscode from 'vscode';

import type { ToHost } from '../../src/protocol/toHost.ts';
import type { ToWebview } from '../../src/protocol/toWebview.ts';
import type { ChatView } from '../../src/host/chat/chatView.ts';
import type { SavedPanel } from '../../src/webview/host.ts';
import { apply, firstState, toSave, withDraft, withSent, type State } from '../../src/webview/store.ts';

export class PanelDouble {
  /** All that the host posted, in order, as long as a page was there. */
  readonly posts: ToWebview[] = [];
  readonly #host: ChatView;
  readonly #said = new vscode.EventEmitter<unknown>();
  readonly #visibility = new vscode.EventEmitter<void>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #heard = new vscode.EventEmitter<void>();
  #resolved = false;
  #page: State | undefined;
  /** What VS Code keeps for the page while there is none. */
  #saved: SavedPanel | undefined;
  #sent = 0;
  #loading = false;

  constructor(host: ChatView) {
    this.#host = host;
  }

  get state(): State {
    if (this.#page === undefined) throw new Error('no page is there');
    return this.#page;
  }

  get notices(): readonly string[] {
    return this.posts.flatMap((post) => (post.kind === 'notice' ? [post.text] : []));
  }

  get visible(): boolean {
    return this.#page !== undefined;
  }

  /** Makes the view visible with a fresh page, as VS Code does each time. A page that is loading goes on doing so. */
  show(): void {
    if (this.#page !== undefined) return;
    this.load();
    this.ready();
  }

  /** The page is there and has not said so yet. */
  load(): void {
    if (this.#page !== undefined) return;
    this.#page = firstState(this.#saved);
    this.#loading = true;
    if (this.#resolved) this.#visibility.fire();
    else void this.#host.resolveWebviewView(this.#view());
    this.#resolved = true;
  }

  ready(): void {
    if (!this.#loading) return;
    this.#loading = false;
    this.say({ kind: 'ready' });
  }

  hide(): void {
    this.#page = undefined;
    this.#visibility.fire();
  }

  /** VS Code throws the view away, as when it is moved to another side. */
  dispose(): void {
    this.#page = undefined;
    this.#resolved = false;
    this.#disposed.fire();
  }

  /** As a message from the page, well-formed or not. */
  say(message: unknown): void {
    this.#said.fire(message);
  }

  type(text: string): void {
    this.#change(withDraft(this.state, text));
    this.tell({ kind: 'draftChanged', text });
  }

  /** Presses Enter; again while the question is on its way, it is the same question. */
  send(): void {
    const { draft } = this.state;
    this.#sent += 1;
    const next = withSent(this.state, draft, `question ${this.#sent}`);
    this.#change(next);
    this.tell({ kind: 'send', ...next.sent });
  }

  ask(text: string): void {
    this.type(text);
    this.send();
  }

  tell(intent: ToHost): void {
    this.say(intent);
  }

  async until(passes: (state: State) => boolean): Promise<void> {
    while (this.#page === undefined || !passes(this.#page)) {
      await new Promise<void>((resolve) => {
        const listener = this.#heard.event(() => {
          listener.dispose();
          resolve();
        });
      });
    }
  }

  #change(state: State): void {
    this.#page = state;
    this.#saved = toSave(state);
    this.#heard.fire();
  }

  #take(message: ToWebview): void {
    if (this.#page === undefined) return;
    this.posts.push(message);
    const before = this.#page;
    const { state, effects } = apply(before, message, Date.now());
    this.#change(state);
    if (state.draft !== before.draft) this.tell({ kind: 'draftChanged', text: state.draft });
    for (const effect of effects) {
      if (effect.kind !== 'insertText') continue;
      this.type(state.draft + effect.text);
      this.tell({ kind: 'removeAttachment', attachment: effect.attachment });
    }
    if (effects.some(({ kind }) => kind === 'askSnapshot')) this.tell({ kind: 'ready' });
  }

  #view(): vscode.WebviewView {
    const isVisible = (): boolean => this.#page !== undefined;
    const webview: vscode.Webview = {
      options: {},
      html: '',
      cspSource: 'vscode-webview:',
      onDidReceiveMessage: this.#said.event,
      asWebviewUri: (uri) => uri,
      postMessage: (message) => {
        this.#take(message as ToWebview);
        return Promise.resolve(isVisible());
      },
    };
    return {
      viewType: 'double',
      webview,
      onDidDispose: this.#disposed.event,
      onDidChangeVisibility: this.#visibility.event,
      show: () => this.show(),
      get visible() {
        return isVisible();
      },
    };
  }
}
