/**
 * Runs scripts of package.json: `together.ts SCRIPT[,SCRIPT…]…`, those with commas between them at once. All are run, whatever becomes of
 * the others; fails when one of them fails. Of several at once each one's output is printed whole when it ends. Must not know what the
 * scripts do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { repository } from './places.ts';
import { tellAndFail } from './problem.ts';

async function run(script: string, isAlone: boolean): Promise<boolean> {
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
  if (!isAlone) console.log((await told).join(''));
  if (code !== 0) console.log(`${script} failed`);
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
