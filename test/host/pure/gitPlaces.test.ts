/** Where Git is told of its hooks and of more configuration, in each of the places in which it can be told. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { gitPlaces, isInBareRepository } from '../../../src/host/edits/files/gitPlaces.ts';

describe('the folder of hooks', () => {
  let top: string;
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(top, name)), { recursive: true });
    await writeFile(join(top, name), text);
  };
  const found = async (folder = 'app'): Promise<readonly string[]> =>
    (await gitPlaces(join(top, folder), join(top, 'home'))).hooks.map((path) => path.slice(top.length + 1));

  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), 'kimi-chat-hooks-'));
    await mkdir(join(top, 'home'));
  });
  afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 5 }));

  it('is none where it is not named', async () => {
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
    assert.deepEqual(await found('main/sub'), ['main/sub/own', 'main/shared']);
  });

  it('is found in what a configuration includes, which Git obeys too, and in that of one worktree alone', async () => {
    await write(
      'app/.git/config',
      '[include]\n\tpath = ../shared.conf\n[includeIf "onbranch:x]y"]\npath = "~/"two\n',
    );
    await write(
      'app/shared.conf',
      '[core]\nhooksPath = to\\\n"ols/my hooks" # mine\n[include]\npath = shared.conf\n',
    );
    await write('home/two', '[core]hooksPath=~/three\n');
    assert.deepEqual(await found(), ['app/tools/my hooks', 'home/three']);
    const { included, top: repository } = await gitPlaces(join(top, 'app'), join(top, 'home'));
    assert.deepEqual(
      [included, repository],
      [[join(top, 'app/shared.conf'), join(top, 'home/two')], join(top, 'app')],
    );
    await write('app/.git/worktrees/tree/commondir', '../..\n');
    await write('app/.git/worktrees/tree/config.worktree', '[core]\nhooksPath = its\n');
    await write('tree/.git', `gitdir: ${join(top, 'app/.git/worktrees/tree')}\n`);
    assert.ok((await found('tree')).includes('tree/its'));
  });

  it('is one that any repository around names, and one of the person where no repository is', async () => {
    await write('app/.git/config', '[core]\nhooksPath = sub/tools\n');
    await write('app/sub/.git/config', '[core]\nhooksPath = own\n');
    assert.deepEqual(await found('app/sub/tools'), ['app/sub/own', 'app/sub/tools']);
    await write('home/.gitconfig', '[core]\nhooksPath = ~/hooks\n');
    assert.deepEqual(await found('home'), ['home/hooks']);
  });

  it('may be one of a folder that is a repository’s own by what is in it, but not of a worktree there', async () => {
    const isBare = (folder: string): Promise<boolean> => isInBareRepository(join(top, folder));
    await write('app/HEAD', 'ref: refs/heads/main\n');
    assert.equal(await isBare('app'), false);
    for (const folder of ['objects', 'refs']) await mkdir(join(top, 'app', folder));
    assert.deepEqual([await isBare('app'), await isBare('app/hooks/deep')], [true, true]);
    await write('app/tree/.git', 'gitdir: ../worktrees/tree\n');
    assert.equal(await isBare('app/tree/src'), false);
    await write('app/worktrees/tree/HEAD', 'x\n');
    await write('app/worktrees/tree/commondir', '../..\n');
    assert.equal(await isBare('app/worktrees/tree'), true);
  });
});
