/** Makes folders to open in VS Code: copies of the sample, so that the repository itself is never changed. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from './places.ts';

/** A fresh copy of the sample at `folder`, whatever was there before. */
export async function copySample(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(samplePath, folder, { recursive: true });
}

/** Makes a folder that is open somewhere such a copy again, without taking it away itself. */
export async function fillWithSample(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    await rm(path.join(folder, name), { recursive: true, force: true });
  await cp(samplePath, folder, { recursive: true });
}

/**
 * The copy of the sample below `parent` that people open: as it was shipped, or with `keep` as they left it. Tells what became of
 * what they had changed, which is put aside in a folder of its own: never deleted here. Returns the real path.
 */
export async function openableSample(parent: string, keep: boolean): Promise<string> {
  const copy = path.join(parent, 'corner-shop');
  if (await differsFromSample(copy)) {
    if (keep) {
      console.log('The sample is as you left it.');
      return realpath(copy);
    }
    const before = path.join(parent, await nextBefore(parent));
    await rename(copy, before);
    console.log(
      `The sample is as shipped again. What you had made of it is in ${before}; --keep would have kept it.`,
    );
  }
  await copySample(copy);
  await commitAll(copy);
  return realpath(copy);
}

/** `before-1`, or the number after the highest there is: the highest is what was put aside last. */
async function nextBefore(parent: string): Promise<string> {
  const numbers = (await readdir(parent)).map((name) => Number(/^before-(\d+)$/.exec(name)?.[1] ?? 0));
  return `before-${Math.max(0, ...numbers) + 1}`;
}

/** Is there a folder, with other files than the sample or with others in them? What git keeps of it does not count. */
async function differsFromSample(folder: string): Promise<boolean> {
  const copy = await filesBelow(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (copy === undefined) return false;
  const shipped = await filesBelow(samplePath);
  if (copy.join() !== shipped.join()) return true;
  for (const name of shipped) {
    const [one, other] = [folder, samplePath].map((each) => readFile(path.join(each, name)));
    if (!(await one)?.equals((await other) ?? Buffer.of())) return true;
  }
  return false;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => name.split(path.sep)[0] !== '.git')
    .toSorted();
}

/** A fresh folder with these files, by relative path. */
export async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

/** Puts everything in `folder` into a git repository of its own with one commit. False where git is not installed. */
export async function commitAll(folder: string): Promise<boolean> {
  const git = (...args: string[]): Promise<unknown> =>
    promisify(execFile)('git', args, {
      cwd: folder,
      // Neither the person's settings and hooks nor a surrounding repository have a say.
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
        GIT_CONFIG_GLOBAL: path.join(folder, '.no-such-file'),
        GIT_CONFIG_NOSYSTEM: '1',
      },
    });
  try {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git(
      '-c',
      'user.name=Sample',
      '-c',
      'user.email=sample@localhost',
      'commit',
      '--quiet',
      '--message=Open the shop',
    );
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
