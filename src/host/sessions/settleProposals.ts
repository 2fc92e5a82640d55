/** Patches of a conversation that is there again, of which was not told what became of them. Decides about none. */
import { isSameProposal, settledUnseen } from '../../core/conversation/laterProposal.ts';
import { isLeftOpen, proposalsIn } from '../../core/conversation/waiting.ts';
import type { ChatSession } from './session.ts';

/** Where patches are decided, as far as it is asked here. */
export interface ProposalsPort {
  /** Settles when those that waited when the window was closed wait again. */
  readonly ready: Promise<void>;
  readonly waiting: readonly { readonly id: string }[];
  /** The files of a patch that were written. */
  accepted(proposal: string): readonly { readonly index: number }[];
}

/** Tells the conversation of those that do not wait any more: the window was gone before that was written. */
export async function settleProposals(session: ChatSession, proposals: ProposalsPort): Promise<void> {
  const open = session.conversation.turns.flatMap(proposalsIn).filter(({ files }) => files.some(isLeftOpen));
  if (open.length === 0) return;
  await proposals.ready;
  for (const proposal of open) {
    if (proposals.waiting.some(({ id }) => isSameProposal(id, proposal.id))) continue;
    const accepted = new Set(proposals.accepted(proposal.id).map(({ index }) => index));
    const { proposal: summary, report } = settledUnseen(proposal, accepted);
    session.tellLater(summary, report);
  }
}
