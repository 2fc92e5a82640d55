/** Cuts a long conversation for the panel: the last turns first, those before them piece by piece. Pure. */
import type { Conversation, Part, Turn } from '../../core/conversation/conversation.ts';

/** UTF-16 units that are told at a time: some milliseconds of work for either side. */
const pieceLength = 400_000;

export interface Piece {
  readonly turns: readonly Turn[];
  /** How many stand before them. */
  readonly before: number;
}

/** The last ones of the first `count` turns that are told together; at least one, where there is one. */
export function lastPiece({ turns }: Conversation, count = turns.length): Piece {
  let before = count;
  for (let length = 0; before > 0; before -= 1) {
    length += lengthOf(turns[before - 1]!);
    if (length > pieceLength && before < count) break;
  }
  return { turns: before === 0 && count === turns.length ? turns : turns.slice(before, count), before };
}

/** Reckoned: what is long of a turn. */
function lengthOf({ question, parts }: Turn): number {
  return parts.reduce((sum, part) => sum + partLength(part), 200 + question.text.length);
}

function partLength(part: Part): number {
  switch (part.kind) {
    case 'reasoning':
    case 'answer':
      return part.sections.reduce((sum, { length }) => sum + length, 100);
    case 'tool':
      return 200 + part.input.length + (part.outcome?.text.length ?? 0);
    case 'search':
      return 500;
  }
}
