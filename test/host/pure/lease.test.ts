/** Who may write to a conversation, after a sleep in which somebody else took it. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Lease } from '../../../src/host/journal/lease.ts';

describe('a lease that another window has taken', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-lease-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('is left to that, however the window before lets go', async () => {
    const path = join(folder, 'c.lease');
    const now = (lease: Lease): Promise<void> => {
      lease.releaseNow();
      return Promise.resolve();
    };
    const ends = [now, (lease: Lease): Promise<void> => lease.release()];
    for (const end of ends) {
      const lease = (await Lease.take(path)) ?? assert.fail();
      const theirs = JSON.stringify({ pid: process.pid, host: 'another', token: 'theirs' });
      await writeFile(path, theirs);
      await end(lease);
      assert.equal(await readFile(path, 'utf8'), theirs);
      await rm(path);
      const own = (await Lease.take(path)) ?? assert.fail();
      await end(own);
      assert.equal(await Lease.isFree(path), true);
      await assert.rejects(readFile(path), { code: 'ENOENT' });
    }
  });
});
