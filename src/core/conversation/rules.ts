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

/** What the person said of instructions in a conversation, which counts more than what follows from it. */
export type RuleChoice = 'leave' | 'send';

/** Instructions by their address, with what was said of them. */
export interface ChosenRule {
  readonly uri: string;
  readonly choice: RuleChoice;
}

/** Instructions as they are now; an empty `digest` where there are none any more. */
type Rule = Required<Pick<AttachmentSummary, 'uri' | 'digest'>> & Pick<AttachmentSummary, 'changed'>;

export interface DueRules<R> {
  /** They go with the next question. */
  readonly goes: readonly R[];
  /** They would go, had the person not left them out. */
  readonly left: readonly R[];
}

/** Of the instructions that hold, those that the conversation was not told yet, or in another wording: then `changed` is set. */
export function dueRules<R extends Rule>(
  told: ReadonlyMap<string, RuleState>,
  rules: readonly R[],
  choices: ReadonlyMap<string, RuleChoice>,
): DueRules<R> {
  const goes: R[] = [];
  const left: R[] = [];
  for (const rule of rules) {
    const state = told.get(rule.uri);
    const choice = choices.get(rule.uri);
    const known = state?.kind === 'told' ? state.digest : undefined;
    if ((known ?? '') === rule.digest) continue;
    const due = known === undefined || known === '' ? rule : { ...rule, changed: true as const };
    if (choice === 'leave' || (choice === undefined && state?.kind === 'leftOut')) left.push(due);
    else goes.push(due);
  }
  return { goes, left };
}
