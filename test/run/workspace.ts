/** Makes folders to open in VS Code: copies of the sample, so that the repository itself is never changed. */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from './places.ts';

/** A fresh copy of the sample at `folder`, whatever was there before. */
export async function copySample(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(samplePath, folder, { recursive: true });
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
