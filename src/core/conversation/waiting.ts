/** Whether a turn goes on by itself or waits for the person alone. Pure; host and panel ask the same question. */
import type { Part, ProposalState, Turn } from './conversation.ts';

/**
 * True when nothing of the turn is going on but reviews that wait for a decision: the person may then ask the next question, and
 * decide later.
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

function isInReview(part: Part): boolean {
  if (part.kind !== 'tool' || part.proposal === undefined) return false;
  const { files } = part.proposal;
  const waits = files.some(({ state }) => isUndecidedState(state));
  return waits && files.every(({ state }) => state !== 'applying');
}
