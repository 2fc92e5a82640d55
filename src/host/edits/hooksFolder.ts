/** Where a repository has its hooks when that is not in `.git`: any folder of it can be named. Reads Git's own files, runs no Git. */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Longest configuration that is read, in bytes. */
const maxLength = 1024 * 1024;

/**
 * The folders that are named as those of hooks, by the repository in which this folder is and by the person's own settings; absolute.
 *
 * @param home where the person's own settings are
 */
export async function hooksFolders(folder: string, home = homedir()): Promise<readonly string[]> {
  const top = await repositoryOf(folder);
  if (top === undefined) return [];
  const git = await gitFolder(join(top, '.git'));
  const files = [
    join(git, 'config'),
    join(git, 'config.worktree'),
    join(home, '.gitconfig'),
    join(home, '.config', 'git', 'config'),
  ];
  const texts = await Promise.all(files.map(textOf));
  return texts.flatMap(hooksPaths).map((path) => resolve(top, path.replace(/^~(?=\/|$)/, home)));
}

/** The nearest folder that has a `.git`, this one or one around it. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Of a worktree or a submodule `.git` is a file that names the folder, which may name another with what they share. */
async function gitFolder(path: string): Promise<string> {
  const link = /^gitdir: (.+)$/m.exec(await textOf(path))?.[1];
  if (link === undefined) return path;
  const own = resolve(path, '..', link.trim());
  const common = (await textOf(join(own, 'commondir'))).trim();
  return common === '' ? own : isAbsolute(common) ? common : join(own, common);
}

/** The values of `core.hooksPath`, as they are written. */
function hooksPaths(config: string): readonly string[] {
  let isCore = false;
  const found: string[] = [];
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[([^\]"\s]+)(\s+"[^"]*")?\s*\](.*)$/.exec(line);
    if (section !== null) isCore = section[2] === undefined && section[1]?.toLowerCase() === 'core';
    const value = /^\s*hookspath\s*=\s*(.*?)\s*$/i.exec(section?.[3] ?? line)?.[1];
    if (isCore && value !== undefined) found.push(plain(value));
  }
  return found.filter((path) => path !== '');
}

function plain(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return (quoted ?? value.replace(/\s+[#;].*$/, '')).replace(/\\(.)/g, '$1');
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** Empty where there is none, and where it is no file that anybody wrote. */
async function textOf(path: string): Promise<string> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= maxLength ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}
