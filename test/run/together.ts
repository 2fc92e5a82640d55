/**
 * Runs scripts of package.json: `together.ts SCRIPT[,SCRIPT…]…`, those with commas between them at once. All are run, whatever becomes of
 * the others; fails when one of them fails. Of several at once each one's output is printed whole when it ends. Must not know what the
 * scripts do, beyond that those named `test:…` leave a result themselves.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { recordResult } from '../support/countingReporter.ts';
import { seconds } from './fetchOnce.ts';
import { repository } from './places.ts';
import { tellAndFail } from './problem.ts';

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
  if (!script.startsWith('test:')) {
    const error = output.trim().split('\n').slice(-3).join(' | ').slice(0, 300);
    const failures = code === 0 ? [] : [{ file: 'package.json', title: script, error }];
    recordResult({ suite: script, passed: 0, failed: failures.length, skipped: 0, failures }, repository);
  }
  return code === 0;
}

async function runAll(groups: readonly string[]): Promise<void> {
  for (const group of groups) {
    const scripts = group.split(',');
    const all = await Promise.all(scripts.map((script) => run(script, scripts.length === 1)));
    if (!all.every(Boolean)) process.exitCode = 1;
  }
}

await runAll(process.argv.slice(2)).catch(tellAndFail);
