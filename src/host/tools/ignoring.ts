/**
 * Finds and keeps the ignore rules of one folder, of the workspace or one that a person allowed, while one call of a tool lasts. Reads
 * through the editor's file system.
 */
import * as vscode from 'vscode';

import { parseGlobs } from '../../core/tools/glob.ts';
import { admit, ignoreFiles, noRules, withRules, type Rules } from './ignoreRules.ts';
import type { DiskRoot } from './searchTask.ts';

/** Most folders above a workspace folder in which a repository is looked for. */
const maxAbove = 40;

export class Ignoring {
  readonly #root: vscode.Uri;
  readonly #caseInsensitive: boolean;
  #beginning: Promise<Beginning> | undefined;
  /** The rules for what is in each folder, by its path relative to the root; undefined for a folder that is left out. */
  readonly #inside = new Map<string, Promise<Rules | undefined>>();

  constructor(root: vscode.Uri, caseInsensitive: boolean) {
    this.#root = root;
    this.#caseInsensitive = caseInsensitive;
  }

  /** @param relative the path of a file or a folder below the root, with `/` */
  async isIgnored(relative: string, isFolder: boolean): Promise<boolean> {
    if (relative === '') return false;
    const rules = await this.inside(relative.slice(0, relative.lastIndexOf('/') + 1));
    return rules === undefined || admit(rules, rules.prefix + relative, isFolder) === undefined;
  }

  /** The rules for what is in a folder; undefined where it is left out. `folder` has a slash behind, or is empty. */
  inside(folder: string): Promise<Rules | undefined> {
    const known = this.#inside.get(folder);
    if (known !== undefined) return known;
    const rules = this.#findInside(folder);
    this.#inside.set(folder, rules);
    return rules;
  }

  /** For a thread that walks by itself, and whether there is a repository around. */
  async forThread(
    display: string,
    start: string,
  ): Promise<{ readonly root: DiskRoot; readonly inRepository: boolean }> {
    const { prefix, above, inRepository } = await this.#begin();
    return {
      inRepository,
      root: {
        path: this.#root.fsPath.replace(/[\\/]+$/, ''),
        display,
        start,
        caseInsensitive: this.#caseInsensitive,
        hidden: excludedBy('files', this.#root),
        prefix,
        above,
      },
    };
  }

  async #findInside(folder: string): Promise<Rules | undefined> {
    const { prefix } = await this.#begin();
    const outside = folder === '' ? await this.#rulesAbove() : await this.#rulesOf(folder);
    if (outside === undefined) return undefined;
    const texts = await rulesIn(vscode.Uri.joinPath(this.#root, folder));
    return withRules(outside, prefix + folder, texts);
  }

  async #rulesOf(folder: string): Promise<Rules | undefined> {
    const path = folder.slice(0, -1);
    const around = await this.inside(path.slice(0, path.lastIndexOf('/') + 1));
    return around === undefined ? undefined : admit(around, around.prefix + path, true);
  }

  async #rulesAbove(): Promise<Rules> {
    const { prefix, above } = await this.#begin();
    const start = noRules(prefix, parseGlobs(excludedBy('files', this.#root)), this.#caseInsensitive);
    return above.reduce((rules, { folder, texts }) => withRules(rules, folder, texts), start);
  }

  #begin(): Promise<Beginning> {
    this.#beginning ??= beginningOf(this.#root, this.#caseInsensitive);
    return this.#beginning;
  }
}

interface Beginning {
  readonly prefix: string;
  readonly above: DiskRoot['above'];
  readonly inRepository: boolean;
}

const nothingAbove: Beginning = { prefix: '', above: [], inRepository: false };

/** In a repository the ignore files from its top down to the folder count, and its own `info/exclude`. */
async function beginningOf(root: vscode.Uri, caseInsensitive: boolean): Promise<Beginning> {
  const top = await repositoryAround(root);
  if (top === undefined) return nothingAbove;
  const prefix = top.path === root.path ? '' : `${root.path.slice(top.path.replace(/\/$/, '').length + 1)}/`;
  const exclude = await textOf(vscode.Uri.joinPath(top, '.git', 'info', 'exclude'));
  const above = exclude === undefined ? [] : [{ folder: '', texts: [exclude] }];
  let rules = above.reduce(
    (all, { texts }) => withRules(all, '', texts),
    noRules(prefix, [], caseInsensitive),
  );
  let folder = '';
  for (const name of prefix.split('/').slice(0, -1)) {
    const texts = await rulesIn(vscode.Uri.joinPath(top, folder));
    above.push({ folder, texts });
    const inside = admit(withRules(rules, folder, texts), folder + name, true);
    // Somebody who opens an ignored folder wants what is in it.
    if (inside === undefined) return nothingAbove;
    rules = inside;
    folder += `${name}/`;
  }
  return { prefix, above, inRepository: true };
}

async function repositoryAround(root: vscode.Uri): Promise<vscode.Uri | undefined> {
  let at = root;
  for (let folders = 0; folders < maxAbove; folders += 1) {
    if (await isThere(vscode.Uri.joinPath(at, '.git'))) return at;
    const above = vscode.Uri.joinPath(at, '..');
    if (above.path === at.path) return undefined;
    at = above;
  }
  return undefined;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Globs of `files.exclude` or `search.exclude`. A pattern with a condition is left out: it hides only where another file is there. */
export function excludedBy(section: 'files' | 'search', root: vscode.Uri): string[] {
  const setting =
    vscode.workspace.getConfiguration(section, root).get<Record<string, unknown>>('exclude') ?? {};
  return Object.entries(setting).flatMap(([glob, on]) => (on === true ? [glob] : []));
}

async function rulesIn(folder: vscode.Uri): Promise<string[]> {
  const texts: string[] = [];
  for (const name of ignoreFiles) {
    const text = await textOf(vscode.Uri.joinPath(folder, name));
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
