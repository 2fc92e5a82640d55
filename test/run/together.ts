/**
 * Runs scripts of package.json: `together.ts SCRIPT[,SCRIPT…]…`, those with commas between them at once. All are run, whatever becomes of
 * the others; fails when one of them fails. Of several at once each one's output is printed whole when it ends. Must not know what the
 * scripts do, beyond that those named `test:…` leave a result themselves.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { recordedResult, recordResult } from '../support/countingReporter.ts';
import { seconds } from './fetchOnce.ts';
import { repository } from './places.ts';
import { tellAndFail } from './problem.ts';

/** Of the output of what failed. */
const lastLines = 6;

async function run(script: string, isAlone: boolean): Promise<boolean> {
  const started = Date.now();
  // One pipe for both streams would need a shell; what goes wrong is told on either, so they are joined afterwards.
  const child = spawn('npm', ['run', script], {
    cwd: repository,
    stdio: isAlone ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const told = Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream))),
  );
  const [code] = (await once(child, 'close')) as [number | null];
  const output = (await told).join('');
  if (!isAlone) console.log(output);
  console.log(`== ${script}${code === 0 ? '' : ' failed'} after ${seconds(started)}`);
  const isTests = script.startsWith('test:');
  // Of tests that all passed it is what stands beside them, coverage say, that fails.
  if (isTests && code !== 0 && !haveAllPassed(script)) return false;
  const error = output.trim().split('\n').slice(-lastLines).join(' | ').slice(0, 600);
  const failures = code === 0 ? [] : [{ file: 'package.json', title: script, error }];
  const suite = script.replaceAll(':', '-');
  recordResult({ suite, passed: 0, failed: failures.length, skipped: 0, failures }, repository);
  return code === 0;
}

/** False too of what leaves its results under other names. */
function haveAllPassed(script: string): boolean {
  try {
    return recordedResult(script.slice('test:'.length), repository).failed === 0;
  } catch {
    return false;
  }
}

async function runAll(groups: readonly string[]): Promise<void> {
  for (const group of groups) {
    const scripts = group.split(',');
    const all = await Promise.all(scripts.map((script) => run(script, scripts.length === 1)));
    if (!all.every(Boolean)) process.exitCode = 1;
  }
}

await runAll(process.argv.slice(2)).catch(tellAndFail);
