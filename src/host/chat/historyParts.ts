/** What the list of conversations needs of others: where it finds them, where it shows them, what else can be done with one. */
import type { KeptSessions } from './keptSessions.ts';
import type { Sessions } from './sessions.ts';

export interface HistoryParts {
  readonly sessions: Sessions;
  /** Absent where nothing can be kept: then there are only those of this window. */
  readonly kept?: KeptSessions;
  /** Shows the side bar, with the cursor in its composer. */
  readonly view: { focus(): Promise<void> };
  /** Shows a conversation of this workspace in an editor tab of its own. Without it there is no such button. */
  readonly openInEditor?: (id: string) => Promise<unknown>;
  /** Asks where to, and writes one of this workspace there. Without it there is no such button. */
  readonly exportConversation?: (id: string) => Promise<unknown>;
}
