/** How a turn that the service ended early is gone on with. Pure; the panel says what the host does. */
import { defaultOutputTokens, mostOutputTokens } from '../responses/models.ts';
import type { Part, Turn } from './conversation.ts';
import { roundOf } from './rounds.ts';

export type Continuing =
  /** The answer so far stands, and the model is to go on where it ended. */
  | { readonly kind: 'goOn'; readonly room: number; readonly message: string }
  /**
   * All the room went into reasoning, or into a call that was cut off: asked again, with more of it. `message` is there when the
   * model had said something before that: what it said stands, and an own message must not be the last thing that it is sent.
   */
  | { readonly kind: 'again'; readonly room: number; readonly message?: string }
  /** More room would not help. `message` is there when the service ended what the model was saying for another reason. */
  | { readonly kind: 'none'; readonly message?: string };

const goOn =
  'Your last message was cut off because it reached its length limit. Go on exactly where it ended. Do not repeat any of it and do not comment on this.';

const more =
  'Your last response was cut off because it reached its length limit. What you said stands. Whatever followed it was lost: a call that was not complete has not run. Go on from there.';

const endedEarly =
  'The service ended your last response early. What you said stands; a call that was not complete has not run. Go on from there.';

/**
 * `limit` is the room that the person set, in tokens for reasoning and answer; absent when the service decides. The room is doubled
 * each time: what was not enough once would not be enough again.
 */
export function continuing(turn: Turn, limit: number | undefined): Continuing {
  if (turn.end?.kind !== 'incomplete' || turn.end.reason === 'content_filter') return { kind: 'none' };
  if (turn.end.reason !== 'max_output_tokens')
    return { kind: 'none', ...(lastParts(turn).some(isText) && { message: endedEarly }) };
  const last = turn.requests.at(-1);
  const before = Math.max(last?.room ?? defaultOutputTokens, limit ?? 0);
  const room = Math.min(mostOutputTokens, before * 2);
  if (endsInText(turn)) return { kind: 'goOn', room, message: goOn };
  return { kind: 'again', room, ...(lastParts(turn).some(isText) && { message: more }) };
}

/** Whether the last response got as far as an answer. */
export function endsInText(turn: Turn): boolean {
  const last = lastParts(turn).at(-1);
  return last !== undefined && isText(last);
}

/** Of the last response. */
function lastParts(turn: Turn): readonly Part[] {
  const round = turn.requests.at(-1)?.round;
  return turn.parts.filter((part) => roundOf(part.id) === round);
}

function isText(part: Part): boolean {
  return part.kind === 'answer' && part.sections.some((text) => text.trim() !== '');
}
