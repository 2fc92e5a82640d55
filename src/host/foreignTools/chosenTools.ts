/**
 * Which tools of others the person lets the model call in this workspace. Kept by VS Code beside the workspace, where no folder can
 * write. None at first.
 */
import * as v from 'valibot';
import type * as vscode from 'vscode';

import { printOf, type ListedTool, type Owner } from './listedTools.ts';
import { freeName } from './toolNames.ts';

export interface ChosenTool {
  /** As VS Code calls it. */
  readonly id: string;
  /** As it was when it was chosen: one that says something else by now is another one, and was not chosen. */
  readonly print: string;
  /** What the model knows it by, for good. */
  readonly namespace: string;
  readonly name: string;
  readonly owner: Owner;
  /** What its owner calls it. */
  readonly shown: string;
}

const key = 'chosenTools';

const text = v.pipe(v.string(), v.maxLength(1_000));
const chosenSchema = v.array(
  v.object({
    ...{ id: text, print: text, namespace: text, name: text, shown: text },
    owner: v.object({ kind: v.picklist(['extension', 'server', 'unknown']), id: text, name: text }),
  }),
);

export class ChosenTools {
  readonly #storage: vscode.Memento;

  constructor(storage: vscode.Memento) {
    this.#storage = storage;
  }

  /** In the order in which they were chosen: that of the request. */
  get all(): readonly ChosenTool[] {
    const read = v.safeParse(chosenSchema, this.#storage.get(key));
    return read.success ? read.output : [];
  }

  /** Those of before stay where they are, under their names; new ones follow. `kept` are ids of those that are not listed now. */
  async choose(picked: readonly ListedTool[], kept: ReadonlySet<string>): Promise<void> {
    const before = this.all;
    const stays = before.flatMap((chosen): readonly ChosenTool[] => {
      const now = picked.find(({ id }) => id === chosen.id);
      if (now !== undefined) return [{ ...chosen, print: printOf(now) }];
      return kept.has(chosen.id) ? [chosen] : [];
    });
    let chosen = stays;
    for (const tool of picked) {
      if (chosen.some(({ id }) => id === tool.id)) continue;
      chosen = [...chosen, named(tool, chosen)];
    }
    await this.#storage.update(key, chosen);
  }
}

/** The namespace of its owner, if that has one; no other owner's, and no other tool's name in it. */
function named(tool: ListedTool, chosen: readonly ChosenTool[]): ChosenTool {
  const { id, owner, name } = tool;
  const own = chosen.find((other) => other.owner.id === owner.id && other.owner.kind === owner.kind);
  const namespace =
    own?.namespace ?? freeName(owner.id, (taken) => chosen.some((other) => other.namespace === taken));
  const isTaken = (taken: string): boolean =>
    chosen.some((other) => other.namespace === namespace && other.name === taken);
  return { id, print: printOf(tool), namespace, name: freeName(name, isTaken), owner, shown: name };
}
