/** Hands everything about branches to the views of turns, so that only those that it concerns are drawn anew. */
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  BranchesContext,
  ChoiceContext,
  EditedContext,
  VersionsContext,
  WeighedContext,
  type TurnBranches,
} from '../branches.ts';
import type { Mirror, State } from '../store.ts';

export interface BranchingProps {
  readonly state: State;
  readonly mirror: Mirror;
  readonly branches: TurnBranches;
  readonly children: ComponentChildren;
}

export function Branching({ state, mirror, branches, children }: BranchingProps): VNode {
  const { model, effort } = mirror.panel;
  const choice = useMemo(() => ({ model, effort }), [model, effort]);
  const turns = Object.keys(state.edits).join(' ');
  // Another value only when another turn is edited, not at each key.
  const edited = useMemo(() => turns.split(' '), [turns]);
  return (
    <BranchesContext.Provider value={branches}>
      <EditedContext.Provider value={edited}>
        <VersionsContext.Provider value={mirror.versions}>
          <ChoiceContext.Provider value={choice}>
            <WeighedContext.Provider value={state.weighed}>{children}</WeighedContext.Provider>
          </ChoiceContext.Provider>
        </VersionsContext.Provider>
      </EditedContext.Provider>
    </BranchesContext.Provider>
  );
}
