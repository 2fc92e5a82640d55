/** A proposal that waits again in another window: which one it was, and what is known of it altogether. Pure. */
import type { ProposalSummary, ProposedFile } from './conversation.ts';
import { isLeftOpen } from './waiting.ts';

/** Whether two names are those of one proposal: when it waits again, a number in brackets is put behind its name. */
export function isSameProposal(one: string, other: string): boolean {
  return withoutNumber(one) === withoutNumber(other);
}

/**
 * What is shown of a proposal from now on. One that waits again has only those files that were not decided before, counted anew: the others
 * stay in sight behind them, and nothing can be done about them by that name.
 */
export function proposalAfter(before: ProposalSummary, now: ProposalSummary): ProposalSummary {
  const named = new Set(now.files.map(nameOf));
  const others = before.files.filter((file) => !named.has(nameOf(file)));
  if (others.length === 0) return now;
  const next = Math.max(-1, ...now.files.map(({ index }) => index)) + 1;
  return {
    ...now,
    files: [
      ...now.files,
      ...others.map(({ canTakeBack: _canTakeBack, ...file }, at) => ({ ...file, index: next + at })),
    ],
  };
}

/**
 * A proposal that was left open and does not wait any more, for the window was gone before what became of it was told.
 * @param accepted indices of the files that were written all the same
 * @returns how it is shown from now on, and what the model is told of it
 */
export function settledUnseen(
  proposal: ProposalSummary,
  accepted: ReadonlySet<number>,
): { readonly proposal: ProposalSummary; readonly report: string } {
  const lines: string[] = [];
  const files = proposal.files.map((file): ProposedFile => {
    if (!isLeftOpen(file)) return file;
    const { hunks: _hunks, note: _note, ...rest } = file;
    const isWritten = accepted.has(file.index);
    lines.push(`${JSON.stringify(file.path)}: ${isWritten ? 'written.' : 'nothing was written.'}`);
    return isWritten ? { ...rest, state: 'accepted', canTakeBack: true } : { ...rest, state: 'cancelled' };
  });
  const report = ['A patch was not decided on before the window was closed, and does not wait any more.'];
  return { proposal: { ...proposal, files }, report: [...report, ...lines].join('\n') };
}

function nameOf({ path, to }: ProposedFile): string {
  return JSON.stringify([path, to]);
}

function withoutNumber(id: string): string {
  return id.replace(/ \(\d+\)$/, '');
}
