/** How much of the context window something takes up that is attached, before anybody has counted it. Pure. */
import { userMessage, type Attachment } from '../../core/conversation/userMessage.ts';
import { partWeight } from '../../core/cost/weights.ts';

/** Tokens, reckoned. With what is written around it. */
export function attachmentTokens(attachment: Attachment): number {
  return Math.round(
    userMessage('', [attachment])
      .content.slice(0, 1)
      .reduce((sum, part) => sum + partWeight(part), 0),
  );
}

/** The attachment with its tokens, as it was if it has them. */
export function weighed(attachment: Attachment): Attachment {
  return attachment.tokens === undefined
    ? { ...attachment, tokens: attachmentTokens(attachment) }
    : attachment;
}
