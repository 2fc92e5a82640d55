/** Search in a tree of 100,000 files: our thread, ripgrep as we start it, and ripgrep bare. Mixed in one run. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runRipgrep } from '../../src/host/tools/ripgrep.ts';
import type { SearchTask } from '../../src/host/tools/searchTask.ts';
import { runInThread } from '../../src/host/tools/searchThread.ts';
import { fetchRipgrep } from '../run/fetchRipgrep.ts';
import { NotMeasured, type Contest } from './bench.ts';

const folders = 1_000;
const filesInFolder = 100;
const needles = 101;
const worker = fileURLToPath(new URL('../../src/host/tools/searchWorker.ts', import.meta.url));
const never = new AbortController().signal;

const tree: { folder: string; program: string } = { folder: '', program: '' };

/** Shared by the contests: making it takes longer than searching it. */
async function setup(): Promise<void> {
  tree.program = await fetchRipgrep();
  tree.folder = mkdtempSync(join(tmpdir(), 'tree-'));
  const words =
    'const let function return import export value item total price count index result error'.split(' ');
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const lines = Array.from(
    { length: 2_000 },
    () => `  ${Array.from({ length: 3 + random(8) }, () => words[random(words.length)]).join(' ')};\n`,
  );
  let made = 0;
  for (let number = 0; number < folders; number += 1) {
    const folder = join(tree.folder, `package${number % 20}`, 'src', `module${number}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < filesInFolder; file += 1) {
      let text = Array.from({ length: 10 + random(60) }, () => lines[random(lines.length)]).join('');
      if (made % 997 === 0) text += 'findTheNeedle(42);\n';
      writeFileSync(join(folder, `file${file}.${file % 10 === 0 ? 'css' : 'ts'}`), text);
      made += 1;
    }
  }
  writeFileSync(join(tree.folder, '.gitignore'), 'node_modules\n*.log\ndist/\n');
}

function teardown(): Promise<void> {
  rmSync(tree.folder, { recursive: true, force: true });
  return Promise.resolve();
}

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
  if (hits.length + files.length !== (more.pattern === undefined ? folders * filesInFolder + 1 : needles))
    throw new NotMeasured(`${hits.length} hits, ${files.length} files`);
  return time;
}

async function asWeStartIt(pattern: string): Promise<number> {
  let found = 0;
  const start = performance.now();
  const end = await runRipgrep(
    {
      ...{ program: tree.program, pattern, caseSensitive: false, folder: tree.folder, start: '' },
      ...{ include: [], exclude: [], inRepository: false, ignoreCaseOfFiles: false },
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
    ...{ name, rounds: 7, setup, teardown },
    amounts: [{ unit: 'files', amount: folders * filesInFolder }],
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
    ...{ name: 'list 100,000 files', rounds: 7, setup, teardown },
    amounts: [{ unit: 'files', amount: folders * filesInFolder }],
    contestants: [
      { name: 'our thread', measure: () => inThread({}) },
      { name: 'ripgrep --files', wanted: 0.1, measure: () => bare('--files') },
    ],
  },
];
