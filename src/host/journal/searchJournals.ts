/**
 * Looks for words in the texts of conversations that are kept: in what was asked and what was answered. Shows nothing, keeps nothing, and
 * reads the journals piece by piece, so that the extension host goes on meanwhile. Knows nothing of VS Code.
 */
import type { CancelSignal } from '../../core/cancel.ts';
import { TextFinder, Words, type FoundText } from '../../core/journal/textFinder.ts';
import type { JournalStore } from './journalStore.ts';

/** The best place in one conversation. Each conversation is told of once at most. */
export interface ConversationHit extends FoundText {
  readonly id: string;
}

export interface SearchWanted {
  /** Their ids, in the order in which they are to be looked at: those that a person would want first. */
  readonly conversations: readonly string[];
  readonly signal: CancelSignal;
  /** Told as they are found, in no certain order. */
  readonly onHit: (hit: ConversationHit) => void;
  /** Hits after which it ends. */
  readonly most: number;
}

export interface SearchEnd {
  /** `full`: there may be more, for `most` were found. */
  readonly kind: 'whole' | 'full' | 'cancelled';
  /** Conversations that were looked at. */
  readonly searched: number;
  /** Those that could not be read. */
  readonly unread: number;
}

/** Journals that are read at the same time. */
const atOnce = 8;

/**
 * Finds the conversations in which one text has all the words of `query`, whatever their case. Never rejects. A query without a word
 * finds nothing.
 */
export async function searchConversations(
  store: Pick<JournalStore, 'lines'>,
  query: string,
  { conversations, signal, onHit, most }: SearchWanted,
): Promise<SearchEnd> {
  const words = new Words(query);
  if (words.isEmpty) return { kind: 'whole', searched: 0, unread: 0 };
  let next = 0;
  let hits = 0;
  let searched = 0;
  let unread = 0;
  const isOver = (): boolean => signal.aborted || hits >= most;
  const hit = (found: ConversationHit): void => {
    if (isOver()) return;
    hits += 1;
    onHit(found);
  };
  const look = async (id: string): Promise<void> => {
    const finder = new TextFinder(words);
    const isRead = await store.lines(id, { take: (line) => finder.take(line), isDone: isOver });
    if (!isRead) unread += 1;
    const { found } = finder;
    if (found !== undefined) hit({ id, ...found });
    if (!signal.aborted) searched += 1;
  };
  const run = async (): Promise<void> => {
    while (!isOver()) {
      const one = conversations[next];
      next += 1;
      if (one === undefined) return;
      await look(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  const kind = signal.aborted ? 'cancelled' : hits >= most ? 'full' : 'whole';
  return { kind, searched, unread };
}
