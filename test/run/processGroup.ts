/**
 * Starts a program together with all it starts, and ends them together: on request, when this process exits, and also when this
 * process is killed. Must not know what is run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

export interface ProcessGroup {
  /** Everything printed so far on either stream, at most the last 200,000 characters. */
  output(): string;
  /** Called with each piece as it is printed. */
  onOutput(listener: (text: string) => void): void;
  /** Settles when the program has ended, asked to or not. */
  readonly exited: Promise<void>;
  /** Ends the whole group; settles when it is gone. May be called again. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

const kept = 200_000;

export function startGroup(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): ProcessGroup {
  const keeper = path.join(import.meta.dirname, 'keeper.mjs');
  const child = spawn(process.execPath, [keeper, command, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    // A group of its own, so that Ctrl+C in the terminal reaches only us and the end is orderly.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  const listeners: ((text: string) => void)[] = [];
  const take = (chunk: string): void => {
    output = (output + chunk).slice(-kept);
    for (const listener of listeners) listener(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  // Written to when the keeper is already gone.
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      take(`${error.message}\n`);
      resolve();
    });
    child.on('close', () => resolve());
  });
  return {
    output: () => output,
    onOutput: (listener) => listeners.push(listener),
    exited,
    stop: () => {
      child.stdin.end();
      return exited;
    },
  };
}
