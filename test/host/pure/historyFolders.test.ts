import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HistoryFolders } from '../../../src/host/history/historyFolders.ts';
import { OwnStorage } from '../../../src/host/ownStorage.ts';

describe('the workspaces that have conversations', () => {
  let place: string;
  let folders: HistoryFolders;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'kimi-chat-folders-'));
    folders = new HistoryFolders(new OwnStorage(join(place, 'workspaces'), { warn: () => undefined }));
  });
  afterEach(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));

  const workspace = async (name: string): Promise<string> => {
    const folder = join(place, name, 'conversations');
    await mkdir(folder, { recursive: true });
    return folder;
  };

  it('are found by one another, the one that was opened last first', async () => {
    const [shop, site] = [await workspace('shop'), await workspace('site')];
    await folders.register({ folder: shop, name: 'shop', uri: 'file:///shop' }, 1);
    await folders.register({ folder: site, name: '' }, 2);
    assert.deepEqual(await folders.others(undefined), [
      { folder: site, name: '' },
      { folder: shop, name: 'shop', uri: 'file:///shop' },
    ]);
    assert.deepEqual(await folders.others(site), [{ folder: shop, name: 'shop', uri: 'file:///shop' }]);
    await folders.register({ folder: shop, name: 'corner shop' }, 3);
    assert.deepEqual(await folders.others(undefined), [
      { folder: shop, name: 'corner shop' },
      { folder: site, name: '' },
    ]);
    assert.equal((await readdir(join(place, 'workspaces'))).length, 2);
  });

  it('are left out when their conversations are gone', async () => {
    await folders.register({ folder: join(place, 'gone', 'conversations'), name: 'gone' }, 1);
    assert.deepEqual(await folders.others(undefined), []);
  });

  it('are none where nothing can be read or written, and what others wrote is no workspace', async () => {
    assert.deepEqual(await folders.others(undefined), []);
    await writeFile(join(place, 'workspaces'), 'in the way');
    await folders.register({ folder: await workspace('shop'), name: 'shop' }, 1);
    assert.deepEqual(await folders.others(undefined), []);
    await rm(join(place, 'workspaces'));
    await mkdir(join(place, 'workspaces', 'folder.json'), { recursive: true });
    const write = async (name: string, text: string): Promise<void> =>
      await writeFile(join(place, 'workspaces', name), text);
    const shop = await workspace('shop');
    await write('torn.json', '{"v":1,"folder":"');
    await write('null.json', 'null');
    await write('newer.json', JSON.stringify({ v: 2, folder: shop, name: 'shop', at: 1 }));
    await write('relative.json', JSON.stringify({ v: 1, folder: 'conversations', name: 'x', at: 1 }));
    await write('home.json', JSON.stringify({ v: 1, folder: place, name: 'x', at: 1 }));
    await write('note.txt', JSON.stringify({ v: 1, folder: shop, name: 'shop', at: 1 }));
    assert.deepEqual(await folders.others(undefined), []);
  });
});
