/** Which questions of tools the person has answered already, in the conversation itself: nothing else remembers it, and nothing for longer. Pure. */
import type { ApprovalAnswer, ApprovalRequest } from './approval.ts';
import type { Conversation } from './conversation.ts';

type ReadRequest = Extract<ApprovalRequest, { kind: 'read' }>;

/**
 * The answer that holds for this question too: what may be read stays so as long as the turn is in the conversation in which it was
 * allowed, and what may not be read is not asked about again in the same turn. Undefined when the person is to be asked.
 */
export function answeredBefore(
  { turns }: Conversation,
  request: ApprovalRequest,
): ApprovalAnswer | undefined {
  if (request.kind !== 'read') return undefined;
  for (const turn of turns.toReversed()) {
    for (const part of turn.parts) {
      for (const { request: before, answer } of (part.kind === 'tool' ? part.approvals : undefined) ?? []) {
        const holds = answer !== undefined && answerHolds(before, answer, request);
        if (holds && (answer.kind === 'allow' || turn === turns.at(-1))) return answer;
      }
    }
  }
  return undefined;
}

/** Whether what was answered to one question answers another one of the same moment. */
export function answerHolds(
  before: ApprovalRequest,
  answer: ApprovalAnswer,
  request: ApprovalRequest,
): boolean {
  if (before.kind !== 'read' || request.kind !== 'read') return false;
  switch (answer.kind) {
    case 'allow':
      return placeOf(before) === placeOf(request) || (before.folder === true && isBelow(request, before));
    case 'deny':
      return placeOf(before) === placeOf(request);
    case 'mask':
    case 'later':
    case 'cancelled':
      return false;
  }
}

/** What is really read. */
function placeOf({ path, target }: ReadRequest): string {
  return target ?? path;
}

function isBelow(request: ReadRequest, folder: ReadRequest): boolean {
  return placeOf(request).startsWith(`${placeOf(folder).replace(/\/+$/, '')}/`);
}
