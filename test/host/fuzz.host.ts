/** Patches with whatever paths, all of them accepted, over a folder with links out of it: nothing outside changes, and nothing of Git's. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';

import { SecondYes } from '../../src/host/edits/review/secondYes.ts';
import { Chance } from '../properties/fuzz/chance.ts';
import { anyPath } from '../properties/fuzz/paths.ts';
import { seed } from '../simulator/arbitraries.ts';
import { Stage } from './editsStage.ts';
import { callTool } from './filesTool.ts';

const cases = 25;

describe('patches of whatever paths', function () {
  this.timeout(120_000);
  let stage: Stage;
  let root: string;
  let outside: string;
  let before: readonly string[];
  const marker = `fuzz ${randomUUID()}`;

  beforeEach(async () => {
    // Whoever presses the button is not quick.
    let now = 0;
    const secondYes = new SecondYes(
      () => Promise.resolve('accept'),
      () => (now += 10_000),
    );
    stage = await Stage.open({ secondYes });
    root =
      vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('these tests need an open folder');
    before = await readdir(root);
    outside = await realpath(await mkdtemp(join(tmpdir(), 'outside-')));
    await mkdir(join(outside, 'sub'));
    await writeFile(join(outside, 'canary.txt'), 'one\n');
    await stage.write('a/b.ts', 'one\n');
    await stage.write('.git/config', 'one\n');
    await symlink(outside, stage.onDisk('out'));
    await symlink(join(outside, 'canary.txt'), stage.onDisk('a/leads.txt'));
    await symlink('../.git', stage.onDisk('a/hidden'));
  });
  afterEach(async () => {
    await stage.close();
    for (const name of await readdir(root)) {
      if (!before.includes(name)) await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
    }
    await rm(outside, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Every file below, by its name, with what is in it; links are not followed. */
  async function everything(folder: string): Promise<readonly string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return (
      await Promise.all(files.map(async (file) => `${file} ${await readFile(file, 'utf8')}`))
    ).toSorted();
  }

  it(`change nothing outside (seed ${seed})`, async () => {
    const watched = [outside, stage.onDisk('.git')];
    const as = await Promise.all(watched.map(everything));
    const around = await readdir(dirname(root));
    const here = basename(stage.folder);
    for (let at = 0; at < cases; at++) {
      const chance = new Chance(seed, at);
      const names = [
        here,
        'out',
        'hidden',
        'leads.txt',
        'canary.txt',
        outside,
        outside.slice(1),
        root,
        'sub',
      ];
      const anyName = (): string => (chance.once(2) ? `${here}/` : '') + anyPath(chance, names);
      const written = Array.from({ length: 1 + chance.below(3) }, anyName);
      const lines = written.flatMap((name) => {
        switch (chance.below(5)) {
          case 0:
            return [`*** Delete File: ${name}`];
          case 1:
            return [`*** Update File: ${name}`, '@@', '-one', `+${marker}`];
          case 2:
            return [`*** Update File: ${here}/a/b.ts`, `*** Move to: ${name}`, '@@', '-one', `+${marker}`];
          default:
            return [`*** Add File: ${name}`, `+${marker}`];
        }
      });
      const outcome = await callTool(stage, lines, async ({ id }) => {
        await stage.review.board.accept(id);
        await stage.review.board.reject(id);
      });
      const told = `case ${at}, ${JSON.stringify(written)}: ${outcome.text}`;
      assert.deepEqual(await Promise.all(watched.map(everything)), as, told);
      assert.deepEqual(await readdir(dirname(root)), around, told);
      // Wherever the path leads for whoever reads it as the system does.
      for (const name of written) {
        if (name.includes('\0')) continue;
        const place = resolve(root, name.replace(/^~(?=\/|$)/, homedir()));
        if (place.startsWith(root + sep)) continue;
        const text = await readFile(place, 'utf8').catch(() => '');
        assert.ok(!text.includes(marker), told);
      }
      await stage.write('a/b.ts', 'one\n');
    }
    // All of them refused would show nothing.
    const inside = await callTool(stage, [`*** Add File: ${here}/plain.txt`, `+${marker}`], ({ id }) =>
      stage.review.board.accept(id),
    );
    assert.equal(inside.kind, 'done', inside.text);
  });
});
