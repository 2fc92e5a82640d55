/** Values in files: written as a whole or not at all, and nothing left beside them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { OwnStorage } from '../../../src/host/ownStorage.ts';

describe('values that outlive the window', () => {
  let folder: string;
  let warned: number;
  let storage: OwnStorage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-own-'));
    warned = 0;
    storage = new OwnStorage(folder, { warn: () => (warned += 1) });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('leave nothing behind when they can’t be written, and are as they were', async function () {
    if (process.platform !== 'linux') return;
    await storage.keep('draft', 'old');
    await symlink('/dev/full', join(folder, `draft.json.${process.pid}.part`));
    await storage.keep('draft', 'new');
    assert.equal(storage.isFailing, true);
    await symlink('/dev/full', join(folder, `draft.json.end.${process.pid}.part`));
    storage.keepNow('draft', 'new');
    assert.deepEqual(await readdir(folder), ['draft.json']);
    assert.equal(await readFile(join(folder, 'draft.json'), 'utf8'), '"old"');
    assert.equal(warned, 1, 'it is told once');
    await storage.keep('draft', 'newer');
    assert.deepEqual([storage.isFailing, await storage.readAll()], [false, new Map([['draft', 'newer']])]);
  });

  it('leave nothing behind when something stands in their place', async () => {
    await mkdir(join(folder, 'draft.json/deep'), { recursive: true });
    await storage.keep('draft', 'new');
    storage.keepNow('draft', 'newer');
    assert.deepEqual([await readdir(folder), storage.isFailing], [['draft.json'], true]);
  });

  it('are rid of what a process has left that went in the middle of it, and of nothing that is on its way', async () => {
    const other = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(other, 'exit');
    const gone = other.pid ?? assert.fail();
    const minutes = 60;
    const ages: Readonly<Record<string, number>> = {
      [`a.json.${gone}.part`]: 2 * minutes,
      [`b.json.end.${gone}.part`]: 2 * minutes,
      [`c.json.${gone}.part`]: 0,
      [`d.json.${process.pid}.part`]: 2 * minutes,
      [`e.json.${process.pid}.part`]: 25 * 60 * minutes,
      'f.part': 2 * minutes,
    };
    const now = Date.now() / 1000;
    for (const [name, age] of Object.entries(ages)) {
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), now - age, now - age);
    }
    assert.equal((await storage.readAll()).size, 0);
    assert.deepEqual(
      (await readdir(folder)).toSorted(),
      [`c.json.${gone}.part`, `d.json.${process.pid}.part`, 'f.part'].toSorted(),
    );
  });
});
