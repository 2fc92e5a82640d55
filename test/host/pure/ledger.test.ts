import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { UsageRecord } from '../../../src/core/cost/usageRecord.ts';
import { Ledger } from '../../../src/host/cost/ledger.ts';

const noon = new Date(2026, 10, 30, 12).getTime();
const hour = 3_600_000;

function counted(id: string, at = noon, money = 0.01): UsageRecord {
  const tokens = { input: 10, regular: 10, cached: 0, cacheWrite: 0, output: 1, reasoning: 0, visible: 1 };
  return { kind: 'counted', id, at, model: 'kimi-k3', effort: 'max', tokens, money, isEstimate: true };
}

function uncounted(id: string, at = noon): UsageRecord {
  return { kind: 'uncounted', id, at, model: 'kimi-k3', effort: 'max', reckoned: 0.5 };
}

describe('the ledger', () => {
  let parent: string;
  let folder: string;
  let now: number;
  let failures: number;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-ledger-'));
    folder = join(parent, 'usage');
    now = noon;
    failures = 0;
  });
  afterEach(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }));

  function open(place: string | undefined = folder): Ledger {
    return new Ledger({
      folder: place,
      clock: () => now,
      onFailure: () => {
        failures += 1;
      },
      log: { warn: () => undefined },
    });
  }

  const idsOf = async (ledger: Ledger) => (await ledger.all()).map(({ id }) => id).toSorted();

  it('knows nothing at first, and makes no folder for that', async () => {
    const ledger = open();
    assert.equal(ledger.today().counted, 0);
    assert.deepEqual(await ledger.all(), []);
    assert.deepEqual(await readdir(parent), []);
    assert.ok(ledger.keeps);
  });

  it('counts at once, and keeps for the next window', async () => {
    const ledger = open();
    ledger.add(counted('a'));
    assert.equal(ledger.today().counted, 1);
    await ledger.whenKept();
    const next = open();
    assert.deepEqual([next.today().counted, next.today().money], [1, 0.01]);
    assert.deepEqual(await idsOf(next), ['a']);
  });

  it('lets the last that is told of a request count', async () => {
    const ledger = open();
    ledger.add(uncounted('a'));
    assert.deepEqual([ledger.today().uncounted, ledger.today().reckoned], [1, 0.5]);
    ledger.add(counted('a'));
    assert.deepEqual([ledger.today().uncounted, ledger.today().counted], [0, 1]);
    await ledger.whenKept();
    assert.deepEqual([open().today().uncounted, open().today().counted], [0, 1]);
  });

  it('keeps a file a month and counts a day from midnight, both in local time', async () => {
    const ledger = open();
    now = new Date(2026, 10, 1, 0, 30).getTime();
    ledger.add(counted('yesterday', now - hour));
    ledger.add(counted('today', now));
    await ledger.whenKept();
    assert.deepEqual(await readdir(folder), ['usage-2026-10.jsonl', 'usage-2026-11.jsonl']);
    assert.equal(ledger.today().counted, 1);
    assert.equal(open().today().counted, 1);
    assert.deepEqual(await idsOf(open()), ['today', 'yesterday']);
    // The same window, a month later.
    now = new Date(2026, 11, 1, 9).getTime();
    assert.equal(ledger.today().counted, 0);
  });

  it('sees what another window spends, and both can write at the same time', async () => {
    const [one, other] = [open(), open()];
    for (let index = 0; index < 100; index++) {
      one.add(counted(`one ${index}`));
      other.add(counted(`other ${index}`));
    }
    await Promise.all([one.whenKept(), other.whenKept()]);
    for (const ledger of [one, other, open()]) {
      assert.equal(ledger.today().counted, 200);
      assert.equal((await ledger.all()).length, 200);
    }
    other.add(counted('late'));
    await other.whenKept();
    assert.equal(one.today().counted, 201);
  });

  it('lives with a line that was cut off, and loses no other line by it', async () => {
    const first = open();
    first.add(counted('a'));
    await first.whenKept();
    const [file] = await readdir(folder);
    const path = join(folder, file!);
    const torn = JSON.stringify(counted('torn'));
    await appendFile(path, torn.slice(0, torn.length / 2));
    const ledger = open();
    assert.equal(ledger.today().counted, 1);
    ledger.add(counted('b'));
    await ledger.whenKept();
    assert.deepEqual(await idsOf(open()), ['a', 'b']);
    assert.equal(ledger.today().counted, 2);
  });

  it('reads a line on when its second half comes', async () => {
    await mkdir(folder);
    const path = join(folder, 'usage-2026-11.jsonl');
    const line = `${JSON.stringify(counted('a'))}\n`;
    await writeFile(path, line.slice(0, 30));
    const ledger = open();
    assert.equal(ledger.today().counted, 0);
    await appendFile(path, line.slice(30));
    assert.equal(ledger.today().counted, 1);
  });

  it('passes over what later versions write, and leaves it where it is', async () => {
    await mkdir(folder);
    const path = join(folder, 'usage-2026-11.jsonl');
    const later = '{"kind":"refund","id":"r","at":1,"model":"kimi-k9","effort":"max","money":1}\n';
    await writeFile(path, later);
    await writeFile(join(folder, 'notes.txt'), 'not ours');
    const ledger = open();
    ledger.add(counted('a'));
    await ledger.whenKept();
    assert.deepEqual(await idsOf(ledger), ['a']);
    assert.ok((await readFile(path, 'utf8')).startsWith(later));
  });

  it('reads anew when somebody deleted or shortened a file', async () => {
    const writer = open();
    writer.add(counted('a'));
    writer.add(counted('b'));
    await writer.whenKept();
    const reader = open();
    assert.equal(reader.today().counted, 2);
    await truncate(join(folder, 'usage-2026-11.jsonl'), 0);
    assert.equal(reader.today().counted, 0);
    await rm(folder, { recursive: true });
    assert.equal(reader.today().counted, 0);
    // What this window itself has spent counts all the same.
    assert.equal(writer.today().counted, 2);
  });

  it('tells once when nothing can be kept, goes on with what it knows, and writes all when it can again', async () => {
    await writeFile(folder, 'a file stands where the folder should');
    const ledger = open();
    ledger.add(counted('a'));
    await ledger.whenKept();
    ledger.add(counted('b'));
    await ledger.whenKept();
    assert.equal(ledger.today().counted, 2);
    assert.deepEqual(await idsOf(ledger), ['a', 'b']);
    assert.equal(failures, 1);
    assert.equal(ledger.keeps, false);
    await rm(folder);
    ledger.add(counted('c'));
    await ledger.whenKept();
    assert.ok(ledger.keeps);
    assert.deepEqual(await idsOf(open()), ['a', 'b', 'c']);
    assert.equal(failures, 1);
  });

  it('keeps nothing without a place, and says so', async () => {
    const ledger = new Ledger({
      folder: undefined,
      clock: () => now,
      onFailure: () => assert.fail('nothing failed'),
      log: { warn: () => undefined },
    });
    ledger.add(counted('a'));
    await ledger.whenKept();
    assert.equal(ledger.today().counted, 1);
    assert.deepEqual(await idsOf(ledger), ['a']);
    assert.equal(ledger.keeps, false);
  });

  it('goes on when a file of it is a folder', async () => {
    await mkdir(join(folder, 'usage-2026-11.jsonl'), { recursive: true });
    const ledger = open();
    assert.equal(ledger.today().counted, 0);
    assert.deepEqual(await ledger.all(), []);
    assert.equal(failures, 1);
  });

  it('can be read by its owner alone', async () => {
    const ledger = open();
    ledger.add(counted('a'));
    await ledger.whenKept();
    const { mode } = await stat(join(folder, 'usage-2026-11.jsonl'));
    if (process.platform !== 'win32') assert.equal(mode & 0o777, 0o600);
  });
});
