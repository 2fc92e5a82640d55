/** Who may write, when the machine was asleep: real files, one process. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Lease } from '../../../src/host/journal/lease.ts';

describe('a lease that was not touched for long', () => {
  let folder: string;
  let path: string;
  let held: Lease;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-lease-'));
    path = join(folder, 'a.lease');
    held = (await Lease.take(path)) ?? assert.fail();
    await utimes(path, 0, 0);
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('stays with a process that lives, which says so a moment after the machine woke up', async () => {
    const taking = Lease.take(path, 300);
    assert.ok(await held.beat());
    assert.equal(await taking, undefined);
    assert.ok(await held.beat());
  });

  it('goes to another one when no sign comes: the process has only the same number', async () => {
    const taken = (await Lease.take(path, 1)) ?? assert.fail();
    assert.equal(await held.beat(), false);
    assert.ok(await taken.beat());
  });
});
