/**
 * Keeping conversations: what a piece of text costs, how soon a long history is there and what it weighs, how fast words are found in many
 * conversations, and what 500 kills lose.
 */
import { execFile } from 'node:child_process';
import { appendFile, link, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { emptyConversation } from '../../src/core/conversation/reduce.ts';
import { ExportWriter } from '../../src/core/journal/exportFile.ts';
import { readExport } from '../../src/core/journal/importFile.ts';
import { inPieces } from '../../src/host/inPieces.ts';
import type { JournalStore } from '../../src/host/journal/journalStore.ts';
import { searchConversations, type SearchEnd } from '../../src/host/journal/searchJournals.ts';
import { withoutKeys } from '../../src/host/keyFilter.ts';
import { repository } from '../run/places.ts';
import { crash } from '../support/journalCrash.ts';
import { NotMeasured, type Bench, type Report } from './bench.ts';
import { storeIn, writeConversation } from './longJournal.ts';

const size = 100 * 2 ** 20;
const many = 200;
const searched = 10_000;

const place: { folder: string } = { folder: '' };

const openStore = (): JournalStore => storeIn(place.folder);

async function makeHistory(): Promise<void> {
  place.folder = await mkdtemp(join(tmpdir(), 'kimi-chat-bench-'));
  for (let n = 0; n < many; n++) await writeConversation(place.folder, `c${n}`, size / many);
  const store = openStore();
  store.noteShown('c7');
  await store.list();
  store.closeNow();
}

/** Files are shared between conversations, so that the disk need not hold all of them; they are read each by itself. */
async function makeMany(): Promise<void> {
  place.folder = await mkdtemp(join(tmpdir(), 'kimi-chat-bench-'));
  const folder = join(place.folder, 'journals');
  await mkdir(folder);
  for (let n = 0; n < 20; n++) await writeConversation(place.folder, `first-${n}`, 50_000);
  for (let n = 0; n < searched; n++)
    await link(join(folder, `first-${n % 20}.jsonl`), join(folder, `c${n}.jsonl`));
}

/** Milliseconds until the first hit and until the end, and the longest in which nothing else could go on. */
async function search(
  query: string,
): Promise<{ first: number; whole: number; longest: number; end: SearchEnd }> {
  const store = openStore();
  const start = performance.now();
  let last = start;
  let longest = 0;
  let first = Number.NaN;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const end = await searchConversations(store, query, {
    conversations: Array.from({ length: searched }, (_, n) => `c${n}`),
    most: 100,
    signal: new AbortController().signal,
    onHit: () => {
      if (Number.isNaN(first)) first = performance.now() - start;
    },
  });
  clearInterval(timer);
  store.closeNow();
  return { first, whole: performance.now() - start, longest, end };
}

async function makeOne(): Promise<void> {
  place.folder = await mkdtemp(join(tmpdir(), 'kimi-chat-bench-'));
  await writeConversation(place.folder, 'c', size);
  const { size: is } = await stat(join(place.folder, 'journals', 'c.jsonl'));
  if (is < size) throw new NotMeasured(`${is} bytes`);
}

const remove = (): Promise<void> => rm(place.folder, { recursive: true, force: true });

async function timed(act: (store: JournalStore) => Promise<boolean>): Promise<number> {
  const store = openStore();
  const start = performance.now();
  const isRight = await act(store);
  const time = performance.now() - start;
  store.closeNow();
  if (!isRight) throw new NotMeasured('another history than was written');
  return time;
}

export const benches: readonly Bench[] = [
  {
    name: 'journal: 1,000 pieces of streamed text, each in the file before the next',
    unit: 'ms',
    better: 'less',
    setup: async () => {
      place.folder = await mkdtemp(join(tmpdir(), 'kimi-chat-bench-'));
    },
    teardown: remove,
    measure: async () => {
      const store = openStore();
      const id = `c${performance.now()}`.replace('.', '-');
      const journal = store.begin({ id, createdAt: 1 }, () => emptyConversation(id));
      await journal.flush();
      const start = performance.now();
      for (let n = 0; n < 1000; n++) {
        const text = 'A piece of an answer, as it comes. ';
        journal.note({
          kind: 'event',
          event: { kind: 'textAdded', turn: 't', part: '0.0', section: 0, text },
        });
        await journal.flush();
      }
      const time = performance.now() - start;
      await store.close(id);
      return time;
    },
  },
  {
    name: 'journal: the conversation shown last, of 200 with 100 MB',
    unit: 'ms',
    better: 'less',
    setup: makeHistory,
    teardown: remove,
    measure: () =>
      timed(async (store) => {
        const id = await store.lastShown();
        const opened = await store.open(id ?? '');
        return opened.kind === 'open' && opened.state.conversation.turns.length > 10;
      }),
  },
  {
    name: 'journal: the list of 200 conversations with 100 MB',
    unit: 'ms',
    better: 'less',
    setup: makeHistory,
    teardown: remove,
    measure: () => timed(async (store) => (await store.list()).length === many),
  },
  {
    name: 'journal: that list without an index',
    unit: 'ms',
    better: 'less',
    measurements: 3,
    setup: makeHistory,
    teardown: remove,
    measure: async () => {
      await rm(join(place.folder, 'index.jsonl'), { force: true });
      return await timed(async (store) => (await store.list()).length === many);
    },
  },
  {
    name: 'journal: one conversation of 100 MB, whole',
    unit: 'ms',
    better: 'less',
    measurements: 3,
    setup: makeOne,
    teardown: remove,
    measure: () => timed(async (store) => (await store.open('c')).kind === 'open'),
  },
  {
    name: 'journal: one conversation of 100 MB, its end',
    unit: 'ms',
    better: 'less',
    setup: makeOne,
    teardown: remove,
    measure: () => timed(async (store) => ((await store.peek('c'))?.turns.length ?? 0) > 0),
  },
  {
    name: 'journal: the first hit in 10,000 conversations with 500 MB',
    unit: 'ms',
    better: 'less',
    setup: makeMany,
    teardown: remove,
    measure: async () => (await search('loop wrong')).first,
  },
  {
    name: 'journal: words that none of 10,000 conversations with 500 MB has',
    unit: 'ms',
    better: 'less',
    measurements: 5,
    setup: makeMany,
    teardown: remove,
    measure: async () => {
      const { whole, end } = await search('nothing like it');
      if (end.kind !== 'whole' || end.searched !== searched) throw new NotMeasured(JSON.stringify(end));
      return whole;
    },
  },
];

/** What the work comes to, and the longest in which nothing else could go on meanwhile, in milliseconds. */
async function heldUp<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly longest: number }> {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  const value = await work();
  look();
  clearInterval(timer);
  return { value, longest: Math.round(longest) };
}

