/**
 * The page of one panel, wherever that stands: makes it, checks what it says, and feeds it. Holds no state that a panel could lose, and does
 * not know how a panel comes to be there.
 */
import { randomBytes, randomUUID } from 'node:crypto';

import * as vscode from 'vscode';

import type { Conversation } from '../../core/conversation/conversation.ts';
import { maxTextLength, readIntent, type Intent } from '../../protocol/toHost.ts';
import type { QueueFacts, ToWebview } from '../../protocol/toWebview.ts';
import { DisposableStore, MutableDisposable } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Draft } from '../composer/draft.ts';
import { Feed, type Told } from './feed.ts';
import { page } from './page.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import { panelTexts } from './panelTexts.ts';
import type { Queue } from './queue.ts';
import { ShownDecisions } from './shownDecisions.ts';

/** What is told beside the conversation itself. */
export type Fact = Exclude<ToWebview, { kind: 'snapshot' | 'events' | 'conversation' | 'earlier' }>;

/** What takes the cursor. */
export type FocusFact = Extract<Fact, { kind: 'focusComposer' | 'focusPicker' | 'focusApproval' }>;

export interface ChatPageParts {
  readonly extensionUri: vscode.Uri;
  readonly sessions: PanelSessions;
  readonly facts: PanelFacts;
  readonly draft: Draft;
  readonly queue: Queue;
  readonly log: Log;
}

/** What VS Code gives a panel: the side bar's view or an editor tab. */
export interface PageFrame {
  readonly webview: vscode.Webview;
  /** The name of the tab that it is; absent for the side bar. */
  readonly tab?: string;
  isVisible(): boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<void>;
}

