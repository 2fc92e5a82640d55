/** Search in a tree of 100,000 files: our thread, ripgrep as we start it, and ripgrep bare. Mixed in one run. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { runRipgrep } from '../../src/host/tools/ripgrep.ts';
import type { SearchTask } from '../../src/host/tools/searchTask.ts';
import { runInThread } from '../../src/host/tools/searchThread.ts';
import { NotMeasured, type Contest } from './bench.ts';
import { countOfFiles, makeTree, needles, removeTree, tree } from './tree.ts';

const worker = fileURLToPath(new URL('../../src/host/tools/searchWorker.ts', import.meta.url));
const never = new AbortController().signal;

async function inThread(more: Partial<SearchTask>): Promise<number> {
  const root = {
    path: tree.folder,
    display: '',
    start: '',
    caseInsensitive: false,
    hidden: ['**/.git'],
    prefix: '',
    above: [],
  };
  const task = {
    caseSensitive: false,
    include: [],
    exclude: [],
    limit: 100_000,
    skip: [],
    roots: [root],
    ...more,
  };
  const start = performance.now();
  const { hits, files } = await runInThread(task, [], { file: worker, limit: 600_000, signal: never });
  const time = performance.now() - start;
  if (hits.length + files.length !== (more.pattern === undefined ? countOfFiles + 1 : needles))
    throw new NotMeasured(`${hits.length} hits, ${files.length} files`);
  return time;
}

async function asWeStartIt(pattern: string): Promise<number> {
  let found = 0;
  const start = performance.now();
  const end = await runRipgrep(
    {
      ...{ program: tree.program, pattern, caseSensitive: false, folder: tree.folder, start: '' },
      ...{ include: [], exclude: [], inRepository: false, ignoreCaseOfFiles: false, most: needles },
    },
    (hits) => {
      found += hits.length;
      return true;
    },
    never,
  );
  const time = performance.now() - start;
  if (end !== 'done' || found !== needles) throw new NotMeasured(`${end}, ${found} hits`);
  return time;
}

/** Nothing but the program, by its defaults. */
async function bare(...args: readonly string[]): Promise<number> {
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = spawn(tree.program, [...args, '--', tree.folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  return performance.now() - start;
}

function contest(name: string, pattern: string): Contest {
  return {
    ...{ name, rounds: 7, setup: makeTree, teardown: removeTree },
    amounts: [{ unit: 'files', amount: countOfFiles }],
    contestants: [
      { name: 'our thread', measure: () => inThread({ pattern }) },
      { name: 'ripgrep, bare', wanted: 0.1, measure: () => bare('--ignore-case', `--regexp=${pattern}`) },
      { name: 'ripgrep as we start it', measure: () => asWeStartIt(pattern) },
    ],
  };
}

export const contests: readonly Contest[] = [
  contest('search for a word in 100,000 files', 'findTheNeedle'),
  contest('search for an expression in 100,000 files', 'find\\w+Needle\\(\\d+\\)'),
  {
    ...{ name: 'list 100,000 files', rounds: 7, setup: makeTree, teardown: removeTree },
    amounts: [{ unit: 'files', amount: countOfFiles }],
    contestants: [
      { name: 'our thread', measure: () => inThread({}) },
      { name: 'ripgrep --files', wanted: 0.1, measure: () => bare('--files') },
    ],
  },
];
