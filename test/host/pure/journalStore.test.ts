import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';

import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import { reduce } from '../../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import type { Journal } from '../../../src/host/journal/journal.ts';
import type { JournalFailure } from '../../../src/host/journal/journalFile.ts';
import { heartbeat } from '../../../src/host/journal/lease.ts';
import { JournalStore, type OpenedJournal } from '../../../src/host/journal/journalStore.ts';

const noon = new Date(2026, 10, 30, 12).getTime();
const day = 86_400_000;

describe('the store of journals', () => {
  let parent: string;
  let folder: string;
  let now: number;
  let failures: (readonly [string, JournalFailure])[];
  const stores: JournalStore[] = [];
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-journals-'));
    folder = join(parent, 'conversations');
    now = noon;
    failures = [];
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) store.closeNow();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  /** As another window has it. */
  function openStore(): JournalStore {
    const store = new JournalStore({
      folder,
      clock: () => now,
      onDidFail: (id, failure) => failures.push([id, failure]),
      onDidRecover: () => undefined,
    });
    stores.push(store);
    return store;
  }

  /** Asks a question in a conversation and answers it. */
  async function ask(journal: Journal, before: Conversation, text: string): Promise<Conversation> {
    const turn = `t${before.turns.length}`;
    const at = now;
    const events: readonly ShownEvent[] = [
      {
        ...{ kind: 'turnStarted', turn, question: { text, attachments: [] } },
        ...{ model: 'kimi-k3', effort: 'max', at },
      },
      { kind: 'partOpened', turn, part: '0.0', what: 'answer', at },
      { kind: 'textAdded', turn, part: '0.0', section: 0, text: 'Because.' },
      { kind: 'turnEnded', turn, end: { kind: 'completed' }, at },
    ];
    journal.note(...events.map((event) => ({ kind: 'event' as const, event })));
    await journal.flush();
    return events.reduce(reduce, before);
  }

  /** A conversation that was had and is not open any more. */
  async function had(store: JournalStore, id: string, question = `About ${id}`): Promise<Conversation> {
    let conversation: Conversation = { id, turns: [] };
    const journal = store.begin({ id, createdAt: now }, () => conversation);
    conversation = await ask(journal, conversation, question);
    await store.close(id);
    return conversation;
  }

  async function opened(store: JournalStore, id: string): Promise<Extract<OpenedJournal, { kind: 'open' }>> {
    const one = await store.open(id);
    assert.equal(one.kind, 'open');
    return one;
  }

  const ids = async (store: JournalStore): Promise<readonly string[]> =>
    (await store.list()).map(({ id }) => id);

  it('knows nothing at first, and makes no folder for that', async () => {
    const store = openStore();
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.lastShown(), undefined);
    assert.deepEqual(await store.open('c'), { kind: 'missing' });
    assert.deepEqual(await store.delete('c'), { ok: false, error: 'missing' });
    assert.deepEqual(await readdir(parent), []);
  });

  it('has a line as it may be written, in the conversation and in the list', async () => {
    const clean = (line: string): string => line.replaceAll('sk-mine', '••••••••');
    const store = new JournalStore({
      folder,
      ...{ clock: () => now, onDidFail: () => assert.fail('failed'), onDidRecover: () => undefined },
      clean,
    });
    stores.push(store);
    await had(store, 'a', 'Is it sk-mine?');
    store.closeNow();
    let text = '';
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) text += await readFile(join(entry.parentPath, entry.name), 'utf8');
    assert.equal(text.includes('sk-mine'), false);
    assert.equal(text.split('Is it ••••••••?').length, 3);
    assert.equal((await openStore().list())[0]?.question, 'Is it ••••••••?');
  });

  it('lists what was had, the newest first, and goes on with it in the next window', async () => {
    const first = openStore();
    await had(first, 'a');
    now += 1000;
    const conversation = await had(first, 'b');
    assert.deepEqual(await ids(first), ['b', 'a']);
    const next = openStore();
    const [facts] = await next.list();
    assert.deepEqual([facts?.question, facts?.turns, facts?.createdAt], ['About b', 1, now]);
    const { state, journal, damaged } = await opened(next, 'b');
    assert.deepEqual([state.conversation, damaged], [conversation, 0]);
    let more = conversation;
    next.follow('b', () => more);
    more = await ask(journal, more, 'And?');
    assert.equal((await next.list())[0]?.turns, 2);
    await next.close('b');
    assert.equal((await opened(openStore(), 'b')).state.conversation.turns.length, 2);
  });

  it('has the last turns of a long conversation for a first look', async () => {
    const store = openStore();
    await had(store, 'short');
    assert.equal(await store.peek('short'), undefined);
    assert.equal(await store.peek('none'), undefined);
    assert.equal(await store.peek('../c'), undefined);
    let conversation: Conversation = { id: 'long', turns: [] };
    const journal = store.begin({ id: 'long', createdAt: now }, () => conversation);
    conversation = await ask(journal, conversation, 'First?');
    // Longer than what is looked at first, and within a character of several bytes wherever it is cut.
    const text = 'ü'.repeat(3 * 2 ** 20);
    journal.note({
      kind: 'event',
      event: {
        kind: 'itemsKept',
        turn: 't0',
        items: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
      },
    });
    conversation = await ask(journal, conversation, 'Last?');
    await store.close('long');
    const peeked = await store.peek('long');
    assert.deepEqual(
      peeked?.turns.map(({ question }) => question.text),
      ['Last?'],
    );
    assert.deepEqual(peeked.turns[0], conversation.turns[1]);
  });

  it('writes what a long conversation begins with in pieces, and reads it whole', async () => {
    const store = openStore();
    const turns = Array.from({ length: 60 }, (_, at): Turn => ({
      ...{ id: `t${at}`, question: { text: 'x'.repeat(100_000), attachments: [] }, model: 'kimi-k3' },
      ...{ effort: 'max', startedAt: 1, endedAt: 2, parts: [], requests: [], end: { kind: 'completed' } },
    }));
    const conversation = { id: 'c', turns };
    const seed = { ...{ conversation, history: { groups: [] }, removed: [], reports: [] } };
    const journal = store.begin(
      { id: 'c', createdAt: now, seed: { ...seed, requests: { requests: [], last: [] } } },
      () => conversation,
    );
    // How much of it is there each time that something else has its turn.
    const sizes = new Set<number>();
    const whole = journal.flush().then(() => true);
    for (let isDone = false; !isDone;) {
      sizes.add(journal.size);
      isDone = await Promise.race([
        whole,
        new Promise<false>((resolve) => setImmediate(() => resolve(false))),
      ]);
    }
    assert.ok(sizes.size >= 5, `${sizes.size} pieces of 6 MB`);
    assert.equal(journal.isKept, true);
    const path = join(folder, 'journals/c.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 61);
    await store.close('c');
    const { state } = await opened(openStore(), 'c');
    assert.deepEqual(state.conversation, conversation);
    // One that was cut off is none, and is not written to.
    await writeFile(join(folder, 'journals/d.jsonl'), `${lines.slice(0, 30).join('\n')}\n`);
    const another = openStore();
    for (let time = 0; time < 2; time++) assert.deepEqual(await ids(another), ['c']);
    assert.deepEqual(await another.open('d'), { kind: 'missing' });
    // Of another size it may be another.
    await writeFile(join(folder, 'journals/d.jsonl'), `${lines.join('\n')}\n`);
    assert.deepEqual((await ids(another)).toSorted(), ['c', 'd']);
  });

  it('has streamed text in the file soon, without being asked', async () => {
    const store = openStore();
    const journal = store.begin({ id: 'c', createdAt: now }, () => ({ id: 'c', turns: [] }));
    await journal.flush();
    journal.note({
      kind: 'event',
      event: { kind: 'textAdded', turn: 't', part: '0.0', section: 0, text: 'Streamed.' },
    });
    const path = join(folder, 'journals', 'c.jsonl');
    while (!(await readFile(path, 'utf8')).includes('Streamed.')) await new Promise((r) => setTimeout(r, 20));
    assert.equal((await readFile(path, 'utf8')).split('\n').length, 3);
  });

  it('writes everything at the end of the window, and lets the next one have it', async () => {
    const store = openStore();
    let conversation: Conversation = { id: 'c', turns: [] };
    const journal = store.begin({ id: 'c', createdAt: now }, () => conversation);
    const asking = ask(journal, conversation, 'Why?');
    store.closeNow();
    conversation = await asking;
    journal.note({ kind: 'pinned', pinned: true });
    const next = await opened(openStore(), 'c');
    assert.deepEqual([next.state.conversation, next.state.pinned], [conversation, undefined]);
    assert.deepEqual(failures, []);
  });

  it('has its list from the journals where the index is missing, damaged or out of date', async () => {
    const store = openStore();
    await had(store, 'a');
    await had(store, 'b');
    const index = join(folder, 'index.jsonl');
    await rm(index);
    assert.deepEqual((await ids(openStore())).toSorted(), ['a', 'b']);
    await writeFile(index, 'rubbish\n{"v":1,"kind":"facts"}\n{"v":2,"kind":"new"}\n{"v":1,"ki');
    assert.deepEqual((await ids(openStore())).toSorted(), ['a', 'b']);
    // As after a window that went before it could tell.
    const title = { v: 1, kind: 'title', title: 'New', by: 'model' };
    await appendFile(join(folder, 'journals', 'a.jsonl'), `${JSON.stringify(title)}\n`);
    await rm(join(folder, 'journals', 'b.jsonl'));
    const [left, ...others] = await openStore().list();
    assert.deepEqual([left?.id, left?.title?.text, others], ['a', 'New', []]);
  });

  it('keeps the index short, and what was shown last in it', async () => {
    const store = openStore();
    await had(store, 'a');
    const spare = `${JSON.stringify({ v: 1, kind: 'shown', id: 'a' })}\n`;
    await appendFile(join(folder, 'index.jsonl'), spare.repeat(6_000));
    const long = openStore();
    assert.equal(await long.lastShown(), 'a');
    await had(long, 'b');
    const next = openStore();
    assert.equal(await next.lastShown(), 'a');
    assert.deepEqual((await ids(next)).toSorted(), ['a', 'b']);
    assert.ok((await stat(join(folder, 'index.jsonl'))).size < 5_000);
  });

  it('keeps titles and pins, of open conversations and of others', async () => {
    const store = openStore();
    await had(store, 'a');
    await had(store, 'b');
    await opened(store, 'b');
    const title = { text: 'Carts', by: 'person' } as const;
    for (const id of ['a', 'b']) {
      assert.ok((await store.setTitle(id, title)).ok);
      assert.ok((await store.setPinned(id, true)).ok);
    }
    assert.deepEqual(await store.setPinned('c', true), { ok: false, error: 'missing' });
    await store.close('b');
    // Also while it is being read to be continued.
    const opening = opened(store, 'b');
    assert.ok((await store.setPinned('b', false)).ok);
    await opening;
    for (const list of [await store.list(), await openStore().list()]) {
      assert.deepEqual(
        list.map((one) => [one.id, one.title, one.pinned]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
        [
          ['a', title, true],
          ['b', title, undefined],
        ],
      );
    }
  });

  it('puts a conversation aside, has it back, and deletes it for good later', async () => {
    const store = openStore();
    const conversation = await had(store, 'a');
    await had(store, 'b');
    assert.ok((await store.delete('a')).ok);
    assert.deepEqual(await ids(store), ['b']);
    assert.deepEqual(await ids(openStore()), ['b']);
    assert.ok((await store.restore('a')).ok);
    assert.deepEqual(await store.restore('a'), { ok: false, error: 'busy' });
    assert.deepEqual((await opened(store, 'a')).state.conversation, conversation);
    assert.deepEqual(await store.delete('a'), { ok: false, error: 'busy' });
    await store.close('a');
    assert.ok((await store.delete('a')).ok);
    await store.emptyTrash(now);
    assert.ok((await store.restore('a')).ok);
    await store.delete('a');
    await store.emptyTrash(now + 1000);
    assert.deepEqual(await store.restore('a'), { ok: false, error: 'missing' });
  });

  it('has nothing left on the disk of what was discarded', async () => {
    const store = openStore();
    await had(store, 'a', 'A secret');
    await had(store, 'b');
    assert.deepEqual(await store.discard('a'), { ok: true, value: undefined });
    assert.deepEqual(await store.discard('a'), { ok: false, error: 'missing' });
    assert.deepEqual(await store.restore('a'), { ok: false, error: 'missing' });
    assert.deepEqual([await ids(store), await readdir(join(folder, 'journals'))], [['b'], ['b.jsonl']]);
    assert.ok(!(await readFile(join(folder, 'index.jsonl'), 'utf8')).includes('secret'));
    await opened(store, 'b');
    assert.deepEqual(await store.discard('b'), { ok: false, error: 'busy' });
  });

  it('deletes what is old, but for what is pinned or open', async () => {
    const store = openStore();
    for (const id of ['old', 'pinned', 'open']) {
      await had(store, id);
      await utimes(join(folder, 'journals', `${id}.jsonl`), 0, 0);
    }
    now += 10 * day;
    await had(store, 'new');
    await store.setPinned('pinned', true);
    await opened(store, 'open');
    assert.equal(await store.retire(now - day), 1);
    assert.deepEqual((await ids(store)).toSorted(), ['new', 'open', 'pinned']);
  });

  it('deletes everything, and says what it deleted and what it could not', async () => {
    const store = openStore();
    for (const id of ['a', 'b', 'c']) await had(store, id);
    await store.delete('c');
    const size = (await store.list()).find(({ id }) => id === 'a')?.size;
    const other = openStore();
    await opened(other, 'b');
    assert.deepEqual(await store.deleteAll(), { conversations: 1, size, left: ['b'] });
    assert.deepEqual(await readdir(join(folder, 'trash')), []);
    await other.close('b');
    assert.equal((await store.deleteAll()).conversations, 1);
    assert.deepEqual((await readdir(folder)).toSorted(), ['journals', 'trash']);
    assert.deepEqual(await readdir(join(folder, 'journals')), []);
  });

  it('has nothing left on the disk of what was deleted for good', async () => {
    const store = openStore();
    const journals = join(folder, 'journals');
    for (const id of ['a', 'b', 'c', 'd']) await had(store, id, `secret ${id}`);
    const other = openStore();
    await opened(other, 'b');
    await other.list();
    await store.delete('c');
    await mkdir(join(folder, 'old'));
    await rename(join(journals, 'd.jsonl'), join(folder, 'old', 'd.jsonl'));
    await writeFile(
      join(journals, 'headless.jsonl'),
      '{"v":1,"kind":"title","title":"secret e","by":"model"}\n',
    );
    await writeFile(join(journals, 'a (copy).jsonl'), 'secret f');
    await writeFile(join(folder, 'index.jsonl.1.part'), 'secret g');
    assert.deepEqual((await store.deleteAll()).left, ['b']);
    // The list of another window does not bring it back either.
    await other.list();
    await other.close('b');
    await other.setPinned('b', true);
    const left: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        left.push(...((await readFile(join(entry.parentPath, entry.name), 'utf8')).match(/secret ./g) ?? []));
    assert.deepEqual([...new Set(left)], ['secret b']);
    assert.equal(await other.isEmpty(), false);
    await other.deleteAll();
    assert.equal(await other.isEmpty(), true);
  });

  it('tells whoever shows the list when it is another', async () => {
    const store = openStore();
    let told = 0;
    const listener = store.onDidChange(() => {
      told += 1;
    });
    await had(store, 'a');
    assert.ok(told > 0);
    const before = told;
    await store.delete('a');
    assert.equal(told, before + 1);
    listener.dispose();
    await store.restore('a');
    assert.equal(told, before + 1);
  });

  it('leads nowhere by a name that is none', async () => {
    const store = openStore();
    await writeFile(join(parent, 'outside.jsonl'), '{}');
    for (const id of ['../../outside', '..', '', 'a/b', 'a\\b', 'a'.repeat(200)]) {
      assert.deepEqual(await store.open(id), { kind: 'missing' });
      assert.deepEqual(await store.delete(id), { ok: false, error: 'missing' });
      assert.deepEqual(await store.restore(id), { ok: false, error: 'missing' });
      assert.equal(await store.load(id), undefined);
    }
    assert.equal(await readFile(join(parent, 'outside.jsonl'), 'utf8'), '{}');
  });

  it('calls a journal that somebody copied by the name of its file', async () => {
    const store = openStore();
    await had(store, 'a');
    const text = await readFile(join(folder, 'journals', 'a.jsonl'), 'utf8');
    await writeFile(join(folder, 'journals', 'copy.jsonl'), text);
    assert.deepEqual((await ids(store)).toSorted(), ['a', 'copy']);
    assert.equal((await opened(store, 'copy')).state.conversation.id, 'copy');
  });

  it('reads a conversation of a later version, and does not go on with it', async () => {
    const store = openStore();
    const conversation = await had(store, 'a');
    const path = join(folder, 'journals', 'a.jsonl');
    await appendFile(path, '{"v":2,"kind":"more"}\n');
    const one = await store.open('a');
    assert.ok(one.kind === 'readOnly');
    assert.deepEqual([one.why, one.state.conversation], ['newer', conversation]);
    assert.deepEqual(await store.setPinned('a', true), { ok: false, error: 'newer' });
    assert.deepEqual(await ids(store), ['a']);
    assert.ok((await readFile(path, 'utf8')).endsWith('{"v":2,"kind":"more"}\n'));
  });

  it('leaves what has no beginning where it is', async () => {
    const store = openStore();
    await had(store, 'a');
    await writeFile(join(folder, 'journals', 'b.jsonl'), '{"v":1,"kind":"pinned","pinned":true}\n');
    await writeFile(join(folder, 'journals', 'empty.jsonl'), '');
    assert.deepEqual(await ids(store), ['a']);
    assert.deepEqual(await store.open('b'), { kind: 'missing' });
    assert.equal((await readdir(join(folder, 'journals'))).length, 3);
  });

  it('gives the lines of a journal, however they lie in what is read at a time', async () => {
    const store = openStore();
    const question = `${'é🛒x'.repeat(150_000)}\nend`;
    await had(store, 'a', question);
    const lines: string[] = [];
    assert.ok(await store.lines('a', { take: (line) => void lines.push(line) }));
    assert.equal(lines.length, 5);
    assert.ok(lines[1]?.includes(JSON.stringify(question)));
    assert.equal(await store.lines('b', { take: () => undefined }), false);
    assert.equal((await store.load('a'))?.state?.conversation.turns[0]?.question.text, question);
  });

  describe('where two windows want the same conversation', () => {
    it('has one that writes to it and others that read, until that lets go', async () => {
      const [one, other] = [openStore(), openStore()];
      const conversation = await had(one, 'a');
      const { journal } = await opened(one, 'a');
      const second = await other.open('a');
      assert.ok(second.kind === 'readOnly');
      assert.deepEqual([second.why, second.state.conversation], ['busy', conversation]);
      assert.equal((await one.open('a')).kind, 'readOnly');
      assert.deepEqual(await other.delete('a'), { ok: false, error: 'busy' });
      assert.deepEqual(await other.setPinned('a', true), { ok: false, error: 'busy' });
      await ask(journal, conversation, 'Mine.');
      await one.close('a');
      assert.equal((await opened(other, 'a')).state.conversation.turns.length, 2);
    });

    it('waits for one that is closing it, as long as it is told', async () => {
      const one = openStore();
      await had(one, 'a');
      await opened(one, 'a');
      let looked: () => void = () => undefined;
      const other = new JournalStore({
        folder,
        clock: () => {
          looked();
          return now;
        },
        onDidFail: () => undefined,
        onDidRecover: () => undefined,
      });
      stores.push(other);
      assert.equal((await other.open('a', now)).kind, 'readOnly');
      looked = () => void one.close('a');
      assert.equal((await other.open('a', now + 1)).kind, 'open');
    });

    it('has one also where there was no room for that when it began', async () => {
      const timers = mock.timers;
      timers.enable({ apis: ['setInterval'] });
      try {
        const store = openStore();
        const path = join(folder, 'journals/c.lease');
        await mkdir(path, { recursive: true });
        const journal = store.begin({ id: 'c', createdAt: now }, () => ({ id: 'c', turns: [] }));
        await journal.flush();
        timers.tick(heartbeat);
        await rm(path, { recursive: true });
        // As soon as the attempt that was on its way has come to its end.
        while (!(await readdir(join(folder, 'journals'))).includes('c.lease')) timers.tick(heartbeat);
        while ((await readFile(path, 'utf8')) === '') await journal.flush();
        const other = await openStore().open('c');
        assert.deepEqual([other.kind, other.kind === 'readOnly' && other.why], ['readOnly', 'busy']);
      } finally {
        timers.reset();
      }
    });

    it('has one even when they want it at the same moment', async () => {
      const all = Array.from({ length: 8 }, openStore);
      await had(openStore(), 'a');
      const kinds = (await Promise.all(all.map((store) => store.open('a')))).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'open').length, 1);
    });

    it('takes over from a process that is gone, one that was silent for long, and one that was cut off', async () => {
      await had(openStore(), 'a');
      const lease = join(folder, 'journals', 'a.lease');
      const child = spawn(process.execPath, ['-e', '']);
      await once(child, 'exit');
      const held = (pid: number | undefined, host = hostname()): Promise<void> =>
        writeFile(lease, JSON.stringify({ pid, host, token: 'theirs' }));
      const old = new Date(Date.now() - 120_000);
      await held(child.pid);
      const all = Array.from({ length: 8 }, openStore);
      const kinds = (await Promise.all(all.map((store) => store.open('a')))).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'open').length, 1, 'gone');
      for (const store of all) store.closeNow();
      await held(process.pid);
      assert.equal((await openStore().open('a')).kind, 'readOnly', 'alive');
      await held(process.pid, 'elsewhere');
      await utimes(lease, old, old);
      const silent = openStore();
      assert.equal((await silent.open('a')).kind, 'open', 'silent');
      silent.closeNow();
      await held(child.pid, 'elsewhere');
      assert.equal((await openStore().open('a')).kind, 'readOnly', 'of another machine');
      await writeFile(lease, '{"pi');
      assert.equal((await openStore().open('a')).kind, 'readOnly', 'just being written');
      await utimes(lease, old, old);
      assert.equal((await openStore().open('a')).kind, 'open', 'cut off');
    });
  });
});
