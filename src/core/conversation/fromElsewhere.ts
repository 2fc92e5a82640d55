/**
 * A conversation that was made in another workspace, as it may go on in this one: its patches are not decided here, and what was allowed
 * there is not allowed here. Pure.
 */
import type { Conversation, Part, Turn } from './conversation.ts';
import type { Report } from './reports.ts';
import { isLeftOpen } from './waiting.ts';

/** What its model is to be told with the next question. */
export const elsewhereReport: Report = {
  text: 'This conversation was begun in another workspace. What it says of files, and what was read or changed there, need not hold in the workspace that is open now: look before you rely on it.',
};

/** The same to be read; of its patches nothing can be decided or taken back, and no permission of it holds. */
export function fromElsewhere({ id, turns }: Conversation): Conversation {
  return { id, turns: turns.map(turnFromElsewhere) };
}

/** As `fromElsewhere`, for a turn by itself, as deleted ones are kept. */
export function turnFromElsewhere(turn: Turn): Turn {
  return { ...turn, parts: turn.parts.map(partFromElsewhere), elsewhere: true };
}

function partFromElsewhere(part: Part): Part {
  if (part.kind !== 'tool') return part;
  const { proposal, approvals, ...rest } = part;
  // It would hold for the same place here: what may be read is remembered by the conversation alone.
  const kept = approvals?.filter(
    ({ request, answer }) => request.kind !== 'read' || answer?.kind !== 'allow',
  );
  return {
    ...rest,
    ...(kept !== undefined && kept.length > 0 && { approvals: kept }),
    ...(proposal !== undefined && {
      proposal: {
        ...proposal,
        files: proposal.files.map((file) => {
          const { canTakeBack: _canTakeBack, ...settled } = file;
          if (!isLeftOpen(file)) return settled;
          const { hunks: _hunks, note: _note, ...left } = settled;
          return { ...left, state: 'cancelled' as const };
        }),
      },
    }),
  };
}
