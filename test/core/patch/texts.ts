/** Workspaces of texts for the patch tests: a record from path to text, and a view of it as the planner wants one. */
import type { EditPlan, FileState } from '../../../src/core/patch/editPlan.ts';
import { parsePatch } from '../../../src/core/patch/parse.ts';
import type { PatchFailure } from '../../../src/core/patch/patchError.ts';
import { planPatch, type FileView } from '../../../src/core/patch/plan.ts';
import { err, ok, type Result } from '../../../src/core/result.ts';
import { pathKey, resolvePath, type Root } from '../../../src/core/workspacePath.ts';

export type Texts = Readonly<Record<string, string>>;

export const workspace: Root = { name: 'work', path: '/work', caseInsensitive: false };

/** A path that leads to a folder of other texts is refused as a folder, as a disk would. */
export function viewOf(texts: Texts, roots: readonly Root[] = [workspace]): FileView {
  const stateOf = (relative: string): FileState => {
    const text = Object.hasOwn(texts, relative) ? texts[relative] : undefined;
    if (text !== undefined) return { kind: 'text', text };
    return Object.keys(texts).some((path) => path.startsWith(`${relative}/`))
      ? { kind: 'refused', reason: 'directory' }
      : { kind: 'missing' };
  };
  return {
    resolve: (written) => {
      const paths = resolvePath(written, roots);
      if (!paths.ok) return paths;
      const [only, ...others] = paths.value;
      return only && others.length === 0 ? ok(only) : err('whichFolder');
    },
    key: (path) => pathKey(path, roots),
    read: (path) => {
      if (!roots[path.root]?.caseInsensitive) return stateOf(path.relative);
      const real = Object.keys(texts).find((name) => name.toLowerCase() === path.relative.toLowerCase());
      return stateOf(real ?? path.relative);
    },
  };
}

/** Reads and plans in one go; a fault of the format is a failure with that one problem. */
export function plan(texts: Texts, patch: string, view = viewOf(texts)): Result<EditPlan, PatchFailure> {
  const parsed = parsePatch(patch);
  return parsed.ok
    ? planPatch(parsed.value, view)
    : err({ problems: [parsed.error], fine: [], unchecked: [] });
}

/** What the plan leaves behind. */
export function applied(texts: Texts, { files }: EditPlan): Texts {
  const result = new Map(Object.entries(texts));
  for (const edit of files) {
    if (edit.kind !== 'add') result.delete(edit.path.relative);
  }
  for (const edit of files) {
    if (edit.kind === 'add') result.set(edit.path.relative, edit.after);
    else if (edit.kind === 'update') result.set((edit.to ?? edit.path).relative, edit.after);
  }
  return Object.fromEntries(result);
}

/** The one update of a plan that must be there. */
export function onlyUpdate(
  result: Result<EditPlan, PatchFailure>,
): EditPlan['files'][number] & { kind: 'update' } {
  if (!result.ok) throw new Error(JSON.stringify(result.error.problems));
  const [edit] = result.value.files;
  if (result.value.files.length !== 1 || edit?.kind !== 'update')
    throw new Error(JSON.stringify(result.value.files));
  return edit;
}

/** The first problem of a failure that must be there. */
export function firstProblem(result: Result<EditPlan, PatchFailure>): PatchFailure['problems'][number] {
  if (result.ok) throw new Error(`planned: ${JSON.stringify(result.value)}`);
  return result.error.problems[0] as PatchFailure['problems'][number];
}

/** A patch of one section on `a.txt`, its body lines without the envelope. */
export function updating(...body: readonly string[]): string {
  return ['*** Begin Patch', '*** Update File: a.txt', ...body, '*** End Patch', ''].join('\n');
}

export function enveloped(...body: readonly string[]): string {
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}
