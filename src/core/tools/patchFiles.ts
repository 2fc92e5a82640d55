/** Reads the files a patch names, before it is planned: a plan is made of values and waits for nothing. */
import type { FileState } from '../patch/editPlan.ts';
import { pathsOf, type Patch } from '../patch/patch.ts';
import type { FileView } from '../patch/plan.ts';
import { err, ok, type Result } from '../result.ts';
import { pathKey, resolvePath, type PathFault, type Root, type WorkspacePath } from '../workspacePath.ts';
import type { FilesPort } from './applyPatchPorts.ts';

/** Paths of one patch. Nobody reviews more, and each costs a look at the disk. */
export const maxPaths = 500;

/** Undefined when the patch names more than `maxPaths` paths. */
export async function readPatchFiles(patch: Patch, files: FilesPort): Promise<FileView | undefined> {
  const written = pathsOf(patch);
  if (written.length > maxPaths) return undefined;
  const roots = files.roots();
  const states = new Map<string, FileState>();
  const meant = new Map<string, Result<WorkspacePath, PathFault>>();
  for (const path of written) {
    const candidates = resolvePath(path, roots);
    if (!candidates.ok) {
      meant.set(path, candidates);
      continue;
    }
    for (const candidate of candidates.value) {
      const key = pathKey(candidate, roots);
      // One after the other: a patch names few files, and a reader that opens documents should not be asked for many at once.
      if (!states.has(key)) states.set(key, await files.read(candidate));
    }
    meant.set(path, choose(candidates.value, roots, states));
  }
  return {
    // A plan asks for nothing but what its patch names.
    resolve: (path) => meant.get(path) as Result<WorkspacePath, PathFault>,
    key: (path) => {
      const state = states.get(pathKey(path, roots));
      const relative = (state?.kind === 'text' ? state.linkedTo : undefined) ?? path.relative;
      return pathKey({ ...path, relative }, roots);
    },
    read: (path) => states.get(pathKey(path, roots)) as FileState,
  };
}

/** With several workspace folders and no name of one in front, the one folder that has the file is meant. */
function choose(
  candidates: readonly WorkspacePath[],
  roots: readonly Root[],
  states: ReadonlyMap<string, FileState>,
): Result<WorkspacePath, PathFault> {
  const there = candidates.filter((path) => states.get(pathKey(path, roots))?.kind !== 'missing');
  const [only] = candidates.length === 1 ? candidates : there;
  return only !== undefined && (candidates.length === 1 || there.length === 1)
    ? ok(only)
    : err('whichFolder');
}
