/**
 * Writes down, while mocha runs, what failed and how long each file took. Knows mocha's runner by what it tells only, so that it serves
 * inside VS Code as well. Must not know where the records go.
 */
import path from 'node:path';
import type { Runnable, Runner } from 'mocha';

export interface FailedTest {
  /** Relative to the project's top folder. */
  readonly file: string;
  /** With the titles of what it is in. */
  readonly title: string;
  /** The first line of the error, and the place in the tests at which it came up. */
  readonly error: string;
}

/** They grow while the run goes on. */
export interface TestRecords {
  readonly failures: FailedTest[];
  /** Milliseconds that tests and hooks of a file took, by its path. */
  readonly files: Record<string, number>;
}

/** @param folder what paths are relative to */
export function watchRun(
  runner: Runner,
  events: Pick<typeof Runner.constants, 'EVENT_TEST_END' | 'EVENT_HOOK_END' | 'EVENT_TEST_FAIL'>,
  folder: string,
): TestRecords {
  const records: TestRecords = { failures: [], files: {} };
  const fileOf = ({ file }: Runnable): string =>
    file === undefined || file === '' ? 'no file' : path.relative(folder, file).replaceAll(path.sep, '/');
  const took = (test: Runnable): void => {
    const file = fileOf(test);
    records.files[file] = (records.files[file] ?? 0) + (test.duration ?? 0);
  };
  runner.on(events.EVENT_TEST_END, took);
  runner.on(events.EVENT_HOOK_END, took);
  runner.on(events.EVENT_TEST_FAIL, (test: Runnable, error: unknown) => {
    records.failures.push({ file: fileOf(test), title: test.fullTitle(), error: inOneLine(error) });
  });
  return records;
}

const longest = 300;

function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, longest);
  const [first = '', second = ''] = error.message.split('\n').filter((line) => line.trim() !== '');
  // The usual first line of a comparison says nothing by itself.
  const said = first.endsWith(':') ? `${first} ${second.trim()}` : first;
  const place = /^\s+at (.*\btest[/\\].*)$/m.exec(error.stack ?? '')?.[1];
  return said.slice(0, longest) + (place === undefined ? '' : ` (${place})`);
}

/** Of several runs together. */
export function joinRecords(
  all: readonly {
    readonly failures?: readonly FailedTest[];
    readonly unsteady?: readonly FailedTest[];
    readonly files?: Readonly<Record<string, number>>;
  }[],
): TestRecords & { readonly unsteady: readonly FailedTest[] } {
  const files: Record<string, number> = {};
  for (const one of all) {
    for (const [file, took] of Object.entries(one.files ?? {})) files[file] = (files[file] ?? 0) + took;
  }
  return {
    failures: all.flatMap((one) => one.failures ?? []),
    unsteady: all.flatMap((one) => one.unsteady ?? []),
    files,
  };
}
