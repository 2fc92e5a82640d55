/** Gathers the conversations of the list, of this workspace and of others, and looks through their texts. Shows nothing, changes nothing. */
import type { CancelSignal } from '../../core/cancel.ts';
import { openApproval } from '../../core/conversation/waiting.ts';
import { factsOf, type ConversationFacts } from '../../core/journal/facts.ts';
import type { QueueFacts } from '../../protocol/toWebview.ts';
import type { JournalStore } from '../journal/journalStore.ts';
import { otherStore } from '../journal/otherStore.ts';
import { searchConversations, type ConversationHit } from '../journal/searchJournals.ts';
import {
  historyEntries,
  type HistoryEntry,
  type KnownConversation,
  type LiveConversation,
} from './historyEntries.ts';
import type { HistoryParts } from './historyParts.ts';
import type { ChatSession } from '../sessions/session.ts';

/** Conversations in whose texts something is looked for at most, and found at most. */
const mostFound = 100;

export interface TextSearch {
  readonly query: string;
  readonly signal: CancelSignal;
  readonly onHit: (hit: ConversationHit) => void;
}

export interface TextSearchEnd {
  /** There may be more than was told of. */
  readonly isFull: boolean;
  /** Conversations that could not be read. */
  readonly unread: number;
}

type ListParts = Pick<HistoryParts, 'sessions' | 'kept' | 'folder' | 'folders' | 'queue' | 'clock'>;

export class HistoryList {
  readonly #parts: ListParts;
  /** Of other workspaces, by their folders. */
  readonly #stores = new Map<string, JournalStore>();

  #last: HistoryList['last'] = { own: [], others: [] };

  constructor(parts: ListParts) {
    this.#parts = parts;
  }

  /** As it was found last: something to look at until it is looked through again. */
  get last(): { readonly own: readonly HistoryEntry[]; readonly others: readonly HistoryEntry[] } {
    return this.#last;
  }

  /** @param shown what the panel shows for which the list is */
  async own(shown?: ChatSession): Promise<readonly HistoryEntry[]> {
    const { sessions, kept, queue } = this.#parts;
    const listed = (await kept?.store.list()) ?? [];
    const known = new Map<string, KnownConversation>(listed.map((facts) => [facts.id, { facts }]));
    for (const session of sessions.all) {
      const { id, turns } = session.conversation;
      // What is kept is known with its title; what is not kept, or not yet, is there all the same.
      const facts = known.get(id)?.facts ?? factsOfLive(session);
      if (turns.length === 0) continue;
      const doing = doingOf(session, queue?.facts(session));
      const lastShown = sessions.lastShown(session);
      known.set(id, {
        facts,
        live: { lastShown, isShown: session === shown, ...(doing !== undefined && { doing }) },
      });
    }
    const own = historyEntries([...known.values()]);
    this.#last = { ...this.#last, own };
    return own;
  }

  /** Of the other workspaces, the one that was opened last first. */
  async others(): Promise<readonly HistoryEntry[]> {
    const { folders, folder } = this.#parts;
    const places = (await folders?.others(folder)) ?? [];
    const entries: (readonly HistoryEntry[])[] = [];
    for (const place of places) {
      const facts = await this.storeIn(place.folder).list();
      entries.push(
        historyEntries(
          facts.map((one) => ({ facts: one })),
          place,
        ),
      );
    }
    const others = entries.flat();
    this.#last = { ...this.#last, others };
    return others;
  }

  /** The conversations of another workspace, to be read only. */
  storeIn(folder: string): JournalStore {
    const known = this.#stores.get(folder);
    if (known !== undefined) return known;
    const store = otherStore(folder, this.#parts.clock);
    this.#stores.set(folder, store);
    return store;
  }

  /** In the order of the entries, those of this workspace first. Never rejects. */
  async search(
    entries: readonly HistoryEntry[],
    { query, signal, onHit }: TextSearch,
  ): Promise<TextSearchEnd> {
    let left = mostFound;
    let unread = 0;
    let isFull = false;
    for (const [folder, some] of Map.groupBy(entries, ({ place }) => place?.folder)) {
      const store = folder === undefined ? this.#parts.kept?.store : this.storeIn(folder);
      if (store === undefined || signal.aborted) continue;
      if (left === 0) return { isFull: true, unread };
      const end = await searchConversations(store, query, {
        conversations: some.flatMap(({ members }) => members),
        signal,
        most: left,
        onHit: (hit) => {
          left -= 1;
          onHit(hit);
        },
      });
      unread += end.unread;
      isFull ||= end.kind === 'full';
    }
    return { isFull, unread };
  }
}

function factsOfLive({ conversation, parent }: ChatSession): ConversationFacts {
  return factsOf({ conversation, createdAt: conversation.turns[0]?.startedAt ?? 0, parent });
}

/** A queue that goes on only when the person says so waits for them, as a question of a tool does. */
function doingOf(
  { running, conversation }: ChatSession,
  queue: QueueFacts | undefined,
): LiveConversation['doing'] {
  const turn = conversation.turns.at(-1);
  if (!running) {
    const waits = queue?.questions.some(({ removed }) => removed !== true) === true;
    return waits && queue.paused !== undefined ? 'waiting' : undefined;
  }
  if (turn === undefined) return undefined;
  const asks = turn.parts.some((part) => part.kind === 'tool' && openApproval(part) !== undefined);
  return asks ? 'waiting' : 'answering';
}
