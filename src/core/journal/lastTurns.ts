/** The end of a conversation, from the last lines of its journal: for a first look, while the rest is read. Pure; never throws. */
import type { Conversation } from '../conversation/conversation.ts';
import { endingsOf } from './endings.ts';
import { decodeRecord, recordIn } from './record.ts';
import { beginState, StateBuilder } from './state.ts';

/**
 * The turns that began within these lines, as they are at their end. What is told of turns before is passed over.
 * @param written milliseconds since the epoch when something was written last: see `endingsOf`
 */
export function lastTurns(lines: Iterable<string>, id: string, written: number): Conversation {
  const builder = new StateBuilder(beginState({ kind: 'conversation', id, at: written })!);
  for (const line of lines) {
    const record = recordIn(decodeRecord(line));
    if (record !== undefined) builder.take(record);
  }
  for (const event of endingsOf(builder.state, written)) builder.take({ kind: 'event', event });
  return builder.state.conversation;
}
