/**
 * Has the model name conversations for the list, once each, after the first answer that came to its end. What goes wrong is nothing that a
 * person waits for: the list then goes on showing their first words. Knows no list and no panel.
 */
import type * as vscode from 'vscode';

import type { ModelPort } from '../../core/conversation/modelPort.ts';
import { askTitle, titleRequest } from '../../core/conversation/title.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import { usageRecord } from '../../core/cost/usageRecord.ts';
import type { ConversationTitle } from '../../core/journal/facts.ts';
import type { SpendingGate } from '../cost/spendingGate.ts';
import { DisposableStore } from '../disposables.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { ChatSession } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface TitlesParts {
  readonly sessions: Pick<Sessions, 'all' | 'find' | 'noteNaming' | 'onDidEndTurn'>;
  readonly store: Pick<JournalStore, 'titleOf' | 'setTitle'>;
  readonly settings: Pick<Settings, 'titles' | 'prices'>;
  readonly gate: Pick<SpendingGate, 'admitAside' | 'keep'>;
  readonly model: ModelPort;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
}

/** Milliseconds after which a title is given up. */
const longestWait = 60_000;

export class Titles implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: TitlesParts;
  readonly #closing = new AbortController();
  /** What is going on. */
  readonly #asking = new Set<Promise<void>>();

  constructor(parts: TitlesParts) {
    this.#parts = parts;
    this.#store.add(parts.sessions.onDidEndTurn((session) => this.#name(session)));
  }

  /** Resolves when no title is being asked for. Never rejects. */
  async whenIdle(): Promise<void> {
    while (this.#asking.size > 0) await Promise.all(this.#asking);
  }

  dispose(): void {
    this.#closing.abort();
    this.#store.dispose();
  }

  #name(session: ChatSession): void {
    const { settings, store } = this.#parts;
    const { id } = session.conversation;
    if (settings.titles !== 'model' || store.titleOf(id) !== undefined) return;
    const inherited = this.#inherited(session);
    const work = inherited === undefined ? this.#ask(session) : this.#set(id, inherited);
    const guarded = work
      .catch((error: unknown) => this.#parts.log.bug('naming a conversation', error))
      .finally(() => this.#asking.delete(guarded));
    this.#asking.add(guarded);
  }

  /** A branch of a conversation is about the same, as long as it begins with the same question. */
  #inherited({ parent, conversation }: ChatSession): ConversationTitle | undefined {
    const from = parent === undefined ? undefined : this.#parts.sessions.find(parent.conversation);
    if (from === undefined) return undefined;
    const isSame = firstQuestion(from) === firstQuestion({ conversation });
    return isSame ? this.#parts.store.titleOf(from.conversation.id) : undefined;
  }

  async #ask(session: ChatSession): Promise<void> {
    const { gate, model, clock, sessions, settings, newId } = this.#parts;
    const { turns } = session.conversation;
    const turn = turns.at(-1);
    // Once for each conversation, and for what branched off from it since: it was paid.
    if (turn?.end?.kind !== 'completed' || turns.some(({ naming }) => naming !== undefined)) return;
    const body = titleRequest(turn);
    const admitted = body && gate.admitAside(body, session);
    if (body === undefined || admitted === undefined) return;
    const record = newId();
    const note = (event: Extract<ShownEvent, { kind: 'namingSent' | 'namingEnded' }>): void => {
      sessions.noteNaming(event);
      const { naming } = session.conversation.turns.find(({ id }) => id === turn.id) ?? {};
      if (naming !== undefined) gate.keep(usageRecord(record, naming, settings.prices));
    };
    const { effort, room, expectedInput } = admitted;
    note({
      ...{ kind: 'namingSent', turn: turn.id, model: body.model, effort, expectedInput, room },
      at: clock(),
    });
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(longestWait)]);
    const asked = await askTitle(model, body, signal);
    const { title, usage, unbilled, cacheTtl } = asked;
    note({
      ...{ kind: 'namingEnded', turn: turn.id, usage },
      ...(unbilled && { unbilled: true }),
      ...(cacheTtl !== undefined && { cacheTtl }),
      at: clock(),
    });
    if (title === undefined || this.#closing.signal.aborted) return;
    const named = sessions.all.filter(({ conversation }) =>
      conversation.turns.some(({ id }) => id === turn.id),
    );
    await Promise.all(
      named.map(({ conversation }) => this.#set(conversation.id, { text: title, by: 'model' })),
    );
  }

  /** What a person named it meanwhile stays. */
  async #set(id: string, title: ConversationTitle): Promise<void> {
    const { store, log } = this.#parts;
    if (store.titleOf(id) !== undefined) return;
    const done = await store.setTitle(id, title);
    if (!done.ok) log.warn(`A title could not be kept (${done.error})`);
  }
}

function firstQuestion({ conversation }: Pick<ChatSession, 'conversation'>): string | undefined {
  return conversation.turns.find(({ removed }) => removed !== true)?.question.text;
}
