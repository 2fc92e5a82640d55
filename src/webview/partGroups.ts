/** Which parts of a turn are shown as one line, and what that line says of how they stand. Pure. */
import type { Approval, Part, ToolPart } from '../core/conversation/conversation.ts';
import { openApproval } from '../core/conversation/waiting.ts';
import { callKey } from './callWords.ts';
import { isPatch } from './turnFacts.ts';

export type PartGroup =
  | { readonly kind: 'part'; readonly part: Exclude<Part, ToolPart> }
  | { readonly kind: 'patch'; readonly part: ToolPart }
  /** A call that waits for the person's answer. */
  | { readonly kind: 'asking'; readonly part: ToolPart; readonly approval: Approval }
  /** Neighbours of a kind; nearly always one. */
  | { readonly kind: 'calls'; readonly calls: readonly ToolPart[] };

/** `ended`: the turn has, so that nobody waits for an answer any more. */
export function groupsOf(parts: readonly Part[], ended: boolean): readonly PartGroup[] {
  const groups: PartGroup[] = [];
  for (const part of parts) {
    if (part.kind !== 'tool') {
      groups.push({ kind: 'part', part });
      continue;
    }
    const approval = ended ? undefined : openApproval(part);
    if (isPatch(part)) groups.push({ kind: 'patch', part });
    if (approval !== undefined) groups.push({ kind: 'asking', part, approval });
    if (isPatch(part) || approval !== undefined) continue;
    const last = groups.at(-1);
    if (last?.kind === 'calls' && last.calls[0] !== undefined && callKey(last.calls[0]) === callKey(part))
      groups[groups.length - 1] = { kind: 'calls', calls: [...last.calls, part] };
    else groups.push({ kind: 'calls', calls: [part] });
  }
  return groups;
}

export type CallState =
  'preparing' | 'running' | 'done' | 'failed' | 'rejected' | 'stopped' | 'undecided' | 'cutOff';

/** `ended`: the turn has, so that a call without an outcome was cut off. */
export function callState({ outcome, askedAt }: ToolPart, ended: boolean): CallState {
  if (outcome === undefined) {
    if (ended) return 'cutOff';
    return askedAt === undefined ? 'preparing' : 'running';
  }
  return outcome.kind === 'cancelled' ? 'stopped' : outcome.kind;
}

export function isGoing(state: CallState): boolean {
  return state === 'preparing' || state === 'running';
}

/** The call did its work, whatever became of what it proposed. */
export function isDone(state: CallState): boolean {
  return state === 'done' || state === 'undecided';
}
