/** Questions of earlier turns that are being written anew. Pure; what is typed outlives the page. */

export type TurnEdits = Readonly<Record<string, TurnEdit>>;

export interface TurnEdit {
  readonly text: string;
  /** Ids of the chips that were taken off. */
  readonly dropped: readonly string[];
}

/** Whatever state has edits in it. */
interface WithEdits {
  readonly edits: TurnEdits;
}

export function withEdit<S extends WithEdits>(state: S, turn: string, edit: TurnEdit): S {
  return { ...state, edits: { ...state.edits, [turn]: edit } };
}

/** Characters of all of them together that are kept with the page: VS Code writes that with all else that it keeps for the workspace. */
const longestKept = 100_000;

/** Characters of all of them together. */
export function lengthOfEdits(edits: TurnEdits): number {
  return Object.values(edits).reduce((sum, { text }) => sum + text.length, 0);
}

/** Those that outlive the page: the last that were begun, as long as there is room for them. */
export function keptEdits(edits: TurnEdits): TurnEdits {
  let left = longestKept;
  const kept = Object.entries(edits)
    .toReversed()
    .filter(([, { text }]) => {
      const hasRoom = text.length <= left;
      if (hasRoom) left -= text.length;
      return hasRoom;
    });
  return Object.fromEntries(kept.toReversed());
}

/** It was sent, or the person thought better of it. */
export function withoutEdit<S extends WithEdits>(state: S, turn: string): S {
  if (!Object.hasOwn(state.edits, turn)) return state;
  const { [turn]: _gone, ...edits } = state.edits;
  return { ...state, edits };
}

/** As VS Code kept them. What another version of the panel wrote counts as none. */
export function readEdits(value: unknown): TurnEdits | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const edits = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([turn, edit]) => {
    const read = readEdit(edit);
    return read === undefined ? [] : [[turn, read] as const];
  });
  return Object.fromEntries(edits);
}

function readEdit(value: unknown): TurnEdit | undefined {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('dropped' in value))
    return undefined;
  const { text, dropped } = value;
  if (typeof text !== 'string' || !Array.isArray(dropped)) return undefined;
  return { text, dropped: dropped.filter((id) => typeof id === 'string') };
}
