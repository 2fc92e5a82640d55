/** What a conversation has been told of standing instructions. Pure: it follows from the questions and from what was left out of them. */
import type { AttachmentSummary, Conversation, Turn } from './conversation.ts';

export type RuleState =
  /** The model sees them; `digest` tells in which wording. */
  | { readonly kind: 'told'; readonly digest: string }
  /** The person left them out of what the model sees. */
  | { readonly kind: 'leftOut' };

/**
 * By the address of the instructions; those that the model does not see and that nobody left out by themselves are not there: their turn
 * was deleted or left out as a whole, so that they have to be told again. The newest that is seen counts.
 */
export function toldRules({ turns }: Conversation): ReadonlyMap<string, RuleState> {
  const states = new Map<string, RuleState>();
  for (const turn of turns) {
    if (turn.removed === true) continue;
    turn.question.attachments.forEach((attachment, index) => {
      const state = stateOf(attachment, index, turn);
      if (state !== undefined) states.set(attachment.uri, state);
    });
  }
  return states;
}

function stateOf(
  { kind, digest = '' }: AttachmentSummary,
  index: number,
  { cut }: Turn,
): RuleState | undefined {
  if (kind !== 'instructions' || cut?.whole === true || cut?.attachments === true) return undefined;
  return cut?.files?.includes(index) === true ? { kind: 'leftOut' } : { kind: 'told', digest };
}

/** Where instructions stand among the attachments of a turn. */
export function ruleIndices({ question }: Pick<Turn, 'question'>): readonly number[] {
  return question.attachments.flatMap(({ kind }, index) => (kind === 'instructions' ? [index] : []));
}
