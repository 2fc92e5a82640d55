/** How a turn that the service ended early is gone on with. Pure; the panel says what the host does. */
import { defaultOutputTokens, mostOutputTokens } from '../responses/models.ts';
import type { Turn } from './conversation.ts';

export type Continuing =
  /** The answer so far stands, and the model is to go on where it ended. */
  | { readonly kind: 'goOn'; readonly room: number; readonly message: string }
  /** All the room went into reasoning, or into a call that was cut off: asked again, with more of it. */
  | { readonly kind: 'again'; readonly room: number }
  /** Neither would help. */
  | { readonly kind: 'none' };

const goOn =
  'Your last message was cut off because it reached its length limit. Go on exactly where it ended. Do not repeat any of it and do not comment on this.';

/**
 * `limit` is the room that the person set, in tokens for reasoning and answer; absent when the service decides. The room is doubled
 * each time: what was not enough once would not be enough again.
 */
export function continuing(turn: Turn, limit: number | undefined): Continuing {
  if (turn.end?.kind !== 'incomplete' || turn.end.reason !== 'max_output_tokens') return { kind: 'none' };
  const last = turn.requests.at(-1);
  const before = Math.max(last?.room ?? defaultOutputTokens, limit ?? 0);
  const room = Math.min(mostOutputTokens, before * 2);
  return endsInText(turn) ? { kind: 'goOn', room, message: goOn } : { kind: 'again', room };
}

/** Whether the last response got as far as an answer. */
export function endsInText(turn: Turn): boolean {
  const round = turn.requests.at(-1)?.round;
  const last = turn.parts.findLast((part) => Number.parseInt(part.id, 10) === round);
  return last?.kind === 'answer' && last.sections.some((text) => text.trim() !== '');
}
