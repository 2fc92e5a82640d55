/** Takes a queued question back into the composer; what stands there changes places with it, so that nothing is lost. */
import { randomUUID } from 'node:crypto';

import type { ChatView } from './chatView.ts';
import type { Draft } from '../composer/draft.ts';
import type { Queue } from './queue.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';

export interface QueueEditParts {
  readonly sessions: Pick<PanelSessions, 'current'>;
  readonly draft: Draft;
  readonly queue: Queue;
  readonly view: Pick<ChatView, 'post'>;
}

/** @param typed what the composer shows: the draft may be a moment older */
export function editQueued(
  { sessions, draft, queue, view }: QueueEditParts,
  id: string,
  typed: string,
): void {
  const session = sessions.current;
  const question = queue.find(session, id);
  if (question === undefined) return;
  draft.text = typed;
  const { isEmpty } = draft;
  // What its command asks for is found anew when it is sent.
  const attachments = question.attachments.filter(({ kind }) => kind !== 'prompt');
  const before = draft.exchange({ ...question, attachments });
  if (isEmpty) queue.take(session, id);
  // A question without words can't be asked: its chips stay in the composer.
  else if (before.text.trim() === '') {
    queue.take(session, id);
    draft.attach(before.attachments);
  } else queue.replace(session, id, { id: randomUUID(), ...before });
  view.post({ kind: 'draft', text: question.text, instead: typed });
}
