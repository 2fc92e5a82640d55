/**
 * Sums up what the suites left behind: `results.mjs sum FOLDER passed|failed` prints one number, `results.mjs told FOLDER` what took
 * longest, each suite in a line, what passed only when run again, and what failed, by name. Plain JavaScript that imports nothing of the project: what is missing is what it is to tell.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [what, folder = '', field = ''] = process.argv.slice(2);
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const results = names.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
const slowest = 15;
/** So many of the last lines that a reader of them alone sees all suites. */
const mostFailures = 60;

if (what === 'sum') {
  console.log(results.reduce((total, result) => total + result[field], 0));
} else {
  const files = results.flatMap(({ suite, files = {} }) =>
    Object.entries(files).map(([file, took]) => ({ suite, file, took })),
  );
  console.log(`The ${slowest} slowest files, in seconds:`);
  for (const { suite, file, took } of files.toSorted((a, b) => b.took - a.took).slice(0, slowest)) {
    console.log(`  ${(took / 1000).toFixed(1).padStart(6)}  ${file} (${suite})`);
  }
  for (const { suite, passed, failed, skipped } of results) {
    console.log(JSON.stringify({ suite, passed, failed, skipped }));
  }
  for (const { suite, unsteady = [] } of results) {
    for (const { file, title, error } of unsteady) {
      console.log(`Unsteady in ${suite}, passed when run again alone: ${file}: ${title}\n  ${error}`);
    }
  }
  const failures = results.flatMap(({ suite, failed, failures: known = [] }) => [
    ...known.map(({ file, title, error }) => [`FAILED in ${suite}: ${file}: ${title}`, `  ${error}`]),
    // Written so when the run began, or by something that is no test.
    ...(failed > known.length
      ? [[`FAILED in ${suite}: ${failed - known.length} not known by name: see its output`]]
      : []),
  ]);
  for (const lines of failures.slice(0, mostFailures)) console.log(lines.join('\n'));
  if (failures.length > mostFailures) console.log(`FAILED: ${failures.length - mostFailures} more`);
}
