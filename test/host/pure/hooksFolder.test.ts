/** Where Git is told that a repository has its hooks, in each of the places in which it can be told. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { hooksFolders } from '../../../src/host/edits/hooksFolder.ts';

describe('the folder of hooks', () => {
  let top: string;
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(top, name)), { recursive: true });
    await writeFile(join(top, name), text);
  };
  const found = async (folder = 'app'): Promise<readonly string[]> =>
    (await hooksFolders(join(top, folder), join(top, 'home'))).map((path) => path.slice(top.length + 1));

  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), 'kimi-chat-hooks-'));
    await mkdir(join(top, 'home'));
  });
  afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  it('is none where no repository is, and none where it is not named', async () => {
    await write('home/.gitconfig', '[core]\n\thooksPath = hooks\n');
    assert.deepEqual(await found(), []);
    await write('home/.gitconfig', '[user]\n\thooksPath = hooks\n');
    await write('app/.git/config', '[core "x"]\n\thooksPath = hooks\n# [core] hooksPath = y\n');
    assert.deepEqual(await found(), []);
  });

  it('is the one that the repository names, seen from a folder below as well', async () => {
    await write(
      'app/.git/config',
      '[Core]\r\n\tbare = false\r\n\tHooksPath = "tools/my \\"hooks" ; mine\r\n[user]\n\tname = x\n',
    );
    await write('app/deep/er/x', '');
    assert.deepEqual(await found(), ['app/tools/my "hooks']);
    assert.deepEqual(await found('app/deep/er'), ['app/tools/my "hooks']);
  });

  it('is one that the person names, at home or in the repository', async () => {
    await write('app/.git/config', '[core] hooksPath = one # here\n');
    await write('home/.gitconfig', '[core]\nhooksPath=two\n');
    await write('home/.config/git/config', '[core]\nhooksPath = ~/three\n');
    assert.deepEqual(await found(), ['app/one', 'app/two', 'home/three']);
  });

  it('is found from a worktree and from a submodule', async () => {
    await write('main/.git/config', '[core]\nhooksPath = shared\n');
    await write('main/.git/worktrees/tree/commondir', '../..\n');
    await write('tree/.git', `gitdir: ${join(top, 'main/.git/worktrees/tree')}\n`);
    assert.deepEqual(await found('tree'), ['tree/shared']);
    await write('main/.git/modules/sub/config', '[core]\nhooksPath = own\n');
    await write('main/sub/.git', 'gitdir: ../.git/modules/sub\n');
    assert.deepEqual(await found('main/sub'), ['main/sub/own']);
  });
});
