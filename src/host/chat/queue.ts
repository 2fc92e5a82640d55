/**
 * Questions that were sent while something was being answered. Each conversation has its own, and they stay with it whichever one is
 * shown. Says when the next one is due; asking it is for others.
 */
import * as vscode from 'vscode';

import { cutAt } from '../../core/cutAt.ts';
import { summaryOf, type Attachment } from '../../core/conversation/userMessage.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import { queuedTextLength, type QueueFacts, type QueuePause } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import type { ComposerStore, KeptQuestion, QueuedQuestion } from '../composer/composerStore.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface Waiting {
  readonly question: KeptQuestion;
  /** The person took it out; it stands there so that they can think better of it. */
  removed?: true;
}

interface SessionQueue {
  waiting: readonly Waiting[];
  paused?: QueuePause;
  readonly listener: vscode.Disposable;
}

/** The conversation that is shown when the window opens, and where others are found. */
interface QueueSessions {
  readonly current: PanelSessions['current'];
  readonly window: Pick<Sessions, 'whenRestored' | 'onDidClose' | 'onDidRestore' | 'find'>;
}

/** The conversation of this id, read again where it is not there. */
type OpenConversation = (id: string) => Promise<ChatSession | undefined>;

export class Queue implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #kept: ComposerStore;
  readonly #open: OpenConversation;
  readonly #queues = new Map<ChatSession, SessionQueue>();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ChatSession>());
  #askNext: (session: ChatSession) => void = () => undefined;
  /** What an earlier window left, as long as the conversation that it waits in is not there. */
  #unplaced: readonly QueuedQuestion[] = [];
  /** Of conversations that were deleted, for who takes that back: how it stood there. */
  readonly #deleted = new Map<string, Pick<SessionQueue, 'waiting' | 'paused'>>();

  /** What waits in this conversation is another. */
  readonly onDidChange = this.#changed.event;

  /** Resolves when what an earlier window left for the conversation that is shown is there. Never rejects. */
  readonly whenRead: Promise<void>;

  /** @param open by default, what is not there is not found */
  constructor(
    kept: ComposerStore,
    sessions: QueueSessions,
    open: OpenConversation = () => Promise.resolve(undefined),
  ) {
    this.#kept = kept;
    this.#open = open;
    this.#store.add(
      sessions.window.onDidClose((session) => {
        const queue = this.#queues.get(session);
        if (queue === undefined) return;
        const { id } = session.conversation;
        // One that another window writes is still there. Any other one in which something waits was deleted.
        if (session.elsewhere)
          this.#unplaced = [
            ...this.#unplaced,
            ...queue.waiting.filter(stays).map(({ question }) => ({ ...question, conversation: id })),
          ];
        else this.#deleted.set(id, { waiting: queue.waiting, paused: queue.paused ?? { kind: 'stopped' } });
        this.#change(session, queue, []);
      }),
    );
    this.#store.add(sessions.window.onDidRestore((session) => this.#comeBack(session)));
    this.whenRead = this.#read(sessions);
  }

  /** `askNext` is called when a turn has ended well and the next question can be asked. There is one who asks. */
  serve(askNext: (session: ChatSession) => void): void {
    this.#askNext = askNext;
  }

  /** Behind those that wait, or before them. */
  add(session: ChatSession, question: KeptQuestion, place: 'first' | 'last' = 'last'): void {
    const queue = this.#of(session);
    // It was about those that were taken out.
    if (!queue.waiting.some(stays)) delete queue.paused;
    const others = queue.waiting.filter(stays);
    this.#change(session, queue, place === 'first' ? [{ question }, ...others] : [...others, { question }]);
  }

  /** Of all questions that wait in this conversation. */
  attachments(session: ChatSession): readonly Attachment[] {
    return this.#queues.get(session)?.waiting.flatMap(({ question }) => question.attachments) ?? [];
  }

  /** For the panel. */
  facts(session: ChatSession): QueueFacts {
    const queue = this.#queues.get(session);
    if (queue === undefined) return { questions: [] };
    return {
      questions: queue.waiting.map(({ question: { id, text, attachments }, removed }) => ({
        id,
        text: cutAt(text, queuedTextLength),
        attachments: attachments.map(summaryOf),
        ...(removed === true && { removed }),
      })),
      ...(queue.paused !== undefined && { paused: queue.paused }),
    };
  }

  /** The question that is asked next; undefined when none waits, or when it is not to be asked by itself. */
  next(session: ChatSession): KeptQuestion | undefined {
    const queue = this.#queues.get(session);
    return queue?.paused === undefined ? queue?.waiting.find(stays)?.question : undefined;
  }

  find(session: ChatSession, id: string): KeptQuestion | undefined {
    return this.#queues.get(session)?.waiting.find(({ question }) => question.id === id)?.question;
  }

  /** It is there as it was, and was not taken out. */
  waits(session: ChatSession, question: KeptQuestion): boolean {
    const waiting = this.#queues.get(session)?.waiting ?? [];
    return waiting.some((one) => one.question === question && stays(one));
  }

  /** Leaves no trace: it was asked. */
  take(session: ChatSession, id: string): void {
    const queue = this.#queues.get(session);
    if (queue === undefined) return;
    this.#change(
      session,
      queue,
      queue.waiting.filter((one) => stays(one) && one.question.id !== id),
    );
  }

  /** Another question in the place of this one. */
  replace(session: ChatSession, id: string, question: KeptQuestion): void {
    const queue = this.#queues.get(session);
    if (queue === undefined) return;
    this.#change(
      session,
      queue,
      queue.waiting.map((one) => (one.question.id === id ? { question } : one)),
    );
  }

  /** It can be had back until something else is queued, removed or asked. */
  remove(session: ChatSession, id: string): void {
    const queue = this.#queues.get(session);
    if (queue === undefined) return;
    this.#change(
      session,
      queue,
      queue.waiting
        .filter(stays)
        .map((one) => (one.question.id === id ? { question: one.question, removed: true } : one)),
    );
  }

  restore(session: ChatSession, id: string): void {
    const question = this.find(session, id);
    if (question !== undefined) this.replace(session, id, question);
  }

  /** Has the next one asked, if it is due. */
  goOn(session: ChatSession): void {
    this.#askIfIdle(session);
  }

  pause(session: ChatSession, pause: QueuePause): void {
    const queue = this.#queues.get(session);
    // Those that were taken out can be had back: then they wait as well.
    if (queue === undefined) return;
    queue.paused = pause;
    this.#changed.fire(session);
  }

  resume(session: ChatSession): void {
    const queue = this.#queues.get(session);
    if (queue?.paused === undefined) return;
    delete queue.paused;
    this.#changed.fire(session);
  }

  dispose(): void {
    for (const { listener } of this.#queues.values()) listener.dispose();
    this.#queues.clear();
    this.#store.dispose();
  }

  #of(session: ChatSession): SessionQueue {
    const known = this.#queues.get(session);
    if (known !== undefined) return known;
    const listener = session.onDidHappen((event) => this.#heard(session, event));
    const queue: SessionQueue = { waiting: [], listener };
    this.#queues.set(session, queue);
    return queue;
  }

  #heard(session: ChatSession, event: ShownEvent): void {
    if (event.kind !== 'turnEnded') return;
    switch (event.end.kind) {
      case 'completed':
        this.#askIfIdle(session);
        return;
      case 'stopped':
        this.pause(session, { kind: 'stopped' });
        return;
      case 'failed':
      case 'incomplete':
        this.pause(session, { kind: 'failed' });
    }
  }

  #change(session: ChatSession, queue: SessionQueue, waiting: readonly Waiting[]): void {
    queue.waiting = waiting;
    if (waiting.length === 0) {
      queue.listener.dispose();
      this.#queues.delete(session);
    }
    const all = [...this.#queues].flatMap(([{ conversation }, one]) =>
      one.waiting.filter(stays).map(({ question }) => ({ ...question, conversation: conversation.id })),
    );
    this.#kept.keep('queue', [...all, ...this.#unplaced]);
    this.#changed.fire(session);
    this.#askIfIdle(session);
  }

  /** No end of a turn would come by which a question that is had back, or changed in that moment, could be due. */
  #askIfIdle(session: ChatSession): void {
    // Somebody may be asking already: then it is due at that turn's end.
    if (this.next(session) !== undefined && !session.running) this.#askNext(session);
  }

  async #read(sessions: QueueSessions): Promise<void> {
    const { queue: kept = [] } = await this.#kept.read();
    this.#unplaced = kept;
    await sessions.window.whenRestored;
    const { current } = sessions;
    this.#place(
      current,
      // Some may have their place already: their conversation came back.
      this.#unplaced.filter(
        ({ conversation = current.conversation.id }) => conversation === current.conversation.id,
      ),
    );
    void this.#placeOthers(sessions);
  }

  #comeBack(session: ChatSession): void {
    const { id } = session.conversation;
    this.#place(
      session,
      this.#unplaced.filter(({ conversation }) => conversation === id),
    );
    const deleted = this.#deleted.get(id);
    if (deleted?.paused === undefined) return;
    this.#deleted.delete(id);
    const queue = this.#of(session);
    queue.paused = deleted.paused;
    this.#change(session, queue, [...deleted.waiting, ...queue.waiting]);
  }

  /** Each to its own conversation, or to the one that is shown where that is gone. Never rejects. */
  async #placeOthers(sessions: QueueSessions): Promise<void> {
    for (const [id = '', questions] of Map.groupBy(this.#unplaced, ({ conversation }) => conversation)) {
      const found = sessions.window.find(id) ?? (await this.#open(id).catch(() => undefined));
      // Those whose conversation came back by itself have their place already.
      this.#place(
        found ?? sessions.current,
        questions.filter((one) => this.#unplaced.includes(one)),
      );
    }
  }

  /** They were queued before what waits there already. */
  #place(session: ChatSession, questions: readonly QueuedQuestion[]): void {
    if (questions.length === 0 || this.#store.isDisposed) return;
    this.#unplaced = this.#unplaced.filter((one) => !questions.includes(one));
    const queue = this.#of(session);
    queue.paused = { kind: 'reloaded' };
    const placed = questions.map(({ conversation: _conversation, ...question }) => ({ question }));
    this.#change(session, queue, [...placed, ...queue.waiting]);
  }
}

function stays({ removed }: Waiting): boolean {
  return removed !== true;
}
