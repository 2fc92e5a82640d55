/** Below a block of code: where it was proposed, and the decision on it. */
import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import type { ProposalSummary, ProposedFile } from '../../core/conversation/conversation.ts';
import { canBeDecided } from '../../core/conversation/waiting.ts';
import { CodeProposalsContext, useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { hunksText, isUndecided } from '../patchFacts.ts';
import { useArmed, useFocusKept } from './hooks.ts';

/** Proposals of one block; of those that are decided, the last. */
export function AppliedCode({ from }: { from: string }): VNode | null {
  const own = useContext(CodeProposalsContext).filter((one) => one.from === from);
  const last = own.at(-1);
  const shown = own.filter((one) => one === last || canBeDecided(one.proposal));
  if (shown.length === 0) return null;
  return (
    <ul class="applied-list">
      {shown.map(({ proposal }) => (
        <Applied key={proposal.id} proposal={proposal} />
      ))}
    </ul>
  );
}

function Applied({ proposal }: { proposal: ProposalSummary }): VNode | null {
  const { post } = useEnv();
  const row = useRef<HTMLLIElement>(null);
  const [file] = proposal.files;
  const state = file === undefined ? '' : isUndecided(file) ? 'undecided' : file.state;
  const armed = useArmed(`${proposal.id} ${state}`);
  useFocusKept(row, state);
  if (file === undefined) return null;
  const id = proposal.id;
  const name = visibleText(file.path);
  const act = (kind: 'accept' | 'reject' | 'takeBack'): (() => void) =>
    armed(() => post({ kind, proposal: id }));
  const standing = isUndecided(file) ? (file.note ?? hunksText(file)) : file.note;
  return (
    <li ref={row} class="applied" tabIndex={-1} aria-label={l10n.t('Code for {0}', name)}>
      <bdi dir="ltr" class="applied-file">
        <Plain text={file.path} />
      </bdi>
      <span class={`file-state state-${file.state}`}>{stateWords(file)}</span>
      {isUndecided(file) ? (
        <span key="decide" class="applied-buttons">
          <button type="button" class="text-button" onClick={() => post({ kind: 'review', proposal: id })}>
            {l10n.t('Review')}
          </button>
          <button type="button" class="text-button" onClick={act('accept')}>
            {l10n.t('Accept')}
          </button>
          <button type="button" class="text-button" onClick={act('reject')}>
            {l10n.t('Reject')}
          </button>
        </span>
      ) : file.canTakeBack === true ? (
        <span key="done" class="applied-buttons">
          <button type="button" class="text-button" onClick={() => post({ kind: 'review', proposal: id })}>
            {l10n.t('See the change')}
          </button>
          <button type="button" class="text-button" onClick={act('takeBack')}>
            {l10n.t('Take back')}
          </button>
        </span>
      ) : null}
      {standing === undefined ? null : <span class="applied-note">{standing}</span>}
    </li>
  );
}

function stateWords({ state }: ProposedFile): string {
  switch (state) {
    case 'pending':
      return l10n.t('Proposed');
    case 'applying':
      return l10n.t('Being written');
    case 'accepted':
      return l10n.t('Applied');
    case 'rejected':
      return l10n.t('Rejected');
    case 'there':
      return l10n.t('Already there');
    case 'takenBack':
      return l10n.t('Taken back');
    case 'conflict':
      return l10n.t('In conflict');
    case 'failed':
      return l10n.t('Could not be written');
    case 'cancelled':
      return l10n.t('Not decided');
  }
}
