/** Which conversations belong together, and which of their turns are versions of one another. Pure; knows no session. */
import type { Conversation, Turn } from '../../core/conversation/conversation.ts';
import type { TurnVersions, VersionFacts } from '../../protocol/toWebview.ts';

/** A conversation, and where it branched off. */
export interface Member {
  readonly conversation: Conversation;
  readonly parent: Parent | undefined;
}

/** Where a conversation branched off. */
export interface Parent {
  readonly conversation: string;
  readonly turn: string;
  /** `version`: its first own turn stands in the place of `turn`. `fork`: `turn` is the last one that was taken along. */
  readonly kind: 'version' | 'fork';
}

/**
 * The conversations that show versions of the same turns, each family in the order in which it was made. A fork begins a family of its own:
 * it is another conversation, with the same beginning.
 */
export function familiesOf<M extends Member>(members: readonly M[]): readonly (readonly M[])[] {
  const byId = new Map(members.map((member) => [member.conversation.id, member]));
  const first = (member: M): M => {
    const { parent } = member;
    const from = parent?.kind === 'version' ? byId.get(parent.conversation) : undefined;
    return from === undefined ? member : first(from);
  };
  return [...Map.groupBy(members, first).values()];
}

/**
 * The turns of a conversation that have other versions, in their order, each with all of them in the order in which they were asked.
 *
 * @param family in the order in which they were made
 * @param lastShown the later, the larger: of several conversations with the same version, the one that was shown last stands for it
 */
export function versionsIn<M extends Member>(
  shown: M,
  family: readonly M[],
  lastShown: (member: M) => number,
): readonly TurnVersions[] {
  if (family.length < 2) return [];
  const rootOf = rootsOf(family);
  const recent = family.toSorted((a, b) => lastShown(b) - lastShown(a));
  const ids = [...new Set(family.flatMap(({ conversation }) => conversation.turns.map(({ id }) => id)))];
  const groups = Map.groupBy(ids, rootOf);
  return shown.conversation.turns.flatMap(({ id }) => {
    const group = groups.get(rootOf(id)) ?? [];
    if (group.length < 2) return [];
    const versions = group.flatMap((turn) => factsOf(turn, id === turn ? [shown] : recent));
    return [{ turn: id, versions: versions.toSorted((a, b) => a.startedAt - b.startedAt) }];
  });
}

/** The name of the place that a turn stands in, the same for all its versions: the id of the first one. */
function rootsOf(family: readonly Member[]): (turn: string) => string {
  const byId = new Map(family.map((member) => [member.conversation.id, member]));
  const before = new Map<string, string>();
  for (const { conversation, parent } of family) {
    const from = parent?.kind === 'version' ? byId.get(parent.conversation) : undefined;
    const at = from?.conversation.turns.findIndex(({ id }) => id === parent?.turn) ?? -1;
    const own = conversation.turns[at];
    // It is not there before its first request is made.
    if (own !== undefined && parent !== undefined) before.set(own.id, parent.turn);
  }
  const root = (turn: string): string => {
    const from = before.get(turn);
    return from === undefined ? turn : root(from);
  };
  return root;
}

function factsOf(turnId: string, members: readonly Member[]): readonly VersionFacts[] {
  for (const { conversation } of members) {
    const turn = conversation.turns.find(({ id }) => id === turnId);
    if (turn !== undefined) return [versionFacts(conversation.id, turn)];
  }
  return [];
}

function versionFacts(conversation: string, turn: Turn): VersionFacts {
  const { id, model, effort, startedAt, endedAt, end, requests, removed } = turn;
  return {
    turn: id,
    conversation,
    model,
    effort,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(end !== undefined && { end: end.kind }),
    ...(removed === true && { removed }),
    requests,
  };
}
