/** What a patch card says, worked out from the call and its proposal. Pure. */
import type {
  FileChangeKind,
  ProposalSummary,
  ProposedFile,
  ToolPart,
} from '../core/conversation/conversation.ts';
import { isUndecidedState } from '../core/conversation/waiting.ts';
import { dotted } from './dot.ts';
import { l10n } from './l10n.ts';

export type PatchStage =
  /** The model is still writing it. */
  | { readonly kind: 'writing' }
  /** Complete, and being fitted to the files. */
  | { readonly kind: 'checking' }
  /** The person decides; `seen` once every undecided file was looked at. */
  | { readonly kind: 'pending'; readonly proposal: ProposalSummary; readonly seen: boolean }
  | { readonly kind: 'applying'; readonly proposal: ProposalSummary }
  | { readonly kind: 'settled'; readonly proposal: ProposalSummary }
  /** It never became a proposal: it does not fit the files, or the turn ended first. */
  | { readonly kind: 'unfit'; readonly text: string }
  | { readonly kind: 'cutOff' };

export function patchStage(part: ToolPart, ended: boolean): PatchStage {
  const { proposal, outcome } = part;
  if (proposal !== undefined) {
    const pending = proposal.files.filter(isUndecided);
    // Who goes on with another question can still decide on what was proposed before.
    const waits = outcome === undefined ? !ended : outcome.kind === 'undecided';
    if (waits && pending.length > 0) {
      return { kind: 'pending', proposal, seen: pending.every((file) => file.seen) };
    }
    const applying = proposal.files.some((file) => file.state === 'applying');
    return {
      kind: applying && (outcome === undefined || outcome.kind === 'undecided') ? 'applying' : 'settled',
      proposal,
    };
  }
  if (outcome !== undefined) {
    return outcome.kind === 'cancelled' ? { kind: 'cutOff' } : { kind: 'unfit', text: outcome.text };
  }
  if (ended) return { kind: 'cutOff' };
  return { kind: part.askedAt === undefined ? 'writing' : 'checking' };
}

export function isUndecided({ state }: ProposedFile): boolean {
  return isUndecidedState(state);
}

export function canTakeBack({ files }: ProposalSummary): boolean {
  return files.some((file) => file.canTakeBack === true);
}

/** How many changes differ in blanks that the diff editor hides. */
export function hiddenChanges({ files }: ProposalSummary): number {
  return files.reduce((sum, { hunks }) => sum + (hunks?.hidden ?? 0), 0);
}

export function hiddenText(count: number): string {
  return count === 1
    ? l10n.t('1 change has lines that differ in blanks only. The diff hides them.')
    : l10n.t('{0} changes have lines that differ in blanks only. The diff hides them.', count);
}

/** How the changes of a file stand, where there is more to say than that they wait. */
export function hunksText({ hunks }: ProposedFile): string | undefined {
  if (hunks === undefined) return undefined;
  const { open, moved, conflicting, there, accepted, rejected } = hunks;
  const parts = [
    ...(accepted > 0 ? [l10n.t('{0} accepted', accepted)] : []),
    ...(rejected > 0 ? [l10n.t('{0} rejected', rejected)] : []),
    ...(there > 0 ? [l10n.t('{0} already there', there)] : []),
    ...(conflicting > 0 ? [l10n.t('{0} in conflict', conflicting)] : []),
    ...(moved > 0 ? [l10n.t('{0} moved', moved)] : []),
  ];
  if (parts.length === 0) return undefined;
  const left = open === 1 ? l10n.t('1 change left') : l10n.t('{0} changes left', open);
  return dotted([left, ...parts]);
}

export interface Counts {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export function counts(files: readonly { readonly added: number; readonly removed: number }[]): Counts {
  return files.reduce<Counts>(
    (sum, file) => ({ ...sum, added: sum.added + file.added, removed: sum.removed + file.removed }),
    { files: files.length, added: 0, removed: 0 },
  );
}

/** Those of a patch that is decided of which its one line tells: lines of others were written nowhere. */
export function toldFiles({ files }: ProposalSummary): readonly ProposedFile[] {
  const of = (state: ProposedFile['state']): readonly ProposedFile[] =>
    files.filter((file) => file.state === state);
  return [of('accepted'), of('takenBack')].find((some) => some.length > 0) ?? files;
}

export function filesText(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

/** The one line of a patch that is decided. */
export function settledText(proposal: ProposalSummary): string {
  const number = (state: ProposedFile['state']): number =>
    proposal.files.filter((file) => file.state === state).length;
  const all = proposal.files.length;
  const accepted = number('accepted');
  if (accepted === all) return l10n.t('Applied to {0}', filesText(all));
  if (accepted > 0) return l10n.t('Applied to {0} of {1}', accepted, filesText(all));
  const takenBack = number('takenBack');
  if (takenBack === all) return l10n.t('Taken back');
  if (takenBack > 0 && accepted === 0) return l10n.t('Taken back in {0} of {1}', takenBack, filesText(all));
  if (number('there') === all) return l10n.t('Already there: nothing was written');
  if (number('rejected') === all) return l10n.t('Rejected');
  if (number('conflict') > 0) return l10n.t('Not applied: the files have changed');
  if (number('failed') > 0) return l10n.t('Could not be applied');
  return l10n.t('Not applied');
}

/** A letter for the kind of change, as in VS Code's source control view. */
export function changeSign(change: FileChangeKind): string {
  switch (change) {
    case 'add':
      return 'A';
    case 'update':
      return 'M';
    case 'delete':
      return 'D';
    case 'move':
      return 'R';
  }
}

export function changeName(change: FileChangeKind): string {
  switch (change) {
    case 'add':
      return l10n.t('New file');
    case 'update':
      return l10n.t('Changed');
    case 'delete':
      return l10n.t('Deleted');
    case 'move':
      return l10n.t('Moved');
  }
}

/** The word beside a file; undefined where the card's title, or a mark, says it already. */
export function stateText(file: ProposedFile, proposal: ProposalSummary): string | undefined {
  const alike = proposal.files.every((other) => other.state === file.state);
  switch (file.state) {
    case 'pending':
      return file.amended ? l10n.t('edited') : undefined;
    case 'applying':
      return alike ? undefined : l10n.t('applying');
    case 'accepted':
      if (file.partly === true) return l10n.t('part accepted');
      if (file.amended) return l10n.t('edited');
      return alike ? undefined : l10n.t('applied');
    case 'takenBack':
      return alike ? undefined : l10n.t('taken back');
    case 'there':
      return alike ? undefined : l10n.t('already there');
    case 'rejected':
      return alike ? undefined : l10n.t('rejected');
    case 'conflict':
      return l10n.t('conflict');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return alike ? undefined : l10n.t('not applied');
  }
}
