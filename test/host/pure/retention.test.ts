/** What is deleted because it is old: real journals, on a clock that the test moves. */
import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';

import type { Parent } from '../../../src/core/conversation/branch.ts';
import type { ProposalSummary } from '../../../src/core/conversation/conversation.ts';
import { encodeRecord, type JournalRecord, type KeptEvent } from '../../../src/core/journal/record.ts';
import { Retention } from '../../../src/host/history/retention.ts';
import { JournalStore } from '../../../src/host/journal/journalStore.ts';
import type { Log } from '../../../src/host/log.ts';

const day = 86_400_000;
/** Not before the product was there, and later than any file is made. */
const noon = 40_000 * day;

describe('what is kept for so many days', () => {
  let parent: string;
  const stores: JournalStore[] = [];
  const retentions: Retention[] = [];
  const told: unknown[] = [];
  let now = noon;
  const log = { info: (...line: unknown[]) => told.push(line), bug: (...line: unknown[]) => told.push(line) };
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-retention-'));
    told.length = 0;
    now = noon;
  });
  afterEach(async () => {
    for (const one of [
      ...stores.splice(0).map((store) => () => store.closeNow()),
      ...retentions.splice(0).map((one) => () => one.dispose()),
    ])
      one();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const folderOf = (workspace: string): string => join(parent, workspace, 'conversations');

  function storeOf(workspace: string): JournalStore {
    const unexpected = (): never => assert.fail();
    const store = new JournalStore({
      ...{ folder: folderOf(workspace), clock: () => now },
      ...{ onDidFail: unexpected, onDidRecover: unexpected },
    });
    stores.push(store);
    return store;
  }

  function retention(days: number | (() => number), others: () => readonly string[] = () => []): Retention {
    const one = new Retention({
      ...{ store: storeOf('own'), folder: folderOf('own'), clock: () => now },
      folders: {
        others: (own) => {
          assert.equal(own, folderOf('own'));
          return Promise.resolve(others().map((name) => ({ name, folder: folderOf(name) })));
        },
      },
      days: typeof days === 'number' ? () => days : days,
      log: log as unknown as Log,
    });
    retentions.push(one);
    return one;
  }

  /** A conversation that changed last so many days ago. */
  async function had(
    workspace: string,
    id: string,
    days: number,
    {
      written = days,
      more = [],
    }: { readonly written?: number; readonly more?: readonly JournalRecord[] } = {},
    { parent }: { readonly parent?: Parent } = {},
  ): Promise<void> {
    const at = now - days * day;
    const question = { text: `About ${id}`, attachments: [] };
    const events: readonly KeptEvent[] = [
      { kind: 'turnStarted', turn: 't', question, model: 'kimi-k3', effort: 'max', at },
      { kind: 'turnEnded', turn: 't', end: { kind: 'completed' }, at },
    ];
    const records: readonly JournalRecord[] = [
      { kind: 'conversation', id, at, ...(parent !== undefined && { parent }) },
      ...events.map((event) => ({ kind: 'event' as const, event })),
      ...more,
    ];
    await mkdir(join(folderOf(workspace), 'journals'), { recursive: true });
    const text = records.map((record) => `${encodeRecord(record)}\n`).join('');
    await writeFile(join(folderOf(workspace), 'journals', `${id}.jsonl`), text);
    const last = (now - written * day) / 1000;
    await utimes(join(folderOf(workspace), 'journals', `${id}.jsonl`), last, last);
  }

  async function left(workspace: string): Promise<readonly string[]> {
    return (await storeOf(workspace).list()).map(({ id }) => id).toSorted((a, b) => a.localeCompare(b));
  }

  const file: ProposalSummary['files'][number] = {
    ...{ index: 0, path: 'a.ts', change: 'update', added: 1, removed: 1, state: 'pending' },
    ...{ seen: false, amended: false },
  };
  const patch: readonly JournalRecord[] = (
    [
      { kind: 'toolOpened', turn: 't', part: '0.0', name: 'apply_patch', at: 1 },
      { kind: 'toolReviewed', turn: 't', part: '0.0', proposal: { id: 'p', files: [file] } },
      { kind: 'toolSettled', turn: 't', part: '0.0', outcome: { kind: 'undecided', text: '' }, at: 2 },
    ] as const
  ).map((event) => ({ kind: 'event', event }));

  it('is deleted when it is older, in all workspaces, but for what is pinned, open or has a patch that waits', async () => {
    for (const workspace of ['own', 'other']) {
      await had(workspace, 'new', 6);
      await had(workspace, 'old', 8);
      await had(workspace, 'pinned', 9, { more: [{ kind: 'pinned', pinned: true }] });
      await had(workspace, 'waiting', 9, { more: patch });
      await had(workspace, 'open', 9);
    }
    const another = storeOf('other');
    assert.equal((await another.open('open')).kind, 'open');
    const one = retention(7, () => ['other']);
    assert.equal(await one.run(), 3);
    assert.deepEqual(await left('own'), ['new', 'pinned', 'waiting']);
    assert.deepEqual(await left('other'), ['new', 'open', 'pinned', 'waiting']);
    assert.equal(await one.run(), 0);
    assert.equal(told.length, 1);
    now += 8 * day;
    await one.run();
    for (const workspace of ['own', 'other'])
      assert.deepEqual(await readdir(join(folderOf(workspace), 'old')), ['new.jsonl']);
  });

  it('is had back when the clock was wrong, and when everything is to be kept', async () => {
    await had('own', 'new', 6);
    await had('own', 'old', 8);
    let days = 7;
    const one = retention(() => days);
    now += 365 * day;
    assert.equal(await one.run(), 2);
    now += day;
    await one.run();
    assert.deepEqual(await left('own'), []);
    now = noon;
    assert.equal(await one.run(), 0);
    assert.deepEqual(await left('own'), ['new', 'old']);
    now += 7.5 * day;
    assert.equal(await one.run(), 2);
    days = 0;
    await one.run();
    assert.deepEqual(await left('own'), ['new', 'old']);
  });

  it('is kept while a version of it is, and when its times tell nothing or it came later', async () => {
    const parent = { conversation: 'root', turn: 't', kind: 'version' } as const;
    await had('own', 'root', 9);
    await had('own', 'version', 6, {}, { parent });
    await had('own', 'oldRoot', 9);
    await had('own', 'oldVersion', 8, {}, { parent: { ...parent, conversation: 'oldRoot' } });
    await had('own', 'lostRoot', 9, {}, { parent: { ...parent, conversation: 'gone' } });
    // The clock of a machine without a battery.
    await had('own', 'timeless', 39_000);
    await had('own', 'imported', 9, { written: 1 });
    await had('own', 'later', 9);
    await appendFile(join(folderOf('own'), 'journals', 'later.jsonl'), '{"v":2,"kind":"kept"}\n');
    const written = new Date(0);
    await utimes(join(folderOf('own'), 'journals', 'later.jsonl'), written, written);
    assert.equal(await retention(7).run(), 3);
    assert.deepEqual(await left('own'), ['imported', 'later', 'root', 'timeless', 'version']);
  });

  it('stays for ever unless the settings say otherwise', async () => {
    await had('own', 'old', 900);
    assert.equal(await retention(0).run(), 0);
    assert.deepEqual(await left('own'), ['old']);
  });

  it('can be had back for 30 days after it was deleted, whatever the settings say', async () => {
    const trash = join(folderOf('own'), 'trash');
    await mkdir(trash, { recursive: true });
    for (const [name, days] of [
      ['late.jsonl', 31],
      ['soon.jsonl', 29],
    ] as const) {
      await writeFile(join(trash, name), '');
      const at = (now - days * day) / 1000;
      await utimes(join(trash, name), at, at);
    }
    await retention(0).run();
    assert.deepEqual(await readdir(trash), ['soon.jsonl']);
  });

  it('is left alone where other workspaces can’t be found, which is told', async () => {
    await had('own', 'old', 8);
    const one = retention(7, () => {
      throw new Error('not found');
    });
    assert.equal(await one.run(), 1);
    assert.equal(told.length, 2);
  });

  it('is looked for a minute after the window opened, and every six hours from then on', async () => {
    await had('own', 'old', 8);
    const whenTold = async (times: number): Promise<void> => {
      while (told.length < times) await new Promise((resolve) => setImmediate(resolve));
    };
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      retention(7);
      mock.timers.tick(59_999);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(told, []);
      assert.deepEqual(await left('own'), ['old']);
      mock.timers.tick(1);
      await whenTold(1);
      assert.deepEqual(await left('own'), []);
      await had('own', 'older', 9);
      mock.timers.tick(6 * 3_600_000);
      await whenTold(2);
      assert.deepEqual(await left('own'), []);
    } finally {
      mock.timers.reset();
    }
  });
});
