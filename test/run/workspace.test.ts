/** The sample's own demo runs in the copy that people open, on a machine whose Node reads no TypeScript too. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository, testFolder } from './places.ts';
import { openableSample } from './workspace.ts';

describe('the copy of the sample', () => {
  let parent: string;
  before(async () => {
    await mkdir(testFolder, { recursive: true });
    parent = await mkdtemp(path.join(testFolder, 'sample-'));
  });
  after(() => rm(parent, { recursive: true, force: true }));

  it('runs its demo with "npm run demo", on the Node of the project', async function () {
    this.timeout(60_000);
    const cwd = await openableSample(parent, false);
    // As in a terminal that a person opens: the project's own programs are not on its path.
    const own = path.join(repository, 'node_modules');
    const folders = (process.env['PATH'] ?? '').split(path.delimiter);
    const PATH = folders.filter((folder) => !folder.startsWith(own)).join(path.delimiter);
    const { stdout } = await promisify(execFile)('npm', ['run', 'demo'], {
      cwd,
      env: { ...process.env, PATH },
      shell: process.platform === 'win32',
    });
    assert.match(stdout, /Five cents: €0\.5 \(WRONG, expected €0\.05\)/);
  });

  it('is made anew, and each one that was changed is put aside in a folder of its own', async () => {
    for (const mine of ['first', 'second', 'third']) {
      const folder = await openableSample(parent, false);
      await writeFile(path.join(folder, 'src/cart.ts'), mine);
      // Thrown away by the person, who then is not given a number that was used before the highest.
      if (mine === 'third') await rm(path.join(parent, 'before-1'), { recursive: true });
    }
    await openableSample(parent, false);
    assert.deepEqual((await readdir(parent)).toSorted(), ['before-2', 'before-3', 'corner-shop']);
    const kept = (name: string): Promise<string> => readFile(path.join(parent, name, 'src/cart.ts'), 'utf8');
    assert.deepEqual([await kept('before-2'), await kept('before-3')], ['second', 'third']);
  });
});
