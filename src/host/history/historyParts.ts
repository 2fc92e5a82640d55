/** What the list of conversations needs of others: where it finds them, where it shows them, what else can be done with one. */
import type { Log } from '../log.ts';
import type { ReadingPanel } from '../sessions/firstLook.ts';
import type { HistoryFolders } from './historyFolders.ts';
import type { KeptSessions } from '../sessions/keptSessions.ts';
import type { Queue } from '../chat/queue.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface HistoryParts {
  readonly sessions: Sessions;
  /** Absent where nothing can be kept: then there are only those of this window. */
  readonly kept?: KeptSessions;
  /** The folder in which those of this workspace are kept. */
  readonly folder?: string;
  /** Absent where other workspaces can't be found. */
  readonly folders?: Pick<HistoryFolders, 'others'>;
  /** Absent where nothing can be queued. */
  readonly queue?: Pick<Queue, 'facts' | 'onDidChange'>;
  /** The panel that the person is at: there a conversation is shown. */
  readonly panel: () => {
    readonly sessions: ReadingPanel;
    readonly view: HistoryView;
  };
  /** Shows a conversation of this workspace in an editor tab of its own. Without it there is no such button. */
  readonly openInEditor?: (id: string) => Promise<unknown>;
  /** Asks where to, and writes one of this workspace there. Without it there is no such button. */
  readonly exportConversation?: (id: string) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Log;
}

export interface HistoryView {
  /** Shows the panel, with the cursor in its composer. */
  focus(): Promise<void>;
  post(notice: { readonly kind: 'notice'; readonly text: string }): void;
}

/** What a panel can ask of it. */
export interface ShownHistory {
  /** Shows a conversation of this workspace in the panel. False when there is none of this id. */
  show(id: string, panel: ReadingPanel): Promise<boolean>;
  /** Opens the list. */
  choose(): PromiseLike<unknown>;
}
