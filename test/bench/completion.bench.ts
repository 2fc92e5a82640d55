/** What a key costs while a file of 100,000 is named, beside ripgrep's list of files with a plain filter. Mixed in one run. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { foldQuery } from '../../src/host/completion/fuzzy.ts';
import { PathIndex } from '../../src/host/completion/pathIndex.ts';
import { runInThread } from '../../src/host/tools/searchThread.ts';
import { milliseconds, NotMeasured, percentile, type Contest, type Report } from './bench.ts';
import { countOfFiles, makeTree, removeTree, tree } from './tree.ts';

const worker = fileURLToPath(new URL('../../src/host/tools/searchWorker.ts', import.meta.url));
const never = new AbortController().signal;
/** As many as the composer is given. */
const most = 30;

/** Typed letter by letter: a name, a way, beginnings of words, letters that fit many and letters that fit none. */
const typed = ['module99', 'package7/src/module127/file4', 'p7sm127f4', 'mdl1', 'efile', 'zzz'];
const keys = typed.flatMap((word) => [...word].map((_, at) => word.slice(0, at + 1)));

const made: { index?: PathIndex; files: readonly string[] } = { files: [] };

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function walked(): Promise<readonly string[]> {
  const root = {
    ...{ path: tree.folder, display: '', start: '', caseInsensitive: false },
    ...{ hidden: ['**/.git'], prefix: '', above: [] },
  };
  const task = { caseSensitive: true, include: [], exclude: [], limit: 0, skip: [], roots: [root] };
  const { files } = await runInThread(task, [], { file: worker, limit: 600_000, signal: never });
  if (files.length !== countOfFiles + 1) throw new NotMeasured(`${files.length} files`);
  return files;
}

/** What a watcher of the disk would have to do without an index. */
async function filesOfRipgrep(): Promise<readonly string[]> {
  const child = spawn(tree.program, ['--files', '--', tree.folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
}

function filtered(files: readonly string[], query: string): readonly string[] {
  return files
    .filter((file) => file.toLowerCase().includes(query))
    .toSorted((one, other) => one.length - other.length)
    .slice(0, most);
}

async function setup(): Promise<void> {
  await makeTree();
  made.files = await walked();
  made.index = await PathIndex.of(made.files, pause);
}

function eachKey(take: (key: string) => unknown): number {
  const start = performance.now();
  for (const key of keys) take(key);
  return performance.now() - start;
}

function found(key: string): void {
  const matches = made.index?.find(foldQuery(key), most) ?? [];
  if (matches.length === 0 && !key.startsWith('z')) throw new NotMeasured(`nothing is found by “${key}”`);
}

export const contests: readonly Contest[] = [
  {
    ...{ name: 'completion: each key in 100,000 files', rounds: 7, setup, teardown: removeTree },
    amounts: [{ unit: 'keys', amount: keys.length }],
    contestants: [
      { name: 'our index', measure: () => Promise.resolve(eachKey(found)) },
      {
        name: 'a plain filter over a list in memory',
        measure: () => Promise.resolve(eachKey((key) => filtered(made.files, key))),
      },
      {
        ...{ name: 'ripgrep --files and a plain filter', wanted: 1 },
        // One key for all of them: each lists the files anew.
        measure: async () => {
          const start = performance.now();
          filtered(await filesOfRipgrep(), 'module99');
          return (performance.now() - start) * keys.length;
        },
      },
    ],
  },
  {
    ...{
      name: 'completion: the first list in 100,000 files',
      rounds: 5,
      setup: makeTree,
      teardown: removeTree,
    },
    amounts: [{ unit: 'files', amount: countOfFiles }],
    contestants: [
      {
        name: 'our thread and index',
        measure: async () => {
          const start = performance.now();
          const index = await PathIndex.of(await walked(), pause);
          index.find('module99', most);
          return performance.now() - start;
        },
      },
      {
        ...{ name: 'ripgrep --files and a plain filter', wanted: 0.1 },
        measure: async () => {
          const start = performance.now();
          filtered(await filesOfRipgrep(), 'module99');
          return performance.now() - start;
        },
      },
    ],
  },
];

export const reports: readonly Report[] = [
  {
    name: 'completion: milliseconds of a key in 100,000 files (wanted: 50)',
    run: async () => {
      await setup();
      try {
        const times = Array.from({ length: 5 }, () =>
          keys.map((key) => ({ key, time: milliseconds(() => found(key)) })),
        ).flat();
        const all = times.map(({ time }) => time);
        const slowest = times.reduce((one, other) => (other.time > one.time ? other : one));
        return [
          `median ${percentile(all, 0.5).toFixed(1)}, 95 of 100 below ${percentile(all, 0.95).toFixed(1)}`,
          `the slowest ${slowest.time.toFixed(1)}, at “${slowest.key}”`,
        ];
      } finally {
        await removeTree();
      }
    },
  },
];
