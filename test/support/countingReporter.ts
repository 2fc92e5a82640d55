/**
 * Mocha's `spec` reporter, which also leaves the numbers in `.vscode-test/results/<suite>.json`, so that several runs
 * (unit, host, end to end) can be summed up: with what failed and what took long. The suite's name is the reporter option `suite`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { watchRun, type FailedTest } from './testRecords.ts';

/** What one run came to. Written with `failed: 1` when the run begins, so that a run that dies counts as a failure. */
export interface SuiteResult {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that failed, as far as they are known by name. */
  readonly failures?: readonly FailedTest[];
  /** Of those that passed, what failed before while other tests ran beside. */
  readonly unsteady?: readonly FailedTest[];
  /** Milliseconds that tests and hooks of a file took, by its path. */
  readonly files?: Readonly<Record<string, number>>;
}

/** @param folder the project's top folder; a bundled host test can't find it from its own place */
export function recordResult(result: SuiteResult, folder: string): void {
  mkdirSync(resultsIn(folder), { recursive: true });
  writeFileSync(join(resultsIn(folder), `${result.suite}.json`), `${JSON.stringify(result)}\n`);
}

/** As it was recorded last. */
export function recordedResult(suite: string, folder: string): SuiteResult {
  return JSON.parse(readFileSync(join(resultsIn(folder), `${suite}.json`), 'utf8')) as SuiteResult;
}

function resultsIn(folder: string): string {
  return join(folder, '.vscode-test', 'results');
}

export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const given = options.reporterOptions as { suite?: string; folder?: string } | undefined;
    const suite = given?.suite;
    if (suite === undefined) throw new Error('countingReporter needs the reporter option suite=<name>');
    const folder = given?.folder ?? process.cwd();
    const { EVENT_RUN_BEGIN, EVENT_RUN_END } = Mocha.Runner.constants;
    const records = watchRun(runner, Mocha.Runner.constants, process.cwd());
    runner.once(EVENT_RUN_BEGIN, () => {
      recordResult({ suite, passed: 0, failed: 1, skipped: 0 }, folder);
    });
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      // Nothing found is a mistake in the pattern, not a success.
      const failed = passes + failures === 0 ? 1 : failures;
      recordResult({ suite, passed: passes, failed, skipped: pending, ...records }, folder);
      // Inside VS Code the process is not ours to end.
      if (!suite.startsWith('host'))
        endWhatHangs({ suite, passed: passes, failed: failures, skipped: pending, ...records }, folder);
    });
  }
}

/** A test that fails may leave a server open, which would keep the process, and whoever waits for it, for ever. */
function endWhatHangs(result: SuiteResult, folder: string): void {
  const patience = setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`Still open long after the last test: ${open}`);
    const failure = { file: result.suite, title: 'ends after its last test', error: `still open: ${open}` };
    const failures = [...(result.failures ?? []), failure];
    recordResult({ ...result, failed: result.failed + 1, failures }, folder);
    process.exit(1);
  }, 20_000);
  patience.unref();
}

// Mocha looks for a reporter named on the command line under `default`.
export { CountingReporter as default };