/** A conversation of 100 MB to a file and from one, as the commands do it. */
async function toFileAndBack(): Promise<readonly string[]> {
  await makeOne();
  const store = openStore();
  const file = join(place.folder, 'exported.json');
  const writer = new ExportWriter({
    ...{ shown: 'c', at: 1, clean: (text) => withoutKeys(text, ['sk-0123456789abcdef']) },
    costOf: () => ({ usd: 0, isEstimate: false, unknown: 0 }),
  });
  const written = await heldUp(async () => {
    const read = await store.load('c');
    if (read?.state === undefined) throw new NotMeasured('not read');
    let waiting = '';
    for (const piece of writer.pieces(read.state)) {
      waiting += piece;
      if (waiting.length < 262_144) continue;
      await appendFile(file, waiting);
      waiting = '';
    }
    await appendFile(file, waiting + writer.end);
  });
  const text = await readFile(file, 'utf8');
  let count = 0;
  const parts = { newId: () => `new-${(count += 1)}`, now: 1 };
  const read = await heldUp(() => inPieces(readExport(text, parts), () => false));
  if (read.value?.ok !== true) throw new NotMeasured(JSON.stringify(read.value));
  const [one] = read.value.value.conversations;
  if (one === undefined) throw new NotMeasured('nothing read');
  const { id, seed } = one;
  const kept = await heldUp(async () => {
    const journal = store.begin({ id, createdAt: 1, seed }, () => seed.conversation);
    await journal.flush();
    await store.close(id);
  });
  const opened = await heldUp(() => store.open(id));
  const turns = opened.value.kind === 'open' ? opened.value.state.conversation.turns.length : 0;
  store.closeNow();
  await remove();
  return [
    `${turns} turns; writing a file held everything else up for ${written.longest} ms at most, reading it for ${read.longest} ms`,
    `keeping what was read: ${kept.longest} ms, opening it: ${opened.longest} ms`,
  ];
}

/** In the real workbench, which is built for it. */
async function firstScreens(): Promise<readonly string[]> {
  const run = promisify(execFile);
  const at = { cwd: repository, maxBuffer: 2 ** 24 };
  await run(process.execPath, ['esbuild.mjs'], at);
  const program = join(repository, 'node_modules/mocha/bin/mocha.js');
  const { stdout } = await run(
    process.execPath,
    [program, '--timeout', '400000', 'test/bench/firstScreen.ts'],
    at,
  );
  return [...stdout.matchAll(/^figure: (.*)$/gm)].map(([, figure = '']) => figure);
}

export const reports: readonly Report[] = [
  { name: 'journal: the first screen of a conversation in the workbench', run: firstScreens },
  {
    name: 'journal: what a search in 10,000 conversations and a conversation of 100 MB hold up and weigh',
    run: async () => {
      await makeMany();
      const before = process.memoryUsage.rss();
      const { longest } = await search('nothing like it');
      const grown = Math.round((process.memoryUsage.rss() - before) / 2 ** 20);
      await remove();
      await makeOne();
      const store = openStore();
      const opened = await store.open('c');
      globalThis.gc?.();
      const heap = Math.round(process.memoryUsage().heapUsed / 2 ** 20);
      const turns = opened.kind === 'open' ? opened.state.conversation.turns.length : 0;
      store.closeNow();
      await remove();
      return [
        `the search held everything else up for ${Math.round(longest)} ms at most, and took ${grown} MB`,
        `with ${turns} turns of 100 MB the heap has ${heap} MB${globalThis.gc === undefined ? ', garbage included' : ''}`,
      ];
    },
  },
  {
    name: 'journal: what a conversation of 100 MB holds up on its way to a file and back',
    run: toFileAndBack,
  },
  {
    name: 'journal: 500 kills in the middle of writing',
    run: async () => {
      let most = 0;
      // Anew now and then, so that what is looked at each time stays short.
      for (let time = 0; time < 20; time++) most = Math.max(most, (await crash(25)).lost);
      return [`at most ${most} ms lost, nothing else`];
    },
  },
];
