/** A patch: fills while the model writes it, asks for a decision, and is one line with its files once decided. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ProposalSummary, ToolPart } from '../../core/conversation/conversation.ts';
import { dot } from '../dot.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import {
  canTakeBack,
  counts,
  filesText,
  hiddenChanges,
  hiddenText,
  isUndecided,
  patchStage,
  settledText,
  toldFiles,
  type PatchStage,
} from '../patchFacts.ts';
import { useArmed, useFocusBack, useFocusKept, useKept } from './hooks.ts';
import { Fold } from './Fold.tsx';
import { ArrivingRow, FileRow, LineCounts } from './PatchFiles.tsx';
import { PatchProblems } from './PatchProblems.tsx';
import { Reason } from './Reason.tsx';
import { ToolText } from './ToolLine.tsx';
import { Working } from './Working.tsx';

export interface PatchCardProps {
  readonly part: ToolPart;
  readonly ended: boolean;
}

export const PatchCard = memo(({ part, ended }: PatchCardProps): VNode => {
  const stage = patchStage(part, ended);
  const card = useRef<HTMLDivElement>(null);
  useFocusKept(card, stage.kind);
  if (stage.kind === 'unfit') return <Unfit part={part} text={stage.text} />;
  const proposal = 'proposal' in stage ? stage.proposal : undefined;
  const arriving = part.progress?.files ?? [];
  const files = proposal?.files ?? arriving;
  return (
    <div
      ref={card}
      class={`patch patch-${stage.kind}`}
      role="group"
      aria-label={l10n.t('Patch')}
      tabIndex={-1}
    >
      <div class="patch-head">
        <span class="patch-title">
          <Title stage={stage} since={part.askedAt ?? part.openedAt} />
        </span>
        {stage.kind === 'pending' ? <ViewAll proposal={stage.proposal} /> : null}
        {files.length > 1 ? (
          <Total files={stage.kind === 'settled' ? toldFiles(stage.proposal) : files} />
        ) : null}
      </div>
      {files.length === 0 ? null : (
        <ul class="patch-files">
          {proposal === undefined
            ? arriving.map((file, index) => <ArrivingRow key={index} file={file} />)
            : proposal.files.map((file) => (
                <FileRow
                  key={file.index}
                  proposal={proposal}
                  file={file}
                  decides={stage.kind === 'pending' && proposal.files.length > 1}
                />
              ))}
        </ul>
      )}
      {stage.kind === 'pending' ? <Decision proposal={stage.proposal} seen={stage.seen} /> : null}
      {stage.kind === 'settled' ? <PatchProblems proposal={stage.proposal.id} /> : null}
      {stage.kind === 'settled' && canTakeBack(stage.proposal) ? (
        <TakeBack proposal={stage.proposal} />
      ) : null}
    </div>
  );
});

function Title({ stage, since }: { stage: PatchStage; since: number }): VNode {
  switch (stage.kind) {
    case 'writing':
      return <Working text={l10n.t('Writing a patch')} since={since} />;
    case 'checking':
      return <Working text={l10n.t('Checking the patch')} since={since} />;
    case 'applying':
      return <span class="working">{l10n.t('Applying')}</span>;
    case 'pending':
      return <>{l10n.t('Patch for {0}', filesText(stage.proposal.files.length))}</>;
    case 'settled':
      return <>{settledText(stage.proposal)}</>;
    case 'unfit':
      return <>{l10n.t('The patch did not fit')}</>;
    case 'cutOff':
      return <>{l10n.t('The patch was not finished')}</>;
  }
}

function Total({ files }: { files: readonly { added: number; removed: number }[] }): VNode {
  const { added, removed } = counts(files);
  return <LineCounts added={added} removed={removed} />;
}

function Decision({ proposal, seen }: { proposal: ProposalSummary; seen: boolean }): VNode {
  const { post } = useEnv();
  const [rejecting, setRejecting] = useState(false);
  const armed = useArmed(
    `${proposal.id} ${seen ? 'seen' : 'unseen'} ${hiddenChanges(proposal) > 0 ? 'hidden' : ''} ${rejecting ? 'rejecting' : ''}`,
  );
  const rejectButton = useFocusBack(rejecting);
  if (rejecting) {
    return (
      <Reason
        label={l10n.t('Reject')}
        onGiven={(reason) =>
          post({ kind: 'reject', proposal: proposal.id, ...(reason !== '' && { reason }) })
        }
        onCancel={() => setRejecting(false)}
      />
    );
  }
  const free = proposal.files.filter((file) => isUndecided(file) && file.takesSecondYes !== true).length;
  const hidden = hiddenChanges(proposal);
  // What can't be seen is not accepted by the way, and over a conflict nothing can be.
  const acceptFirst =
    seen && hidden === 0 && free > 0 && !proposal.files.some(({ state }) => state === 'conflict');
  const review = (
    <button
      key="review"
      type="button"
      class={acceptFirst ? 'button secondary' : 'button'}
      onClick={armed(() => post({ kind: 'review', proposal: proposal.id }))}
    >
      {l10n.t('Review')}
    </button>
  );
  const accept = (
    <button
      key="accept"
      type="button"
      class={acceptFirst ? 'button' : 'button secondary'}
      onClick={armed(() => post({ kind: 'accept', proposal: proposal.id }))}
    >
      {acceptLabel(proposal)}
    </button>
  );
  return (
    <>
      {hidden === 0 ? null : (
        <div class="file-note">
          {hiddenText(hidden)}{' '}
          <button
            type="button"
            class="text-button"
            title={l10n.t('Turns off the diff editor’s setting that hides differences in blanks')}
            onClick={() => post({ kind: 'showHidden', proposal: proposal.id })}
          >
            {l10n.t('Show blanks')}
          </button>
        </div>
      )}
      <div class="patch-buttons">
        {acceptFirst ? [accept, review] : [review, accept]}
        <button
          ref={rejectButton}
          type="button"
          class="text-button"
          aria-expanded={false}
          onClick={armed(() => setRejecting(true))}
        >
          {l10n.t('Reject')}
        </button>
      </div>
    </>
  );
}

/** Those that take a yes of their own are not accepted along with others. */
function acceptLabel({ files }: ProposalSummary): string {
  const undecided = files.filter(isUndecided);
  const free = undecided.filter(({ takesSecondYes }) => takesSecondYes !== true).length;
  if (free === 0) return l10n.t('Accept…');
  if (free < undecided.length) return l10n.t('Accept the others');
  return undecided.length === 1 ? l10n.t('Accept') : l10n.t('Accept all');
}

