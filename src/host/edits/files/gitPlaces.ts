/**
 * What Git obeys of a workspace beside `.git`: folders of hooks, which can be any, configuration that it includes, and folders that it
 * takes for a repository's own. Reads Git's own files, runs no Git.
 */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { isThere } from '../../isThere.ts';

/** Longest configuration that is read, in bytes. */
const maxLength = 1024 * 1024;
/** As deep as Git follows what a configuration includes. */
const deepest = 10;
/** More are not read: somebody made them to keep us busy. */
const mostFiles = 200;

/** What Git obeys; paths are absolute, with links not followed. */
export interface GitPlaces {
  /** Named as folders of hooks. */
  readonly hooks: readonly string[];
  /** Configuration that is included, whether or not its condition holds at the moment. */
  readonly included: readonly string[];
  /** The folder of the nearest repository. */
  readonly top?: string;
}

/**
 * What the repositories in which this folder is name, all of them from the nearest outwards, and the person's own settings.
 *
 * @param home where the person's own settings are
 */
export async function gitPlaces(folder: string, home = homedir()): Promise<GitPlaces> {
  const tops = await repositoriesOf(folder);
  const reading = new Reading(home);
  for (const top of tops) for (const file of await ownConfig(top)) await reading.read(file, top);
  // A relative path in these is one in whichever repository Git is at work.
  for (const file of [join(home, '.gitconfig'), join(home, '.config', 'git', 'config'), '/etc/gitconfig']) {
    for (const top of tops.length === 0 ? [folder] : tops) await reading.read(file, top);
  }
  const [top] = tops;
  return {
    hooks: [...reading.hooks],
    included: [...reading.included],
    ...(top !== undefined && { top }),
  };
}

/** Looks at each folder once: for files that are judged in one go. */
export class GitLook {
  readonly #known = new Map<string, Promise<GitPlaces>>();

  /** As `gitPlaces`. */
  places(folder: string): Promise<GitPlaces> {
    const known = this.#known.get(folder) ?? gitPlaces(folder);
    this.#known.set(folder, known);
    return known;
  }
}

/**
 * Whether Git takes this folder, or one around it, for a repository's own: it obeys the configuration and the hooks in there. A worktree in
 * one is none.
 */
export async function isInBareRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return false;
    if (await isBare(at)) return true;
    if (dirname(at) === at) return false;
  }
}

async function isBare(folder: string): Promise<boolean> {
  if (!(await isThere(join(folder, 'HEAD')))) return false;
  if (await isThere(join(folder, 'commondir'))) return true;
  return (await isThere(join(folder, 'objects'))) && (await isThere(join(folder, 'refs')));
}

class Reading {
  readonly hooks = new Set<string>();
  readonly included = new Set<string>();
  readonly #home: string;
  readonly #seen = new Set<string>();

  constructor(home: string) {
    this.#home = home;
  }

  async read(file: string, top: string, depth = 0): Promise<void> {
    const name = `${top}\n${file}`;
    if (depth > deepest || this.#seen.size >= mostFiles || this.#seen.has(name)) return;
    this.#seen.add(name);
    for (const { kind, path } of pathsIn(await textOf(file))) {
      const at = path.replace(/^~(?=\/|$)/, this.#home);
      if (kind === 'hooks') this.hooks.add(resolve(top, at));
      else {
        const included = resolve(dirname(file), at);
        this.included.add(included);
        await this.read(included, top, depth + 1);
      }
    }
  }
}

/** The folders that have a `.git`, this one and those around it, the nearest first. */
async function repositoriesOf(folder: string): Promise<readonly string[]> {
  const tops: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) tops.push(at);
    if (dirname(at) === at) return tops;
  }
}

/** Of a worktree or a submodule `.git` is a file that names the folder, which may name another with what they share. */
async function ownConfig(top: string): Promise<readonly string[]> {
  const path = join(top, '.git');
  const link = /^gitdir: (.+)$/m.exec(await textOf(path))?.[1];
  const own = link === undefined ? path : resolve(top, link.trim());
  const common = (await textOf(join(own, 'commondir'))).trim();
  const shared = common === '' ? own : isAbsolute(common) ? common : join(own, common);
  return [join(shared, 'config'), join(own, 'config.worktree')];
}

interface Named {
  readonly kind: 'hooks' | 'include';
  readonly path: string;
}

/** The values of `core.hooksPath` and of what is included, as they are written. */
function pathsIn(config: string): readonly Named[] {
  let kind: Named['kind'] | undefined;
  const found: Named[] = [];
  // A backslash at the end of a line goes on in the next one.
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[([^\]"\s]+)(\s+"(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line);
    if (section !== null) kind = kindOf(section[1] ?? '', section[2] !== undefined);
    const name = kind === 'hooks' ? 'hookspath' : 'path';
    const [, key, value] = /^\s*([a-z][\w-]*)\s*=\s*(.*?)\s*$/i.exec(section?.[3] ?? line) ?? [];
    if (kind === undefined || value === undefined || key?.toLowerCase() !== name) continue;
    const path = plain(value);
    if (path !== '') found.push({ kind, path });
  }
  return found;
}

function kindOf(section: string, hasName: boolean): Named['kind'] | undefined {
  const name = section.toLowerCase();
  if (name === 'core' && !hasName) return 'hooks';
  return (name === 'include' && !hasName) || (name === 'includeif' && hasName) ? 'include' : undefined;
}

/** Without quotes, which may stand around any part of it, escapes and a remark behind it. */
function plain(value: string): string {
  let text = '';
  let quoted = false;
  for (const [piece] of value.matchAll(/\\.|[^]/g)) {
    if (piece === '"') quoted = !quoted;
    else if (!quoted && (piece === '#' || piece === ';')) return text.trimEnd();
    else text += piece.length === 2 ? piece.slice(1) : piece;
  }
  return quoted ? text : text.trimEnd();
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
