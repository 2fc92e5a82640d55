/**
 * Runs a script of this folder on Node 24: `node test/run/node24.mjs test/run/start.ts …`. Plain JavaScript for old Nodes, because
 * the scripts are TypeScript that only a newer Node reads. Must not import anything of the project before the version is known.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wanted = 24;
const [script, ...rest] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const own = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (script === undefined) {
  console.error('Usage: node test/run/node24.mjs SCRIPT [OPTIONS]');
  process.exitCode = 2;
} else if (Number.parseInt(process.versions.node, 10) >= wanted) {
  process.argv.splice(1, 2, path.resolve(script));
  await import(pathToFileURL(path.resolve(script)).href);
} else if (existsSync(own)) {
  const child = spawn(own, [path.resolve(script), ...rest], { stdio: 'inherit' });
  // The terminal sends Ctrl+C to the child as well; other senders reach only this process.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`${own} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
} else {
  console.error(
    [
      `This needs Node ${wanted}; it runs on Node ${process.versions.node}, and the project's own copy is missing:`,
      `  ${own}`,
      'It comes with `npm ci` (the devDependency "node"). If npm was told not to run install scripts, run',
      '  npm rebuild node --ignore-scripts=false',
      `or use a Node ${wanted} of your own. (npm itself needs Node 20.19 or newer.)`,
    ].join('\n'),
  );
  process.exitCode = 1;
}