/** Stands with the files: it decides nothing. */
function ViewAll({ proposal }: { proposal: ProposalSummary }): VNode | null {
  const { post } = useEnv();
  if (proposal.files.filter(isUndecided).length < 2) return null;
  return (
    <button
      type="button"
      class="text-button view-all"
      title={l10n.t('Opens all files in one editor')}
      onClick={() => post({ kind: 'viewAll', proposal: proposal.id })}
    >
      {l10n.t('View all')}
    </button>
  );
}

function TakeBack({ proposal }: { proposal: ProposalSummary }): VNode {
  const { post } = useEnv();
  // It moves when a file is told of in another way, and may come under the pointer that just pressed something else.
  const armed = useArmed(
    [proposal.id, ...proposal.files.map(({ state, note = '' }) => `${state} ${note}`)].join('\n'),
  );
  return (
    <div class="patch-buttons">
      <button
        type="button"
        class="text-button"
        title={l10n.t('Restore the files as they were before this patch, and keep what was changed since')}
        onClick={armed(() => post({ kind: 'takeBack', proposal: proposal.id }))}
      >
        {l10n.t('Take back')}
      </button>
    </div>
  );
}

function Unfit({ part, text }: { part: ToolPart; text: string }): VNode {
  const [open, setOpen] = useKept('open', false);
  return (
    <Fold
      className="tool"
      open={open}
      onToggle={() => setOpen(!open)}
      summary={
        <>
          {l10n.t('A patch did not fit the files')}
          <span class="quiet">{dot + l10n.t('the model was told why')}</span>
        </>
      }
    >
      <ToolText label={l10n.t('Reason')} text={text} />
      <ToolText label={l10n.t('Patch')} text={part.input} />
    </Fold>
  );
}
