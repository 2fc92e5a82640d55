/**
 * Files that are asked about in every mode, with a reason each: what other programs obey or run without anybody starting it on
 * purpose, so that a change there can do harm before it is read. Decides nothing about files that are refused altogether.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';

import type { FileEdit } from '../../core/patch/editPlan.ts';
import type { FileAt } from './workspaceFiles.ts';

export type ProtectedWhy = 'editor' | 'git' | 'server' | 'shell' | 'packages' | 'scripts';

interface Rule {
  /** Against the path below the workspace folder, with slashes; the case of letters does not count. */
  readonly path: RegExp;
  readonly why: ProtectedWhy;
}

/** Scripts of `package.json` are looked at apart: the file itself changes all the time. */
const rules: readonly Rule[] = [
  // Tasks, launch configurations and settings name programs that the editor starts.
  { path: /(?:^|\/)\.vscode\//i, why: 'editor' },
  { path: /\.code-workspace$/i, why: 'editor' },
  { path: /(?:^|\/)\.(?:idea|fleet|zed|cursor|claude|devcontainer)\//i, why: 'editor' },
  { path: /(?:^|\/)(?:\.devcontainer|\.mcp)\.json$/i, why: 'editor' },
  // Hooks run at each commit; a filter named in the attributes at each checkout.
  { path: /(?:^|\/)(?:\.husky|\.githooks|githooks|\.git-hooks)\//i, why: 'git' },
  { path: /(?:^|\/)\.?(?:lefthook|pre-commit-config)(?:-local)?\.(?:ya?ml|toml|json)$/i, why: 'git' },
  { path: /(?:^|\/)\.git(?:attributes|modules|config)$/i, why: 'git' },
  // These run on servers that hold secrets.
  { path: /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//i, why: 'server' },
  { path: /(?:^|\/)\.(?:circleci|buildkite|woodpecker)\//i, why: 'server' },
  {
    path: /(?:^|\/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|bitbucket-pipelines|appveyor)\.ya?ml$/i,
    why: 'server',
  },
  { path: /(?:^|\/)Jenkinsfile$/i, why: 'server' },
  // A shell, or what hooks into one, reads them when it starts or enters the folder.
  { path: /(?:^|\/)\.(?:bash|zsh|k|c|tc)(?:rc|env|_?profile|_?login|_?logout)$/i, why: 'shell' },
  { path: /(?:^|\/)(?:\.profile|\.envrc|\.inputrc|config\.fish|[^/]*profile\.ps1)$/i, why: 'shell' },
  // Where packages come from, and code that runs while they are installed.
  {
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.c?js|bunfig\.toml|pip\.conf|\.pypirc)$/i,
    why: 'packages',
  },
  { path: /(?:^|\/)\.cargo\//i, why: 'packages' },
  // Run by a short name that nobody looks behind, as the scripts of a package are.
  { path: /(?:^|\/)(?:GNU)?makefile$/i, why: 'scripts' },
  { path: /(?:^|\/)\.?(?:justfile|taskfile\.ya?ml)$/i, why: 'scripts' },
];

/** Why a change of a file is asked about in every mode; undefined when it need not be. `after` is the text it is to get. */
export async function whyProtected(
  { edit, at, to }: { readonly edit: FileEdit; readonly at: FileAt; readonly to?: FileAt },
  after: string,
): Promise<ProtectedWhy | undefined> {
  const source = await pathsOf(at);
  const target = to === undefined ? source : await pathsOf(to);
  for (const path of [...source, ...target]) {
    const rule = rules.find((one) => one.path.test(path));
    if (rule !== undefined) return rule.why;
  }
  const before = source.some(isPackage) && edit.kind !== 'add' ? edit.before : none;
  const written = target.some(isPackage) && edit.kind !== 'delete' ? after : none;
  // In another folder the same commands are others.
  const moves = to !== undefined && [before, written].some((text) => scriptsOf(text) !== scriptsOf(none));
  return moves || scriptsOf(before) !== scriptsOf(written) ? 'scripts' : undefined;
}

/** A package of which nothing is known. */
const none = '{}';

function isPackage(path: string): boolean {
  return /(?:^|\/)package\.json$/i.test(path);
}

export function protectedText(why: ProtectedWhy): string {
  switch (why) {
    case 'editor':
      return vscode.l10n.t(
        'Asked about in every mode: an editor obeys this file and may start programs for it.',
      );
    case 'git':
      return vscode.l10n.t('Asked about in every mode: Git may run programs because of this file.');
    case 'server':
      return vscode.l10n.t('Asked about in every mode: a build server runs this file.');
    case 'shell':
      return vscode.l10n.t('Asked about in every mode: a shell runs this file when it starts.');
    case 'packages':
      return vscode.l10n.t(
        'Asked about in every mode: this file says which packages are installed from where.',
      );
    case 'scripts':
      return vscode.l10n.t('Asked about in every mode: this changes commands that are run by their name.');
  }
}

/** As it is written, and where it really lies when a folder on the way is a link. */
async function pathsOf({ uri, root }: FileAt): Promise<readonly string[]> {
  const written = uri.path.slice(root.path.length).replace(/^\//, '');
  if (uri.scheme !== 'file') return [written];
  try {
    const real = relative(await realpath(root.fsPath), await realPathOf(uri.fsPath));
    return [written, real.split(sep).join('/')];
  } catch {
    return [written];
  }
}

/** Of a file that does not exist yet, the real path of the nearest folder and the rest as it is written. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

/** Some runners of hooks and of checks before a commit keep their commands beside the scripts. */
const commands = ['scripts', 'husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'gypfile'];

/** What is run for a package, in a form that can be compared. A text that can't be read is like no other. */
function scriptsOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return Symbol('unreadable');
    return JSON.stringify(Object.entries(value).filter(([key]) => commands.includes(key)));
  } catch {
    return Symbol('unreadable');
  }
}
