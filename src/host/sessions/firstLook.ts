/** Shows the end of a long conversation at once, while the whole of it is still being read. Reads nothing itself. */
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { PanelSessions } from './panelSessions.ts';
import type { ChatSession } from './session.ts';

/** What shows it. */
export type ReadingPanel = Pick<PanelSessions, 'current' | 'previewed' | 'preview' | 'show'>;

export interface ReadingPorts {
  /** Its end, where the whole takes a while. Must not reject. */
  readonly peek: () => Promise<Conversation | undefined>;
  /** Undefined when it can't be read. */
  readonly open: () => Promise<ChatSession | undefined>;
  /** Whether it is to be shown when it is there. Someone who went elsewhere meanwhile stays there in any case. */
  readonly isWanted?: () => boolean;
}

/** @returns the conversation, shown or not */
export async function showWhileRead(
  panel: ReadingPanel,
  { peek, open, isWanted = () => true }: ReadingPorts,
): Promise<ChatSession | undefined> {
  const before = panel.current;
  const end = await peek();
  if (end !== undefined && panel.current === before && isWanted()) panel.preview(end);
  const previewed = panel.previewed === end ? end : undefined;
  try {
    const session = await open();
    const isThere = previewed === undefined ? panel.current === before : panel.previewed === previewed;
    if (session !== undefined && isThere && isWanted()) panel.show(session);
    return session;
  } finally {
    if (previewed !== undefined && panel.previewed === previewed) panel.preview(undefined);
  }
}
