/** Which turns of conversations that belong together are versions of one another, and what of them was paid. Pure; knows no session. */
import type { Parent } from '../../core/conversation/branch.ts';
import type { Conversation, RequestRecord, Turn } from '../../core/conversation/conversation.ts';
import { originOf, type Relative } from '../../core/conversation/families.ts';
import type { TurnVersions, VersionFacts } from '../../protocol/toWebview.ts';

/** A conversation, and where it branched off. */
export interface Member extends Relative {
  readonly conversation: Conversation;
  readonly parent: Parent | undefined;
}

/** A conversation as far as it is paid for. */
export interface PaidMember extends Member {
  /** How many requests each of the turns already had that it began with, by the id of the turn. */
  readonly begunWith: ReadonlyMap<string, number>;
}

/** The requests of a family of conversations, each once, whichever of them show its turn, deleted turns included. */
export interface PaidRequests {
  /** What the family costs. */
  readonly all: readonly RequestRecord[];
  /** Those of `all` whose turns the shown conversation does not have. */
  readonly otherVersions: readonly RequestRecord[];
  /** What a fork began with: not in `all`, for it was paid in the conversation that it was taken from. */
  readonly beforeFork: readonly RequestRecord[];
}

/** @param family of which `shown` is one, in the order in which they were made: only the first one can be a fork */
export function paidRequests(shown: PaidMember, family: readonly PaidMember[]): PaidRequests {
  const [root] = family;
  const begunWith = root?.parent?.kind === 'fork' ? root.begunWith : new Map<string, number>();
  const own = new Set(shown.conversation.turns.map(({ id }) => id));
  // Members that share a turn share its requests. It is asked first, so that what it shows is what is counted as its own.
  const members = [shown, ...family.filter((member) => member !== shown)];
  const turns = new Map<string, Turn>();
  for (const turn of members.flatMap(({ conversation }) => conversation.turns)) {
    if (!turns.has(turn.id)) turns.set(turn.id, turn);
  }
  const paid = [...turns.values()].map(({ id, requests, naming }) => {
    const count = begunWith.get(id) ?? 0;
    const named = naming === undefined ? [] : [naming];
    return {
      isOwn: own.has(id),
      before: [...requests.slice(0, count), ...(begunWith.has(id) ? named : [])],
      since: [...requests.slice(count), ...(begunWith.has(id) ? [] : named)],
    };
  });
  return {
    all: paid.flatMap(({ since }) => since),
    otherVersions: paid.flatMap(({ isOwn, since }) => (isOwn ? [] : since)),
    beforeFork: paid.flatMap(({ before }) => before),
  };
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
  return (turn) => originOf(turn, (one) => before.get(one));
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
