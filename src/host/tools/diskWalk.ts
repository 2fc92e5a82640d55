/**
 * Walks folders of the disk and reads their files, one after the other, for a thread of its own: nothing else happens in it meanwhile.
 * Follows no links, so that nothing outside is reached. The one file that opens files of the workspace by itself, for reading.
 */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { Dirent } from 'node:fs';

import { parseGlobs } from '../../core/tools/glob.ts';
import { isBinary, utf16Of } from '../binary.ts';
import { admit, ignoreFiles, noRules, withRules, type Rules } from './ignoreRules.ts';
import type { DiskRoot } from './searchTask.ts';

/** Largest file that is searched, in bytes. */
export const maxSearched = 20 * 1024 * 1024;

export interface DiskFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root. */
  readonly relative: string;
}

export type DiskText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'tooLarge' };

/** Every file below the start that is not left out, folder by folder. What can't be read is passed over. */
export function* walkDisk(root: DiskRoot): Generator<DiskFile, void, undefined> {
  const start = rulesAtStart(root);
  if (start === undefined) return;
  const folders: { readonly relative: string; readonly rules: Rules }[] = [
    { relative: root.start, rules: start },
  ];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { relative } = folder;
    const entries = entriesOf(`${root.path}/${relative}`);
    const rules = withRules(folder.rules, root.prefix + relative, rulesIn(root, relative, entries));
    // The last one put on the pile is the first that is taken off.
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const entry = entries[at] as Dirent;
      if (!entry.isDirectory()) continue;
      const below = `${relative}${entry.name}`;
      const inside = admit(rules, root.prefix + below, true);
      if (inside !== undefined) folders.push({ relative: `${below}/`, rules: inside });
    }
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const below = `${relative}${entry.name}`;
      if (admit(rules, root.prefix + below, false) !== undefined)
        yield { path: `${root.path}/${below}`, relative: below };
    }
  }
}

/** The rules that hold in the folder where the walk begins, its own not yet among them; undefined where it is left out itself. */
function rulesAtStart(root: DiskRoot): Rules | undefined {
  let rules = noRules(root.prefix, parseGlobs(root.hidden), root.caseInsensitive);
  for (const { folder, texts } of root.above) rules = withRules(rules, folder, texts);
  let relative = '';
  for (const name of root.start.split('/').slice(0, -1)) {
    rules = withRules(
      rules,
      root.prefix + relative,
      rulesIn(root, relative, entriesOf(`${root.path}/${relative}`)),
    );
    const inside = admit(rules, root.prefix + relative + name, true);
    if (inside === undefined) return undefined;
    rules = inside;
    relative += `${name}/`;
  }
  return rules;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function rulesIn(root: DiskRoot, relative: string, entries: readonly Dirent[]): string[] {
  return ignoreFiles.flatMap((name) => {
    if (!entries.some((entry) => entry.name === name && entry.isFile())) return [];
    try {
      return [readFileSync(`${root.path}/${relative}${name}`, 'utf8')];
    } catch {
      return [];
    }
  });
}

/** Reads texts into the same memory again and again: most files are small and many. */
export class DiskReader {
  #memory = Buffer.allocUnsafe(256 * 1024);

  /** Undefined for a binary file and for one that can't be read. */
  read(path: string): DiskText | undefined {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      return undefined;
    }
    try {
      return this.#readOpen(file);
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  #readOpen(file: number): DiskText | undefined {
    let length = readSync(file, this.#memory, 0, this.#memory.length, 0);
    if (isBinary(this.#memory.subarray(0, length))) return undefined;
    if (length === this.#memory.length) {
      const { size } = fstatSync(file);
      if (size > maxSearched) return { kind: 'tooLarge' };
      const larger = Buffer.allocUnsafe(Math.max(size + 1, this.#memory.length * 2));
      this.#memory.copy(larger, 0, 0, length);
      this.#memory = larger;
      for (;;) {
        const read = readSync(file, larger, length, larger.length - length, length);
        if (read === 0) break;
        length += read;
      }
    }
    return { kind: 'text', text: decode(this.#memory.subarray(0, length)) };
  }
}

/** What has no byte order mark is taken for UTF-8. */
function decode(bytes: Buffer): string {
  const encoding = utf16Of(bytes);
  return encoding === undefined ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes);
}
