/** Brings back what waited when an earlier window closed. Who asked for it is gone with that window. */
import type { ProposalSummary } from '../../../core/conversation/conversation.ts';
import type { PendingFiles } from './pendingFiles.ts';
import { PendingProposal, type PendingFile } from './pendingProposal.ts';
import type { KeptProposal, PendingStore } from './pendingStore.ts';

export interface RestoringParts {
  readonly store: PendingStore;
  readonly files: PendingFiles;
  /** Told each time something of a proposal changes. */
  readonly told: (proposal: PendingProposal, summary: ProposalSummary) => void;
}

/** The proposal as it waits again, its call long answered. Undefined when none of its folders is in the workspace any more. */
export function restoreProposal(
  kept: KeptProposal,
  { store, files: maker, told }: RestoringParts,
): PendingProposal | undefined {
  const files: PendingFile[] = [];
  for (const each of kept.files) {
    // Counted anew: those of a folder that is gone are missing.
    const file = maker.restored(each, files.length);
    if (file !== undefined) files.push(file);
  }
  if (files.length === 0) {
    store.forget(kept.id);
    return undefined;
  }
  // Its files are counted anew, so it is another one to the journal.
  const id = `${kept.id.replace(/ \(\d+\)$/, '')} (${kept.order})`;
  if (id !== kept.id) store.forget(kept.id);
  const pending: PendingProposal = new PendingProposal(id, files, {
    signal: new AbortController().signal,
    proposal: (summary) => told(pending, summary),
  });
  pending.leave();
  return pending;
}
