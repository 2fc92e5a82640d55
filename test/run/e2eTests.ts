/**
 * Runs the end-to-end tests, each file or few in a process of its own and three at a time, because they wait a lot:
 * `e2eTests.ts [FILE…] [--grep PATTERN] [--jobs N] [--whole] [--host] [--again]`. `--whole` has every state of the panel in every theme,
 * width and language, `--host` runs the host tests beside, in the place of two files. `--again` runs files of which a test failed once
 * more when all else is done, with nothing beside them: what fails only on a busy machine is told and does not fail the run. A file's
 * output is printed whole when it ends. Must not know what the tests do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { recordResult } from '../support/countingReporter.ts';
import type { SuiteResult } from '../support/countingReporter.ts';
import { joinRecords } from '../support/testRecords.ts';
import { mostAgain } from './failedBefore.ts';
import { repository } from './places.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';
import { startGroup } from './processGroup.ts';

const suite = 'e2e';
const folder = path.join(repository, 'test/e2e');
const ending = '.e2e.ts';
/** They take long for their size: every state of the panel, or VS Code more than once. */
const longest = ['panelStates', 'look', 'languages', 'start', 'cost', 'afterwards'].map(
  (name) => name + ending,
);

/** They have the same workbench one after the other: alike set up, and none leaves anything that the next could stumble over. */
const inOneWorkbench = [
  ['hunks', 'selection'],
  // The first of them begins with nothing in the cache of the service.
  ['cost', 'parts', 'branches'],
  ['ask', 'reload'],
  ['secrets', 'prompts'],
  // The last of them ends in a window of its own.
  ['find', 'panels'],
].map((names) => names.map((name) => name + ending));

interface Wanted {
  readonly grep: string | undefined;
  /** Every state of the panel in every theme, width and language. */
  readonly isWhole: boolean;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      jobs: { type: 'string' },
      whole: { type: 'boolean' },
      host: { type: 'boolean' },
      again: { type: 'boolean' },
    },
  });
  const jobs = values.jobs === undefined ? Math.min(3, availableParallelism() + 1) : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new ProblemForPerson('--jobs is a number from 1.');
  const wanted: Wanted = { grep: values.grep, isWhole: values.whole === true };
  recordResult({ suite, passed: 0, failed: 1, skipped: 0 }, repository);

  const files = grouped(await filesToRun(positionals));
  let results: SuiteResult[] = [];
  const groups = new Map<SuiteResult, readonly string[]>();
  const take = async (queue: (readonly string[])[]): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      const result = await runFiles(group, wanted);
      results.push(result);
      groups.set(result, group);
    }
  };
  const host = values.host === true ? runHostTests() : undefined;
  const beside = host === undefined ? 0 : Math.min(jobs - 1, hostJobs);
  await Promise.all(
    Array.from({ length: jobs }, async (_, index) => {
      if (index < beside) await host;
      await take(files);
    }),
  );
  if ((await host) === false && (values.again !== true || !(await runHostTests('--again'))))
    process.exitCode = 1;
  if (values.again === true)
    results = await againAlone(results, (result) => runFiles(groups.get(result) ?? [], wanted));

  const sum = (field: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, result) => total + result[field], 0);
  const [passed, failed] = [sum('passed'), sum('failed')];
  recordResult(
    {
      ...{ suite, passed, failed: passed + failed === 0 ? 1 : failed, skipped: sum('skipped') },
      ...joinRecords(results),
    },
    repository,
  );
  for (const result of results) {
    if (result.failed > 0) console.log(`${result.suite}: ${result.failed} failed`);
  }
  console.log(`End-to-end tests: ${passed} passed, ${failed} failed`);
  if (passed + failed === 0) throw new ProblemForPerson('No end-to-end test ran.');
  if (failed > 0) process.exitCode = 1;
}

async function againAlone(
  results: readonly SuiteResult[],
  run: (result: SuiteResult) => Promise<SuiteResult>,
): Promise<SuiteResult[]> {
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > mostAgain) return [...results];
  const after = new Map<SuiteResult, SuiteResult>();
  for (const result of failed) {
    console.log(`\n== Again, with nothing beside it: ${result.suite}`);
    const again = await run(result);
    after.set(result, again.failed > 0 ? again : { ...again, unsteady: result.failures ?? [] });
  }
  return results.map((result) => after.get(result) ?? result);
}

/** So many VS Codes share them. */
const hostJobs = 2;

/** They tell their result themselves. Resolves with whether all was well. */
async function runHostTests(...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'hostTests.ts'), ...args], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

/** The longest first, else the largest: what takes longest is not to begin when all else is done. */
async function filesToRun(named: readonly string[]): Promise<string[]> {
  // The list is read and not written, so that no file can be forgotten.
  const all = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const files =
    named.length > 0 ? named.map((name) => path.resolve(name)) : all.map((name) => path.join(folder, name));
  const sizeOf = async (file: string): Promise<number> =>
    longest.includes(path.basename(file)) ? Number.MAX_SAFE_INTEGER : (await stat(file)).size;
  const sized = await Promise.all(files.map(async (file) => ({ file, size: await sizeOf(file) })));
  return sized.toSorted((a, b) => b.size - a.size).map(({ file }) => file);
}

/** A group comes where the first of its files came. */
function grouped(files: readonly string[]): (readonly string[])[] {
  const groups = files.map((file) => {
    const names = inOneWorkbench.find((each) => each.includes(path.basename(file))) ?? [path.basename(file)];
    return names.flatMap((name) => files.find((each) => path.basename(each) === name) ?? []);
  });
  return groups.filter(([first], index) => groups.findIndex(([other]) => other === first) === index);
}

async function runFiles(files: readonly string[], { grep, isWhole }: Wanted): Promise<SuiteResult> {
  const name = files.map((file) => path.basename(file)).join('+');
  const results = await mkdtemp(path.join(tmpdir(), 'kimi-chat-e2e-result-'));
  try {
    const group = startGroup(
      process.execPath,
      [
        path.join(repository, 'node_modules/mocha/bin/mocha.js'),
        '--forbid-only',
        '--forbid-pending',
        '--reporter',
        './test/support/countingReporter.ts',
        '--reporter-option',
        `suite=${name},folder=${results}`,
        '--timeout',
        '120000',
        ...(grep === undefined ? [] : ['--grep', grep]),
        ...files.map((file) => path.relative(repository, file)),
      ],
      { cwd: repository, env: { KIMI_CHAT_WHOLE: isWhole ? '1' : undefined } },
    );
    await group.exited;
    console.log(`\n== ${name}\n${group.output()}`);
    // A pattern need not be for this file.
    if (grep !== undefined && / 0 passing /.test(group.output()) && !/ failing/.test(group.output())) {
      return { suite: name, passed: 0, failed: 0, skipped: 0 };
    }
    return await resultOf(name, results);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

async function resultOf(name: string, results: string): Promise<SuiteResult> {
  const file = path.join(results, '.vscode-test/results', `${name}.json`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  // It did not come so far as to begin: a mistake in the file, which its output tells.
  return text === undefined
    ? {
        ...{ suite: name, passed: 0, failed: 1, skipped: 0 },
        failures: [{ file: `test/e2e/${name}`, title: 'the file itself', error: 'it did not begin' }],
      }
    : (JSON.parse(text) as SuiteResult);
}

await main().catch(tellAndFail);
