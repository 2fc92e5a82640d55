/** Changes for `git_diff`, from the editor's own extension for git. Asks it to show and never to do. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { DiffRefusal, WorkspaceDiff } from '../../core/tools/readingPorts.ts';
import { gitRepositories, type GitRepository } from '../gitExtension.ts';
import { sectionsOf } from './diffSections.ts';
import { isIn, type Places } from './places.ts';

const untracked = 7;

export async function findDiff(
  staged: boolean,
  path: string | undefined,
  { places, signal }: { readonly places: Places; readonly signal: CancelSignal },
): Promise<Result<WorkspaceDiff, DiffRefusal>> {
  const file = path === undefined ? undefined : await places.locate(path, 'any');
  // A file that was deleted is in the diff all the same.
  if (file?.ok === false && file.error.kind !== 'missing') return file;
  const only = file === undefined ? undefined : file.ok ? file.value.display : path;
  const repositories = await openRepositories(places.folders);
  if (!repositories.ok) return repositories;
  const sections: string[] = [];
  const names = new Set<string>();
  const hidden = new Set<string>();
  const isWanted = async (uri: vscode.Uri): Promise<string | undefined> => {
    const { path: shown, closed } = await places.describe(uri);
    if (only !== undefined && only !== '.' && shown !== only && !shown.startsWith(`${only}/`))
      return undefined;
    if (closed === undefined) return shown;
    hidden.add(uri.toString());
    return undefined;
  };
  try {
    for (const repository of repositories.value) {
      if (signal.aborted) break;
      try {
        await repository.status();
      } catch (error) {
        // VS Code notices some time later that a repository was deleted.
        if (await isGone(repository.rootUri)) continue;
        throw error;
      }
      const all = sectionsOf(await repository.diff(staged));
      // Else it would seem that nothing is changed.
      if (all === undefined) return err({ kind: 'strangeDiff' });
      for (const section of all) {
        const wanted = section.paths.map((each) => isWanted(vscode.Uri.joinPath(repository.rootUri, each)));
        const shown = await Promise.all(wanted);
        // Of a renamed file both names count.
        if (shown.length > 0 && shown.every((each) => each !== undefined)) sections.push(section.text);
      }
      if (staged) continue;
      const { workingTreeChanges, untrackedChanges = [] } = repository.state;
      const news = [...workingTreeChanges.filter(({ status }) => status === untracked), ...untrackedChanges];
      for (const { uri } of news) {
        const shown = await isWanted(uri);
        if (shown !== undefined) names.add(shown);
      }
    }
  } catch (error) {
    return err({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  }
  return ok({ text: sections.join('').trimEnd(), untracked: [...names].toSorted(), hidden: hidden.size });
}

function isGone(root: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(root)).then(
    () => false,
    () => true,
  );
}

async function openRepositories(
  folders: readonly vscode.WorkspaceFolder[],
): Promise<Result<readonly GitRepository[], DiffRefusal>> {
  const repositories = await gitRepositories();
  if (repositories === undefined) return err({ kind: 'noGit' });
  const ours = repositories.filter(({ rootUri }) =>
    folders.some(({ uri }) => isIn(uri, rootUri) || isIn(rootUri, uri)),
  );
  return ours.length === 0 ? err({ kind: 'noRepository' }) : ok(ours);
}
