/** Going back to earlier turns: what the panel remembers of it, and what every view of a turn may do. Knows no element but by the cursor. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Effort, ModelId, Question } from '../core/conversation/conversation.ts';
import type { ToHost } from '../protocol/toHost.ts';
import type { TurnVersions } from '../protocol/toWebview.ts';
import type { Weighed } from './store.ts';
import { keptEdits, withEdit, withoutEdit, type TurnEdit, type TurnEdits } from './turnEdits.ts';

/** What is asked with. */
export interface Choice {
  readonly model: ModelId;
  readonly effort: Effort;
}

export interface BranchPorts<S extends { readonly edits: TurnEdits }> {
  readonly state: () => S;
  /** Draws and keeps it. */
  readonly change: (state: S) => void;
  readonly post: (intent: ToHost) => void;
  readonly newId: () => string;
  /** Milliseconds, growing. */
  readonly now: () => number;
}

/** A place that is to have the cursor as soon as it is there. */
interface Wanted {
  readonly place: string;
  readonly until: number;
}

/** What the host does takes a moment; who has gone on with something else since does not want the cursor moved. */
const patience = 3000;

export class BranchActions<S extends { readonly edits: TurnEdits }> {
  readonly #ports: BranchPorts<S>;
  #wanted: Wanted | undefined;
  /** The edit that was sent last, to know it again when it is sent twice. */
  #sent: { readonly id: string; readonly content: string } | undefined;

  constructor(ports: BranchPorts<S>) {
    this.#ports = ports;
  }

  /** What a person has typed so far; undefined when the question is not being written anew. */
  editOf(turn: string): TurnEdit | undefined {
    return this.#ports.state().edits[turn];
  }

  /** It outlives the page. */
  isKept(turn: string): boolean {
    const { edits } = this.#ports.state();
    return edits[turn] === undefined || Object.hasOwn(keptEdits(edits), turn);
  }

  startEdit(turn: string, { text }: Pick<Question, 'text'>): void {
    this.want(`edit ${turn}`);
    if (this.editOf(turn) !== undefined) return;
    // The same words once more are another edit.
    this.#sent = undefined;
    this.changeEdit(turn, { text, dropped: [] });
  }

  changeEdit(turn: string, edit: TurnEdit): void {
    this.#ports.change(withEdit(this.#ports.state(), turn, edit));
  }

  cancelEdit(turn: string): void {
    this.#ports.change(withoutEdit(this.#ports.state(), turn));
  }

  /** Nothing is sent without a text. */
  sendEdit(turn: string, { attachments }: Question): void {
    const edit = this.editOf(turn);
    if (edit === undefined || edit.text.trim() === '') return;
    const kept = attachments.map(({ id }) => id).filter((id) => !edit.dropped.includes(id));
    const content = JSON.stringify([turn, edit.text, kept]);
    if (this.#sent?.content !== content) this.#sent = { id: this.#ports.newId(), content };
    this.#ports.post({ kind: 'edit', id: this.#sent.id, turn, text: edit.text, attachments: kept });
  }

  /** `place` takes the cursor when it appears within a moment. */
  want(place: string): void {
    this.#wanted = { place, until: this.#ports.now() + patience };
  }

  /** Whether this place is to take the cursor; true once. */
  takes(place: string): boolean {
    const wanted = this.#wanted;
    if (wanted?.place !== place) return false;
    this.#wanted = undefined;
    return this.#ports.now() <= wanted.until;
  }
}

export type TurnBranches = Pick<
  BranchActions<{ readonly edits: TurnEdits }>,
  'editOf' | 'isKept' | 'startEdit' | 'changeEdit' | 'cancelEdit' | 'sendEdit' | 'want' | 'takes'
>;

const nothing = (): void => undefined;

export const BranchesContext = createContext<TurnBranches>({
  editOf: () => undefined,
  isKept: () => true,
  startEdit: nothing,
  changeEdit: nothing,
  cancelEdit: nothing,
  sendEdit: nothing,
  want: nothing,
  takes: () => false,
});

export function useBranches(): TurnBranches {
  return useContext(BranchesContext);
}

/** Ids of the turns whose questions are being written anew. It stays the same value while somebody types. */
export const EditedContext = createContext<readonly string[]>([]);

export const VersionsContext = createContext<readonly TurnVersions[]>([]);

/** Undefined for a turn that was asked once. */
export function useVersions(turn: string): TurnVersions | undefined {
  return useContext(VersionsContext).find((one) => one.turn === turn);
}

/** Model and effort of the composer. */
export const ChoiceContext = createContext<Choice>({ model: 'kimi-k3.1-pro', effort: 'max' });

export const WeighedContext = createContext<readonly Weighed[]>([]);

/** What it would cost to ask a turn again, as it was asked or with another text; undefined as long as that is not told. */
export function useWeighed(turn: string, edited: boolean): Weighed | undefined {
  return useContext(WeighedContext).find((one) => one.turn === turn && one.edited === edited);
}
