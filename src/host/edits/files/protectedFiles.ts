/**
 * Why a change is not like any other: what other programs obey or run, with its links followed and its commands compared. Decides nothing
 * about files that are refused altogether, and asks nobody.
 */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import * as vscode from 'vscode';

import { hiddenIn } from '../../../core/misleadingNames.ts';
import type { FileEdit } from '../../../core/patch/editPlan.ts';
import { pathInside } from '../../pathInside.ts';
import { GitLook, isInBareRepository } from './gitPlaces.ts';
import { protectionOf, type ProtectedWhy, type Protection } from './protectedRules.ts';
import type { FileAt } from './workspaceFiles.ts';

export interface Protected extends Protection {
  /** Where the first sign is that is not seen: the line, from 1, and its code point. */
  readonly hidden?: { readonly line: number; readonly codePoint: number };
}

/** What is to be known of a change before it is accepted; undefined when nothing is. `after` is the text that the file is to get, `git` what files that are looked at together share. */
export async function whyProtected(
  change: { readonly edit: FileEdit; readonly at: FileAt; readonly to?: FileAt },
  after: string,
  git = new GitLook(),
): Promise<Protected | undefined> {
  const { edit, at, to } = change;
  const ends = to === undefined ? [at] : [at, to];
  const named = await Promise.all(ends.map((end) => namesOf(end, git)));
  const paths = named.map((each) => each.paths);
  const byName = protectionOf(paths.flat());
  if (byName?.takesSecondYes === true) return byName;
  if (changesScripts(edit, after, paths)) return { why: 'scripts', takesSecondYes: true };
  if (named.some(({ ofGit }) => ofGit)) return { why: 'git', takesSecondYes: true };
  const hidden = edit.kind === 'delete' ? undefined : hiddenIn(after, edit.kind === 'add' ? '' : edit.before);
  if (hidden !== undefined) return { why: 'hidden', takesSecondYes: true, hidden };
  if (edit.kind === 'update' && (await isShared(at))) return { why: 'shared', takesSecondYes: true };
  return byName;
}

/** Why it is protected, as a whole sentence. */
export function protectedText({ why, hidden }: Protected): string {
  if (why === 'hidden') return hiddenText(hidden);
  return whyText(why);
}

function whyText(why: Exclude<ProtectedWhy, 'hidden'>): string {
  switch (why) {
    case 'editor':
      return vscode.l10n.t('An editor obeys this file and may start programs for it.');
    case 'git':
      return vscode.l10n.t('Git may run programs because of this file.');
    case 'server':
      return vscode.l10n.t('A build server runs this file, and holds secrets while it does.');
    case 'account':
      return vscode.l10n.t('Programs obey this file when you sign in, open a window or connect elsewhere.');
    case 'shell':
      return vscode.l10n.t('A shell runs this file when it starts or enters the folder.');
    case 'packages':
      return vscode.l10n.t('This file says which packages are installed from where, and what runs then.');
    case 'scripts':
      return vscode.l10n.t('This changes commands that are run by their name.');
    case 'reading':
      return vscode.l10n.t('This file says what the model may not read.');
    case 'instructions':
      return vscode.l10n.t('Models are told what is in this file with every question.');
    case 'shared':
      return vscode.l10n.t(
        'This file has another name elsewhere, as those of a package store have: a change is one there too.',
      );
  }
}

function hiddenText(hidden: Protected['hidden']): string {
  const sign = `U+${(hidden?.codePoint ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return vscode.l10n.t(
    'An invisible character can make line {0} read as something else than it is: {1}.',
    hidden?.line ?? 0,
    sign,
  );
}

/** What a waiting file says of it, where anything is to be said. */
export function cautionOf(found: Protected, acceptsUnasked: boolean): string | undefined {
  if (found.takesSecondYes) return `${vscode.l10n.t('Accepting asks once more.')} ${protectedText(found)}`;
  return acceptsUnasked
    ? `${vscode.l10n.t('Asked about in every mode.')} ${protectedText(found)}`
    : undefined;
}

/** How a file is named for those that obey it, and whether Git does. */
interface Named {
  readonly paths: readonly string[];
  readonly ofGit: boolean;
}

/**
 * As it is written, and where it really lies when a folder on the way is a link; the name of the workspace folder in front. A workspace
 * folder may lie anywhere in a repository or in another workspace folder, so the names from there count too.
 */
async function namesOf({ uri, root }: FileAt, git: GitLook): Promise<Named> {
  const base = root.path.slice(root.path.replace(/\/$/, '').lastIndexOf('/') + 1);
  const written = `${base}${uri.path.slice(root.path.length)}`;
  if (uri.scheme !== 'file') return { paths: [written], ofGit: false };
  try {
    const real = await realPathOf(uri.fsPath);
    const open = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    const roots = await Promise.all(
      [root, ...open.map((folder) => folder.uri)].map(({ fsPath }) => realPathOf(fsPath)),
    );
    const places = await Promise.all(
      [...new Set([dirname(real), ...roots])].map((folder) => git.places(folder)),
    );
    const tops = places.flatMap(({ top }) => (top === undefined ? [] : [top]));
    const paths = [...new Set([...roots, ...tops])].flatMap((folder) => pathFrom(folder, real) ?? []);
    const obeyed = places.flatMap(({ hooks, included }) => [...hooks, ...included]);
    const ofGit =
      (await Promise.all(obeyed.map(realPathOf))).some((each) => pathInside(each, real) !== undefined) ||
      (await isInBareRepository(dirname(real)));
    return { paths: [written, ...paths], ofGit };
  } catch {
    return { paths: [written], ofGit: false };
  }
}

/** With the name of the folder in front; undefined where it is not in there. */
function pathFrom(folder: string, path: string): string | undefined {
  const inside = pathInside(folder, path);
  return inside === undefined ? undefined : [basename(folder), ...inside.split(sep)].join('/');
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

/** Whether the disk has this very file under another name too. */
async function isShared({ uri }: FileAt): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  try {
    const found = await stat(uri.fsPath);
    // A folder counts those within it.
    return found.isFile() && found.nlink > 1;
  } catch {
    return false;
  }
}

/** A package of which nothing is known. */
const none = '{}';

function isPackage(path: string): boolean {
  return /(?:^|\/)(?:package|composer)\.json$/iu.test(path);
}

/** @param paths those of the file, and those of where it moves */
function changesScripts(
  edit: FileEdit,
  after: string,
  [source = [], target = source]: readonly (readonly string[])[],
): boolean {
  const before = source.some(isPackage) && edit.kind !== 'add' ? edit.before : none;
  const written = target.some(isPackage) && edit.kind !== 'delete' ? after : none;
  // In another folder the same commands are others.
  const moves = target !== source && [before, written].some((text) => scriptsOf(text) !== scriptsOf(none));
  return moves || scriptsOf(before) !== scriptsOf(written);
}

/** Some runners of hooks and of checks before a commit keep their commands beside the scripts. */
const commands = new Set([
  ...['scripts', 'husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'pre-push', 'gitHooks', 'gypfile'],
  // They name the program that installs, and the packages that may run something meanwhile.
  ...['packageManager', 'trustedDependencies', 'pnpm'],
]);

/** What is run for a package, in a form that can be compared. A text that can't be read is like no other. */
function scriptsOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return Symbol('unreadable');
    return JSON.stringify(Object.entries(value).filter(([key]) => commands.has(key)));
  } catch {
    return Symbol('unreadable');
  }
}
