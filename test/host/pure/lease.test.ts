/** Who may write to a conversation, after a sleep in which somebody else took it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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

describe('a lease on a disk on which nothing can be written', () => {
  it('is not had, and keeps nobody else away', async function () {
    if (process.platform !== 'linux') return;
    const folder = await mkdtemp(join(tmpdir(), 'kimi-chat-lease-'));
    const path = join(folder, 'c.lease');
    const module = join(import.meta.dirname, '../../../src/host/journal/lease.ts');
    const script = `import { Lease } from ${JSON.stringify(module)};
      await Lease.take(${JSON.stringify(path)}).then(() => console.log('had'), ({ code }) => console.log(code));`;
    // Files can be made there, and have no room for a byte.
    const full = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath];
    const { stdout } = await promisify(execFile)('bash', [...full, script]);
    assert.equal(stdout, 'EFBIG\n');
    assert.deepEqual(await readdir(folder), []);
    assert.ok(await Lease.take(path));
    await rm(folder, { recursive: true });
  });
});
