/** What the list of conversations is made of: each conversation once, with all versions of its turns. Pure; reads nothing. */
import { familiesOf } from '../../core/conversation/families.ts';
import type { ConversationFacts } from '../../core/journal/facts.ts';

/** A workspace that has conversations of its own. */
export interface KnownWorkspace {
  /** Of its conversations, on the disk. */
  readonly folder: string;
  /** As a person knows it; empty for windows without a folder. */
  readonly name: string;
  /** What is opened to have it back; absent when there is nothing. */
  readonly uri?: string;
}

/** What this window knows of a conversation that it has open. */
export interface LiveConversation {
  /** The later it was shown, the larger. */
  readonly lastShown: number;
  /** In the panel for which the list is. */
  readonly isShown: boolean;
  readonly doing?: 'answering' | 'waiting';
}

export interface KnownConversation {
  readonly facts: ConversationFacts;
  readonly live?: LiveConversation;
}

export interface HistoryEntry {
  /** Which of its versions is shown when it is chosen: the one that was shown last. */
  readonly id: string;
  /** The one that the others branched off from, whose title is that of all. */
  readonly root: string;
  /** All of them, `id` and `root` among them. */
  readonly members: readonly string[];
  /** Those among them that are pinned. */
  readonly pinned: readonly string[];
  /** As the person or the model named it, or else its first question; empty when all were deleted. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly questions: number;
  readonly isForked: boolean;
  readonly isShown: boolean;
  /** A patch or a question of a tool waits for the person, an answer is coming, or the last question has none. */
  readonly state?: 'waiting' | 'answering' | 'unanswered';
  /** Absent for the workspace of this window. */
  readonly place?: KnownWorkspace;
}

/** The one that changed last first. Conversations in which nothing was ever asked are left out. */
export function historyEntries(
  known: readonly KnownConversation[],
  place?: KnownWorkspace,
): readonly HistoryEntry[] {
  const members = known
    .toSorted((a, b) => a.facts.createdAt - b.facts.createdAt)
    .map((one) => ({ ...one, conversation: one.facts, parent: one.facts.parent }));
  return familiesOf(members)
    .flatMap((family) => entryOf(family, place))
    .toSorted((a, b) => b.changedAt - a.changedAt);
}

function entryOf(
  family: readonly KnownConversation[],
  place: KnownWorkspace | undefined,
): readonly HistoryEntry[] {
  const [root] = family;
  const recent = family.toSorted(byLastLookedAt)[0];
  if (root === undefined || recent === undefined) return [];
  const state = stateOf(family, recent.facts);
  return [
    {
      id: recent.facts.id,
      root: root.facts.id,
      members: family.map(({ facts }) => facts.id),
      pinned: family.flatMap(({ facts }) => (facts.pinned === true ? [facts.id] : [])),
      title: titleIn(family, recent.facts),
      changedAt: Math.max(...family.map(({ facts }) => facts.changedAt)),
      questions: recent.facts.turns,
      isForked: family.some(({ facts }) => facts.parent?.kind === 'fork'),
      isShown: family.some(({ live }) => live?.isShown === true),
      ...(state !== undefined && { state }),
      ...(place !== undefined && { place }),
    },
  ];
}

function byLastLookedAt(a: KnownConversation, b: KnownConversation): number {
  const [first, second] = [a.live?.lastShown ?? -1, b.live?.lastShown ?? -1];
  return second - first || b.facts.changedAt - a.facts.changedAt;
}

/**
 * What a person said counts more than what a model did, and what was said of the first more than of a version. Who gives an empty name wants
 * the question.
 */
function titleIn(family: readonly KnownConversation[], recent: ConversationFacts): string {
  const titles = family.flatMap(({ facts }) => facts.title ?? []);
  const named = titles.find(({ by }) => by === 'person') ?? recent.title ?? titles[0];
  return named === undefined || named.text === '' ? recent.question : named.text;
}

function stateOf(
  family: readonly KnownConversation[],
  recent: ConversationFacts,
): HistoryEntry['state'] | undefined {
  const doing = family.flatMap(({ live }) => live?.doing ?? []);
  if (doing.includes('waiting') || family.some(({ facts }) => facts.waiting !== undefined)) return 'waiting';
  if (doing.includes('answering')) return 'answering';
  return recent.unanswered === true ? 'unanswered' : undefined;
}
