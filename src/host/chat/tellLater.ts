/** Where it goes what became of a proposal after its call was answered: to whoever shows the proposal. Decides nothing. */
import type { Later } from '../edits/review/reviewBoard.ts';
import { isOfCode, type CodeProposals } from './codeProposals.ts';
import type { OrphanedPatches } from '../sessions/orphanedPatches.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface LaterListeners {
  readonly code: Pick<CodeProposals, 'note'>;
  readonly sessions: Pick<Sessions, 'tellLater'>;
  readonly orphans: Pick<OrphanedPatches, 'note'>;
}

export function tellLater({ proposal, report }: Later, { code, sessions, orphans }: LaterListeners): void {
  if (code.note(proposal)) return;
  // Code of an earlier window; the model never heard of it.
  if (isOfCode(proposal)) orphans.note(proposal, undefined);
  else if (!sessions.tellLater(proposal, report)) orphans.note(proposal, report);
}
