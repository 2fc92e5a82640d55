/** Patches that waited when the window was loaded anew: the same cards, without the conversation that they came from. */
import type { VNode } from 'preact';
import type { ProposalSummary, ToolPart } from '../../core/conversation/conversation.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { isUndecided } from '../patchFacts.ts';
import { PatchCard } from './PatchCard.tsx';

export function Orphans({ proposals }: { proposals: readonly ProposalSummary[] }): VNode {
  const waits = proposals.some(({ files }) => files.some(isUndecided));
  const title = waits
    ? l10n.t('Still waiting since before the window was reloaded')
    : l10n.t('From before the window was reloaded');
  return (
    <section class="orphans" aria-label={title}>
      <h2 class="orphans-title">{title}</h2>
      {proposals.map((proposal) => (
        <OrphanCard key={proposal.id} proposal={proposal} />
      ))}
      <p class="quiet">{l10n.t('The model is told what you decide with your next message.')}</p>
    </section>
  );
}

const OrphanCard = memo(({ proposal }: { proposal: ProposalSummary }): VNode => (
  <PatchCard part={partOf(proposal)} ended={true} />
));

/** The call as it would stand in its conversation: answered, before there was a decision. */
function partOf(proposal: ProposalSummary): ToolPart {
  return {
    kind: 'tool',
    id: proposal.id,
    name: 'apply_patch',
    input: '',
    openedAt: 0,
    askedAt: 0,
    proposal,
    outcome: { kind: 'undecided', text: '' },
    closedAt: 0,
  };
}
