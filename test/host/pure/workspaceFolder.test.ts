import assert from 'node:assert/strict';
import { join } from 'node:path';

import { folderOfAllWindows } from '../../../src/host/workspaceFolder.ts';

describe('the folder of all windows of a workspace', () => {
  const of = (workspace: string): string =>
    folderOfAllWindows(join('/data/User/workspaceStorage', workspace, 'publisher.kimi-chat'));
  const path = (workspace: string): string =>
    join('/data/User/workspaceStorage', workspace, 'publisher.kimi-chat');

  it('is that of the first one', () => {
    const desktop = '7d9c64ed5b1b48a4d2fcb7f4a56b9f3c';
    assert.equal(of(desktop), path(desktop));
    assert.equal(of(`${desktop}-1`), path(desktop));
    assert.equal(of(`${desktop}-9`), path(desktop));
    // In a browser the name of a workspace may begin with a minus.
    assert.equal(of('-5e2f8a1c-2'), path('-5e2f8a1c'));
    assert.equal(of('-5e2f8a1c'), path('-5e2f8a1c'));
  });

  it('is left as it is where the name is another', () => {
    for (const name of ['ext-dev', 'ext-dev-1', '1700000000000-12', 'folder-1', '-12345678'])
      assert.equal(of(name), path(name), name);
  });
});