export class ChatPage implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: ChatPageParts;
  readonly #reveal: () => PromiseLike<unknown>;
  readonly #run = randomUUID();
  readonly #shown = new ShownDecisions();
  readonly #intended = this.#store.add(new vscode.EventEmitter<Intent>());
  readonly #session = this.#store.add(new MutableDisposable());
  readonly #framed = this.#store.add(new MutableDisposable());
  #frame: PageFrame | undefined;
  #feed: Feed | undefined;
  /** What is to take the cursor as soon as the panel can. */
  #focusWanted: FocusFact | undefined;
  #findWanted = false;
  /** What the panel was told last of what is around the conversation, as JSON. */
  #toldFacts = '';
  /** What it was told last of versions, as JSON. */
  #toldVersions = noVersions;
  /** Settles when what earlier windows left of draft and queue is there. Undefined from then on. */
  #reading: Promise<unknown> | undefined;
  /** What the person did while a conversation was still being read. */
  #held: readonly Intent[] = [];
  /** Whose end they saw meanwhile. */
  #heldFor: Conversation | undefined;
  /** What the person was to be told while no panel was there. */
  #untold: string | undefined;

  /** What the person asks for; `ready` is answered here and not passed on. */
  readonly onDidIntend = this.#intended.event;

  /** @param reveal shows the panel, which is made first where there is none, and gives it the cursor */
  constructor(parts: ChatPageParts, reveal: () => PromiseLike<unknown>) {
    this.#parts = parts;
    this.#reveal = reveal;
    const { sessions, facts, queue } = parts;
    const previewed = new Promise<void>((resolve) => {
      this.#store.add(sessions.onDidPreview(resolve));
    });
    // Something is there to be seen before it is known what was queued for it.
    this.#reading = Promise.all([parts.draft.whenRead, Promise.race([queue.whenRead, previewed])]).then(
      () => {
        this.#reading = undefined;
      },
    );
    this.#follow();
    this.#store.add(
      sessions.onDidChangeCurrent((session) => {
        this.#follow();
        this.#replace(session.conversation);
        this.#doHeld();
      }),
    );
    this.#store.add(
      sessions.onDidPreview(() => {
        this.#heldFor = sessions.previewed ?? this.#heldFor;
        this.#replace(sessions.previewed ?? sessions.current.conversation);
        this.#tellFacts();
        this.#doHeld();
      }),
    );
    this.#store.add(
      queue.onDidChange((session) => {
        if (session === sessions.current) this.#tellQueue();
      }),
    );
    this.#store.add(sessions.onDidChangeVersions(() => this.#tellVersions()));
    this.#store.add(facts.onDidChange(() => this.#tellFacts()));
  }

  /** A panel is there from now on, in the place of one that there may have been. */
  async put(frame: PageFrame): Promise<void> {
    const store = new DisposableStore();
    this.#framed.value = store;
    this.#frame = frame;
    const { webview } = frame;
    const feed = new Feed({
      // A panel that went away meanwhile is told everything when it comes back.
      post: (message) => {
        this.#shown.posted(message);
        webview.postMessage(message).then(undefined, (error: unknown) => {
          this.#parts.log.warn('A message did not reach the panel', error);
        });
      },
      now: () => performance.now(),
      wait: (milliseconds, then) => {
        const timer = setTimeout(then, milliseconds);
        return () => clearTimeout(timer);
      },
    });
    this.#feed = feed;
    store.add(webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    store.add(
      frame.onDidChangeVisibility(() => {
        if (!frame.isVisible()) feed.close();
      }),
    );
    store.add({ dispose: () => feed.close() });
    store.add(frame.onDidDispose(() => this.#forget(frame)));
    webview.options = {
      enableScripts: true,
      localResourceRoots: [
        vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'webview'),
        vscode.Uri.joinPath(this.#parts.extensionUri, 'media'),
      ],
    };
    const { extensionUri, log } = this.#parts;
    const texts = await panelTexts(extensionUri, log);
    // It may have been closed meanwhile.
    if (this.#frame !== frame) return;
    const nonce = randomBytes(16).toString('base64url');
    webview.html = page(webview, { extensionUri, nonce, texts, tab: frame.tab });
  }

  /** Tells a panel that is there. One that comes later knows all this from its snapshot, but for a notice, which is kept for it. */
  post(message: Fact): void {
    const told = this.#feed?.post(message) ?? false;
    if (message.kind === 'notice') this.#untold = told ? undefined : message.text;
  }

  /** Shows the panel and puts the cursor into the composer, or onto a picker. */
  async focus(wanted: FocusFact = { kind: 'focusComposer' }): Promise<void> {
    // A panel that is only being made takes it when it is there.
    this.#focusWanted = wanted;
    await this.#reveal();
    if (this.#focusWanted === wanted && this.#feed?.post(wanted) === true) this.#focusWanted = undefined;
  }

  /** The person can see the panel. */
  get visible(): boolean {
    return this.#frame?.isVisible() === true;
  }

  /** Shows the panel and opens its find bar. */
  async find(): Promise<void> {
    this.#findWanted = true;
    await this.#reveal();
    if (this.#findWanted && this.#feed?.post({ kind: 'find' }) === true) this.#findWanted = false;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #receive(message: unknown): void {
    const intent = readIntent(message);
    if (intent === undefined) {
      this.#parts.log.warn('The panel sent a message that is not understood');
      if (isTooLong(message)) {
        this.post({
          kind: 'notice',
          text: vscode.l10n.t('This is too long to send. Shorten it, or attach a file instead.'),
        });
      }
      return;
    }
    if (intent.kind !== 'ready') {
      const obeyed = this.#shown.obeyed(intent);
      if (obeyed === undefined) {
        this.#parts.log.warn('The panel decided about something that it was not shown', {
          intent: intent.kind,
        });
      } else if (this.#isHeld(obeyed)) this.#held = [...this.#held, obeyed];
      else this.#intended.fire(obeyed);
    } else if (this.#reading === undefined) this.#restart();
    else void this.#restartAfter(this.#reading);
  }

  /** In the first moment of the window, what an earlier one left of the composer is still being read. */
  async #restartAfter(reading: Promise<unknown>): Promise<void> {
    try {
      await reading;
      this.#restart();
    } catch (error) {
      this.#parts.log.bug('snapshot', error);
    }
  }

  #restart(): void {
    const { sessions, facts, draft, queue } = this.#parts;
    const isPart = sessions.previewed !== undefined;
    const queued = isPart ? noQueue : queue.facts(sessions.current);
    const panel = facts.current;
    this.#toldFacts = JSON.stringify(panel);
    const versions = isPart ? [] : sessions.versions;
    this.#toldVersions = JSON.stringify(versions);
    const conversation = sessions.previewed ?? sessions.current.conversation;
    const told = {
      conversation,
      panel,
      draft: draft.text,
      at: Date.now(),
      run: this.#run,
      ...(versions.length > 0 && { versions }),
      ...(queued.questions.length > 0 && { queue: queued }),
      ...(draft.askedBefore.length > 0 && { asked: draft.askedBefore }),
      ...(draft.lastAsked !== undefined && { taken: draft.lastAsked }),
      ...(draft.instead !== undefined && { instead: draft.instead }),
    };
    this.#feed?.restart(told, this.#toldOf(conversation));
    if (this.#focusWanted !== undefined) this.post(this.#focusWanted);
    this.#focusWanted = undefined;
    if (this.#findWanted) this.post({ kind: 'find' });
    this.#findWanted = false;
    if (this.#untold !== undefined) this.post({ kind: 'notice', text: this.#untold });
  }

  #replace(conversation: Conversation): void {
    this.#feed?.replace(conversation, this.#toldOf(conversation));
    // With another conversation the panel forgets them.
    this.#toldVersions = noVersions;
    this.#tellVersions();
    this.#tellQueue();
  }

  #toldOf(conversation: Conversation): Told {
    const { previewed, current } = this.#parts.sessions;
    return conversation === previewed ? { isPart: true } : { now: () => current.conversation };
  }

  /** In the order in which it was done: a chip that comes behind a question is not for that. */
  #isHeld({ kind }: Intent): boolean {
    if (this.#parts.sessions.previewed === undefined || leading.has(kind)) return false;
    return !ofPanel.has(kind) || this.#held.length > 0;
  }

  /** What was meant for the conversation that was to be seen is done in none other. */
  #doHeld(): void {
    const { sessions, draft } = this.#parts;
    if (sessions.previewed !== undefined) return;
    const [held, wanted] = [this.#held, this.#heldFor];
    this.#held = [];
    this.#heldFor = undefined;
    const isShown = wanted === undefined || isOf(wanted, sessions.current.conversation);
    for (const intent of held) {
      if (isShown || ofPanel.has(intent.kind)) this.#intended.fire(intent);
      else if (intent.kind === 'send') {
        draft.text = intent.text;
        this.post({
          kind: 'notice',
          text: vscode.l10n.t(
            'This was not asked: its conversation is not shown any more. What you typed is kept.',
          ),
        });
      }
    }
  }

  /** What is around the conversation is gathered only for a panel that is there, and told only when it is another than before. */
  #tellFacts(): void {
    if (this.#feed?.isOpen !== true) return;
    const panel = this.#parts.facts.current;
    const told = JSON.stringify(panel);
    if (told === this.#toldFacts) return;
    this.#toldFacts = told;
    this.post({ kind: 'panel', panel });
  }

  #tellVersions(): void {
    if (this.#feed?.isOpen !== true) return;
    const { current, versions } = this.#parts.sessions;
    const told = JSON.stringify(versions);
    if (told === this.#toldVersions) return;
    this.#toldVersions = told;
    this.post({ kind: 'versions', conversation: current.conversation.id, turns: versions });
  }

  #tellQueue(): void {
    const { sessions, queue } = this.#parts;
    const { current } = sessions;
    this.post({ kind: 'queue', conversation: current.conversation.id, queue: queue.facts(current) });
  }

  #follow(): void {
    const session = this.#parts.sessions.current;
    const store = new DisposableStore();
    this.#session.value = store;
    store.add(
      session.onDidHappen((event) => {
        if (this.#parts.sessions.previewed === undefined) this.#feed?.push(event);
      }),
    );
    store.add(
      session.onDidReplace(() => {
        if (this.#parts.sessions.previewed === undefined) this.#replace(session.conversation);
        this.#tellFacts();
      }),
    );
  }

  #forget(frame: PageFrame): void {
    if (this.#frame !== frame) return;
    this.#framed.value = undefined;
    this.#frame = undefined;
    this.#feed = undefined;
  }
}

const noVersions = '[]';
const noQueue: QueueFacts = { questions: [] };

/** What leads away from the conversation that is shown. */
const leading: ReadonlySet<Intent['kind']> = new Set(['newChat', 'showConversation', 'showConversations']);

/** What says the same whichever conversation is shown. */
const ofPanel: ReadonlySet<Intent['kind']> = new Set<Intent['kind']>([
  ...(['draftChanged', 'paste', 'attachmentAsText', 'removeAttachment', 'attachActive'] as const),
  ...(['attachImage', 'attachPlaces', 'attachText', 'complete', 'takeCompletion', 'endCompletion'] as const),
  ...(['setKey', 'setModel', 'setEffort', 'setPatchMode', 'openSettings', 'openLog', 'copy'] as const),
]);

/** It is the one that begins so, or a copy of it. */
function isOf(end: Conversation, { id, turns }: Conversation): boolean {
  const last = end.turns.at(-1)?.id;
  return id === end.id || turns.some((turn) => turn.id === last);
}

/** A question of which only the length is wrong. */
function isTooLong(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('kind' in message) || !('text' in message))
    return false;
  const { kind, text } = message;
  return (
    (kind === 'send' || kind === 'edit' || kind === 'paste') &&
    typeof text === 'string' &&
    text.length > maxTextLength
  );
}
