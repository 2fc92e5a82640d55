/**
 * Runs scripts of package.json at once: `together.ts SCRIPT…`. Each one's output is printed whole when it ends; fails when one of
 * them fails. Must not know what the scripts do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { repository } from './places.ts';
import { tellAndFail } from './problem.ts';

async function run(script: string): Promise<boolean> {
  // One pipe for both streams would need a shell; what goes wrong is told on either, so they are joined afterwards.
  const child = spawn('npm', ['run', script], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  console.log(`${await out}${await err}`);
  if (code !== 0) console.log(`${script} failed`);
  return code === 0;
}

const scripts = process.argv.slice(2);
await Promise.all(scripts.map(run))
  .then((all) => {
    if (!all.every(Boolean)) process.exitCode = 1;
  })
  .catch(tellAndFail);
