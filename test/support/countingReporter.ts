/**
 * Mocha's `spec` reporter, which also leaves the numbers in `.vscode-test/results/<suite>.json`, so that several runs
 * (unit, host, end to end) can be summed up. The suite's name is the reporter option `suite`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/** What one run came to. Written with `failed: 1` when the run begins, so that a run that dies counts as a failure. */
export interface SuiteResult {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** @param folder the project's top folder; a bundled host test can't find it from its own place */
export function recordResult(result: SuiteResult, folder: string): void {
  const results = join(folder, '.vscode-test', 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${result.suite}.json`), `${JSON.stringify(result)}\n`);
}

export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const given = options.reporterOptions as { suite?: string; folder?: string } | undefined;
    const suite = given?.suite;
    if (suite === undefined) throw new Error('countingReporter needs the reporter option suite=<name>');
    const folder = given?.folder ?? process.cwd();
    const { EVENT_RUN_BEGIN, EVENT_RUN_END } = Mocha.Runner.constants;
    runner.once(EVENT_RUN_BEGIN, () => {
      recordResult({ suite, passed: 0, failed: 1, skipped: 0 }, folder);
    });
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      // Nothing found is a mistake in the pattern, not a success.
      const failed = passes + failures === 0 ? 1 : failures;
      recordResult({ suite, passed: passes, failed, skipped: pending }, folder);
      // Inside VS Code the process is not ours to end.
      if (!suite.startsWith('host')) endWhatHangs(suite, folder, passes);
    });
  }
}

/** A test that fails may leave a server open, which would keep the process, and whoever waits for it, for ever. */
function endWhatHangs(suite: string, folder: string, passed: number): void {
  const patience = setTimeout(() => {
    console.error(`Still open long after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
    recordResult({ suite, passed, failed: 1, skipped: 0 }, folder);
    process.exit(1);
  }, 20_000);
  patience.unref();
}

// Mocha looks for a reporter named on the command line under `default`.
export { CountingReporter as default };
