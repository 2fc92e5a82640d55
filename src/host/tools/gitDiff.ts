/** Changes for `git_diff`, from the editor's own extension for git. Asks it to show and never to do. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { DiffRefusal, WorkspaceDiff } from '../../core/tools/readingPorts.ts';
import type { Places } from './places.ts';

/** What is used of the API of `vscode.git`, version 1, by the names it has there. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly repositories: readonly Repository[];
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly workingTreeChanges: readonly Change[];
    /** Where new files are kept apart; else they are among those of the working tree. */
    readonly untrackedChanges?: readonly Change[];
  };
  status(): Promise<void>;
  diff(cached?: boolean): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly status: number;
}

const untracked = 7;

export async function findDiff(
  staged: boolean,
  path: string | undefined,
  { places, signal }: { readonly places: Places; readonly signal: CancelSignal },
): Promise<Result<WorkspaceDiff, DiffRefusal>> {
  const file = path === undefined ? undefined : await places.locate(path, 'any');
  if (file?.ok === false) {
    // A file that was deleted is in the diff all the same.
    if (file.error.kind !== 'missing') return file;
  }
  const only = file === undefined ? undefined : file.ok ? file.value.display : path;
  const repositories = await openRepositories();
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
      await repository.status();
      for (const section of sectionsOf(await repository.diff(staged))) {
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

async function openRepositories(): Promise<Result<readonly Repository[], DiffRefusal>> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return err({ kind: 'noGit' });
  try {
    const git = await extension.activate();
    if (!git.enabled) return err({ kind: 'noGit' });
    const { repositories } = git.getAPI(1);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const ours = repositories.filter(({ rootUri }) =>
      folders.some(({ uri }) => isIn(uri, rootUri) || isIn(rootUri, uri)),
    );
    return ours.length === 0 ? err({ kind: 'noRepository' }) : ok(ours);
  } catch {
    return err({ kind: 'noGit' });
  }
}

function isIn(uri: vscode.Uri, folder: vscode.Uri): boolean {
  return uri.path === folder.path || uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`);
}

interface Section {
  readonly text: string;
  /** Relative to the repository: the old name and the new one, as far as there are two. */
  readonly paths: readonly string[];
}

/** A unified diff taken apart by its files. */
export function sectionsOf(diff: string): readonly Section[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => ({ text: text.endsWith('\n') ? text : `${text}\n`, paths: pathsOf(text) }));
}

/** From the lines of the head, for the first line can't be taken apart where names have blanks. */
function pathsOf(section: string): readonly string[] {
  const hunks = section.search(/^(?:@@ |GIT binary patch)/m);
  const head = hunks < 0 ? section : section.slice(0, hunks);
  const named = [
    ...[...head.matchAll(/^(?:---|\+\+\+) (.+?)\t?$/gm)].map(([, name = '']) => withoutSide(unquoted(name))),
    ...[...head.matchAll(/^(?:rename|copy) (?:from|to) (.+)$/gm)].map(([, name = '']) => unquoted(name)),
  ].filter((name) => name !== '');
  if (named.length > 0) return [...new Set(named)];
  // A mode or a binary file: both names are the same, so that each is half of the line.
  const both = /^diff --git (.+)$/m.exec(head)?.[1] ?? '';
  const half = both.slice(0, (both.length - 1) / 2);
  return [withoutSide(unquoted(half))].filter((name) => name !== '');
}

/** Without `a/` or `b/` in front; empty for `/dev/null`. */
function withoutSide(name: string): string {
  if (name === '/dev/null') return '';
  return name.replace(/^[a-z]\//, '');
}

/** Git quotes names with control characters as C does, and by default each byte that is no ASCII. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, string>> = {
    a: '\u0007',
    b: '\b',
    t: '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
  };
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith('\\'))
      bytes.push(...new TextEncoder().encode(escapes[part.slice(1)] ?? part.slice(1)));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
