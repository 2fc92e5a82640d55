/** Which questions ask for the message of a commit: panel and host agree on it. */
import type { AttachmentSummary } from '../core/conversation/conversation.ts';

/** By the name of the prompt, whether it is ours or one of the person's own in its place. */
export function asksForCommit(attachments: readonly Pick<AttachmentSummary, 'kind' | 'id'>[]): boolean {
  return attachments.some(({ kind, id }) => kind === 'prompt' && id === 'prompt-commit');
}
