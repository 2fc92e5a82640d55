/** Whether a turn goes on by itself or waits for the person alone. Pure; host and panel ask the same question. */
import type {
  Approval,
  Part,
  ProposalState,
  ProposalSummary,
  ProposedFile,
  ToolPart,
  Turn,
} from './conversation.ts';

/**
 * True when nothing of the turn is going on but reviews and questions to the person that wait for a decision: they may then ask the
 * next question, and decide about the reviews later.
 */
export function waitsForReview(turn: Turn): boolean {
  if (turn.end !== undefined) return false;
  const open = turn.parts.filter((part) => part.closedAt === undefined);
  return open.length > 0 && open.every(isInReview);
}

/** A conflict or a failure decides nothing: the person can try again, or reject and let the model know why. */
export function isUndecidedState(state: ProposalState): boolean {
  return state === 'pending' || state === 'conflict' || state === 'failed';
}

/** Something of it can still be decided. */
export function canBeDecided({ files }: ProposalSummary): boolean {
  return files.some(({ state }) => isUndecidedState(state));
}

/** Nobody has decided about it, or it was just being written. */
export function isLeftOpen({ state }: Pick<ProposedFile, 'state'>): boolean {
  return state === 'applying' || isUndecidedState(state);
}

/** The patches of a turn, in the order in which they were proposed. */
export function proposalsIn({ parts }: Pick<Turn, 'parts'>): readonly ProposalSummary[] {
  return parts.flatMap((part) =>
    part.kind === 'tool' && part.proposal !== undefined ? [part.proposal] : [],
  );
}

/** A patch of the turns can still be decided, or is just being written. */
export function haveOpenPatch(turns: readonly Turn[]): boolean {
  return turns.some((turn) => proposalsIn(turn).some(({ files }) => files.some(isLeftOpen)));
}

/** The question of a call that the person has not answered yet; a call asks one at a time. */
export function openApproval({ approvals = [], outcome }: ToolPart): Approval | undefined {
  return outcome === undefined ? approvals.find(({ answer }) => answer === undefined) : undefined;
}

function isInReview(part: Part): boolean {
  if (part.kind !== 'tool') return false;
  if (openApproval(part) !== undefined) return true;
  if (part.proposal === undefined) return false;
  return canBeDecided(part.proposal) && part.proposal.files.every(({ state }) => state !== 'applying');
}
