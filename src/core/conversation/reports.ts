/** What happened outside of a conversation that its model must know, and whether it does. Plain data, pure. */
import type { Conversation } from './conversation.ts';

export interface Report {
  /** As the model reads it. */
  readonly text: string;
  /** The turn whose proposal it is about. */
  readonly about?: string;
  /** The turn with which it was told. */
  readonly told?: string;
}

/**
 * Whether the model is to be told with the next question. It is told again when the turn with which it was told is gone, deleted or left
 * behind in another branch; and not told as long as it does not see what it is about.
 */
export function isUntold({ turns }: Conversation): (report: Report) => boolean {
  const seen = new Set(turns.filter(({ removed }) => removed !== true).map(({ id }) => id));
  return ({ about, told }) =>
    (about === undefined || seen.has(about)) && (told === undefined || !seen.has(told));
}
