/** Which conversations belong together. Pure. */
import type { Parent } from './branch.ts';
import type { Conversation } from './conversation.ts';

/** A conversation, as far as it matters where it branched off. */
export interface Relative {
  readonly conversation: Pick<Conversation, 'id'>;
  readonly parent?: Parent | undefined;
}

/**
 * The conversations that show versions of the same turns, each family in the order in which it was made. A fork begins a family of its own:
 * it is another conversation, with the same beginning.
 */
export function familiesOf<M extends Relative>(members: readonly M[]): readonly (readonly M[])[] {
  const byId = new Map(members.map((member) => [member.conversation.id, member]));
  const from = ({ parent }: M): M | undefined =>
    parent?.kind === 'version' ? byId.get(parent.conversation) : undefined;
  return [...Map.groupBy(members, (member) => originOf(member, from)).values()];
}

/** The ids of those that show versions of the same turns as the one of this id, itself left out. None when it is not among them. */
export function relativesOf(
  id: string,
  all: readonly { readonly id: string; readonly parent?: Parent | undefined }[],
): readonly string[] {
  const members = all.map((one) => ({ conversation: { id: one.id }, parent: one.parent }));
  const families = familiesOf(members).map((family) => family.map(({ conversation }) => conversation.id));
  return families.find((family) => family.includes(id))?.filter((other) => other !== id) ?? [];
}

/** Where `from` leads in the end. A file that somebody renamed may have one stem from itself: then it goes no further than once around. */
export function originOf<T>(one: T, from: (one: T) => T | undefined): T {
  const passed = new Set([one]);
  let at = one;
  for (let next = from(at); next !== undefined && !passed.has(next); next = from(at)) {
    passed.add(next);
    at = next;
  }
  return at;
}
