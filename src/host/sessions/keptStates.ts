/** From what a journal tells of a conversation to what a session begins with. Pure. */
import { endingsOf } from '../../core/journal/endings.ts';
import { foldRecord, type JournalState } from '../../core/journal/state.ts';
import type { SessionChange, SessionSeed } from './sessionSeed.ts';

/**
 * What was running when its window went has ended.
 * @param written when something was written last: see `endingsOf`
 */
export function ended(
  state: JournalState,
  written: number,
): { readonly state: JournalState; readonly changes: readonly SessionChange[] } {
  const changes = endingsOf(state, written).map((event) => ({ kind: 'event' as const, event }));
  return { state: changes.reduce(foldRecord, state), changes };
}

export function seedOf(state: JournalState): SessionSeed {
  const { conversation, history, requests, removed, reports, parent, webSearch, begunWith, ruleChoices } =
    state;
  return {
    ...{ conversation, history, requests, removed, reports, begunWith },
    ...(parent !== undefined && { parent }),
    ...(webSearch !== undefined && { webSearch }),
    ...(ruleChoices !== undefined && { ruleChoices }),
  };
}

/** What goes on elsewhere, for the original is not to be written to. */
export function copyOf(state: JournalState, id: string): SessionSeed {
  const { begunWith: _begunWith, parent: _parent, ...seed } = seedOf(state);
  const { id: conversation, turns } = state.conversation;
  const turn = turns.at(-1)?.id;
  return {
    ...seed,
    conversation: { id, turns },
    ...(turn !== undefined && { parent: { conversation, turn, kind: 'fork' } }),
  };
}
