/** Which parts of a turn are shown as one line, and what that line says of how they stand. Pure. */
import type { Part, ToolPart } from '../core/conversation/conversation.ts';
import { callKey } from './callWords.ts';
import { isPatch } from './turnFacts.ts';

export type PartGroup =
  | { readonly kind: 'part'; readonly part: Exclude<Part, ToolPart> }
  | { readonly kind: 'patch'; readonly part: ToolPart }
  /** Neighbours of a kind; nearly always one. */
  | { readonly kind: 'calls'; readonly calls: readonly ToolPart[] };

export function groupsOf(parts: readonly Part[]): readonly PartGroup[] {
  const groups: PartGroup[] = [];
  for (const part of parts) {
    if (part.kind !== 'tool') {
      groups.push({ kind: 'part', part });
      continue;
    }
    if (isPatch(part)) {
      groups.push({ kind: 'patch', part });
      continue;
    }
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
