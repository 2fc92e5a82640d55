/**
 * Panels in editor tabs: opens them, and has them come back after a reload, each with its own conversation and its own draft. What a panel is
 * made of is for others.
 */
import { join } from 'node:path';

import * as v from 'valibot';
import * as vscode from 'vscode';

import type { Conversation } from '../../core/conversation/conversation.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import { OwnStorage, type OwnStorageOptions } from '../ownStorage.ts';
import type { ChatPanels } from './chatPanels.ts';
import { ChatTab } from './chatTab.ts';
import { ComposerStore } from '../composer/composerStore.ts';
import { tabTitle } from '../sessions/conversationTitle.ts';
import { Draft } from '../composer/draft.ts';
import { showWhileRead } from '../sessions/firstLook.ts';
import { PanelSessions } from '../sessions/panelSessions.ts';
import type { OwnParts, ServedPanel } from './servePanel.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

const editorType = 'kimiChat.editor';

export interface ChatEditorsParts {
  readonly panels: ChatPanels;
  readonly sessions: Sessions;
  readonly serve: (own: OwnParts<ChatTab>) => ServedPanel<ChatTab>;
  /** The end of the one of this id, where the whole takes a while to read. Must not reject. */
  readonly peek?: (id: string) => Promise<Conversation | undefined>;
  /** The conversation of this id, read again where it is not open. */
  readonly open: (id: string) => Promise<ChatSession | undefined>;
  /** Of a conversation that was named. */
  readonly titleOf: (id: string) => string | undefined;
  /** Calls the listener when a title may be another. Returns the way to call it off. */
  readonly onDidChangeTitles: (listener: () => void) => { dispose(): void } | undefined;
  /** Where drafts are kept, one folder for each tab; nowhere when absent. */
  readonly drafts?: string;
  readonly storage?: OwnStorageOptions;
  readonly extensionUri: vscode.Uri;
  readonly newId: () => string;
  readonly log: Log;
}

/** What the page of a tab keeps. It is no more to be trusted than any message of it. */
const tabState = v.object({
  tab: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  conversation: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
});

interface OpenTab {
  readonly panel: ServedPanel<ChatTab>;
  readonly name: string;
}

export class ChatEditors implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: ChatEditorsParts;
  #tabs: readonly OpenTab[] = [];

  constructor(parts: ChatEditorsParts) {
    this.#parts = parts;
    this.#store.add(vscode.window.registerWebviewPanelSerializer(editorType, this));
  }

  /** Shows a conversation in a tab, the one that has it already if there is one. False when there is no such conversation. */
  async open(id: string): Promise<boolean> {
    const { sessions, open } = this.#parts;
    const end = await this.#peek(id);
    if (end !== undefined) {
      const frame = vscode.window.createWebviewPanel(editorType, '', vscode.ViewColumn.Active);
      const panel = this.#serve(frame, sessions.empty(), id);
      await panel.view.focus();
      return (await this.#showWhileRead(panel, end)) !== undefined;
    }
    const session = sessions.find(id) ?? (await open(id));
    if (session === undefined) return false;
    await this.show(session);
    return true;
  }

  /** `open`, of a conversation that is there. An empty one when absent. */
  async show(session: ChatSession = this.#parts.sessions.empty()): Promise<void> {
    const { panels } = this.#parts;
    const known = panels.tabOf(session);
    if (known !== undefined) return await known.view.focus();
    const frame = vscode.window.createWebviewPanel(editorType, '', vscode.ViewColumn.Active);
    await this.#serve(frame, session, session.conversation.id).view.focus();
  }

  async deserializeWebviewPanel(frame: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { sessions, open, newId, log } = this.#parts;
    const read = v.safeParse(tabState, state);
    const kept = read.success ? read.output : undefined;
    let isClosed = false;
    const closing = frame.onDidDispose(() => {
      isClosed = true;
    });
    const end = kept && (await this.#peek(kept.conversation));
    const session =
      kept === undefined || end !== undefined
        ? undefined
        : (sessions.find(kept.conversation) ??
          (await open(kept.conversation).catch((error: unknown) => {
            log.bug('a tab', error);
            return undefined;
          })));
    closing.dispose();
    if (isClosed || this.#store.isDisposed) return;
    const panel = this.#serve(frame, session ?? sessions.empty(), kept?.tab ?? newId());
    if (end === undefined) return;
    // What VS Code waits for is the tab.
    this.#showWhileRead(panel, end).catch((error: unknown) => log.bug('a tab', error));
  }

  async #peek(id: string): Promise<Conversation | undefined> {
    return this.#parts.sessions.find(id) === undefined ? await this.#parts.peek?.(id) : undefined;
  }

  async #showWhileRead(
    { sessions }: ServedPanel<ChatTab>,
    end: Conversation,
  ): Promise<ChatSession | undefined> {
    return await showWhileRead(sessions, {
      peek: () => Promise.resolve(end),
      open: () => this.#parts.open(end.id),
    });
  }

  /** The tabs stay, for the next run to find them. */
  dispose(): void {
    this.#store.dispose();
  }

  /** @param wanted its name, unless another one has that */
  #serve(frame: vscode.WebviewPanel, session: ChatSession, wanted: string): ServedPanel<ChatTab> {
    const { panels, sessions: window, serve, drafts, extensionUri, newId, log } = this.#parts;
    const store = this.#store.add(new DisposableStore());
    const name = this.#tabs.some((one) => one.name === wanted) ? newId() : wanted;
    const folder = drafts === undefined ? undefined : join(drafts, name);
    const kept = store.add(new ComposerStore(new OwnStorage(folder, log, this.#parts.storage)));
    const draft = store.add(new Draft(kept, panels.side.draft.askedBefore));
    const sessions = store.add(new PanelSessions(window, session));
    const panel = store.add(
      serve({
        ...{ sessions, draft, leavesQueue: true },
        makeView: (parts) => new ChatTab(parts, frame, name),
      }),
    );
    const tab = { panel, name };
    this.#tabs = [...this.#tabs, tab];
    panels.add(panel);
    if (frame.active) panels.use(panel);
    frame.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    store.add(panel.view.onDidComeToFront(() => panels.use(panel)));
    store.add(panel.view.onDidIntend(() => panels.use(panel)));
    this.#keepTitle(panel, store);
    void panel.facts.readKey();
    frame.onDidDispose(() => {
      this.#tabs = this.#tabs.filter((one) => one !== tab);
      panels.remove(panel);
      // What was typed is there when the conversation is opened in a tab again, however soon this one was closed.
      void draft.whenRead.then(() => {
        if (draft.isEmpty) void kept.forget();
        this.#store.delete(store);
      });
    });
    return panel;
  }

  #keepTitle({ sessions, view }: ServedPanel<ChatTab>, store: DisposableStore): void {
    const { titleOf, onDidChangeTitles } = this.#parts;
    const name = (): void => {
      const { id, turns } = sessions.current.conversation;
      const first = turns.find(({ removed }) => removed !== true)?.question.text;
      const title = titleOf(id) ?? first;
      view.title = title === undefined ? vscode.l10n.t('Kimi Chat') : tabTitle(title);
    };
    name();
    store.add(sessions.onDidChangeCurrent(name));
    store.add(sessions.onDidChangeVersions(name));
    const titles = onDidChangeTitles(name);
    if (titles !== undefined) store.add(titles);
  }
}
