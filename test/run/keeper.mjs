/**
 * Runs a command in a process group of its own and ends the whole group when the command ends, or when whoever started this is
 * gone, however it went: its end of standard input is then closed. `node keeper.mjs COMMAND ARGUMENT…`. Plain JavaScript, so
 * that any Node runs it. Must know nothing of the command.
 */
import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';

const [command, ...args] = process.argv.slice(2);
const graceful = 2000;
let ending = false;
let code = 0;

// The signals below go to the group, this process included; it has to outlive them.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end());

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
child.on('error', (error) => {
  console.error(`${command} could not be started: ${error.message}`);
  code = 1;
  end();
});
child.on('exit', (exitCode) => {
  code = exitCode ?? 1;
  end();
});
process.stdin.on('end', end);
process.stdin.on('error', end);
process.stdin.resume();

function end() {
  if (ending) return;
  ending = true;
  if (process.platform === 'win32') {
    if (child.exitCode === null) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    process.exit(code);
  }
  process.kill(-process.pid, 'SIGTERM');
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) kill();
  child.on('exit', kill);
  setTimeout(kill, graceful);
}

/** Ends this process as well. The command's own exit code is lost, which nobody asks for once the group is ended. */
function kill() {
  process.exitCode = code;
  process.kill(-process.pid, 'SIGKILL');
}
