/** Short ways to what tests look at in items, and to answers of a person who is not there. */
import type { ApprovalAnswer } from '../../src/core/conversation/approval.ts';

/** The text of a content part; of an image, where it is. */
export function textOfPart(
  part: { readonly text: string } | { readonly image_url: string } | undefined,
): string | undefined {
  if (part === undefined) return undefined;
  return 'text' in part ? part.text : part.image_url;
}

/** For what asks nobody. */
export function nobodyIsAsked(): Promise<ApprovalAnswer> {
  throw new Error('Nobody is to be asked.');
}
