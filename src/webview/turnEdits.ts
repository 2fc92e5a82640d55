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
