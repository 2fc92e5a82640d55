/** One command line in one terminal, from its beginning to its end. Knows nothing of who asked for it. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { CommandOutput } from '../../core/tools/commandOutput.ts';
import type { CommandEnd } from '../../core/tools/runCommand.ts';
import { DisposableStore } from '../disposables.ts';

export interface LineSpec {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
  readonly line: string;
  /** After so many milliseconds it is ended. */
  readonly limit: number;
  readonly signal: CancelSignal;
}

export interface LineRun {
  readonly end: CommandEnd;
  readonly output: string;
  /** What ran would not end: its terminal was closed. */
  readonly terminalClosed: boolean;
  /** The terminal was closed before the shell told that it began. */
  readonly neverBegan?: true;
  /** There is a prompt again, and how the line ended was not told. */
  readonly untold?: true;
}

/** Milliseconds in which a command ends after Ctrl+C, before its terminal is closed. */
const graceful = 3_000;
/** Milliseconds in which the shell tells that it began: it does not when it waits for the end of a quote, or can't read the line. */
const beginLimit = 20_000;
/** Milliseconds in which the last of the output comes, when the end was told before it. */
const lastWords = 1_000;
/** Milliseconds after a prompt in which the end of the command before it is told: sometimes VS Code never tells it. */
const promptLimit = 2_000;

/**
 * In the environment of a terminal, it has the shell tell VS Code of these variables at each prompt. They differ each time, so that an
 * extension hears of it; of prompts alone it does not.
 */
export const promptTelling = { VSCODE_SHELL_ENV_REPORTING: 'RANDOM,status_generation' };

/** Never rejects. */
export async function runLine({ terminal, integration, line, limit, signal }: LineSpec): Promise<LineRun> {
  const store = new DisposableStore();
  let output = new CommandOutput(line);
  /** What the editor takes for the line: another one than it was given when the shell tells of it in other words. */
  let execution: vscode.TerminalShellExecution | undefined;
  /** From here on it is us who end it. */
  let ending = false;
  const last = { untold: false };
  let read: Promise<void> = Promise.resolve();
  let begun = false;
  /** It was told to have ended, and not how: nearly always because the shell begins it in other words. */
  let unsure: NodeJS.Timeout | undefined;
  store.add({ dispose: () => clearTimeout(unsure) });
  store.add(
    vscode.window.onDidStartTerminalShellExecution((event) => {
      if (event.terminal !== terminal || execution === undefined) return;
      if (begun && unsure === undefined) return;
      if (event.execution !== execution && !ending && isCalledOff(event.execution, line)) return;
      begun = true;
      clearTimeout(unsure);
      unsure = undefined;
      // Bash that keeps no doubles in its history (`HISTCONTROL`) names the first command of a line alone, without its aliases.
      if (event.execution === execution) return;
      ({ execution } = event);
      // That is how what ends the line shows.
      if (ending) return;
      output = new CommandOutput(line);
      read = readAll(execution.read(), output);
    }),
  );
  const ended = new Promise<CommandEnd>((resolve) => {
    store.add(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution !== execution) return;
        const { exitCode: code } = event;
        if (code === undefined) unsure ??= setTimeout(() => resolve({ kind: 'exited' }), lastWords);
        else resolve({ kind: 'exited', code });
      }),
    );
    store.add(
      // Told at each prompt, see `promptTelling`.
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal !== terminal || !(begun || ending)) return;
        const known = output;
        const { begins } = known;
        const timer = setTimeout(() => {
          // What was called off had a prompt of its own. What comes of the terminal's text comes late, the first beginning too.
          if (output !== known || output.begins > Math.max(1, begins)) return;
          output.text();
          const { exitCode: code } = output;
          last.untold = code === undefined;
          resolve({ kind: 'exited', ...(code !== undefined && { code }) });
        }, promptLimit);
        store.add({ dispose: () => clearTimeout(timer) });
      }),
    );
    store.add(
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) resolve({ kind: 'closed' });
      }),
    );
  });
  try {
    try {
      execution = integration.executeCommand(line);
    } catch {
      return { end: { kind: 'closed' }, output: '', terminalClosed: true, neverBegan: true };
    }
    read = readAll(execution.read(), output);
    const cut = new Promise<'timedOut' | 'stopped' | 'notBegun'>((resolve) => {
      const timer = setTimeout(() => resolve(begun ? 'timedOut' : 'notBegun'), limit);
      const early = setTimeout(() => {
        if (!begun) resolve('notBegun');
      }, beginLimit);
      const stop = (): void => resolve('stopped');
      signal.addEventListener('abort', stop, { once: true });
      store.add({
        dispose: () => {
          clearTimeout(timer);
          clearTimeout(early);
          signal.removeEventListener('abort', stop);
        },
      });
      if (signal.aborted) stop();
    });
    const first = await Promise.race([ended, cut]);
    ending = true;
    const terminalClosed =
      typeof first === 'string' ? !(await interrupt(terminal, ended)) : first.kind === 'closed';
    await Promise.race([read, pause(lastWords)]);
    const said = { output: output.text(), terminalClosed };
    if (typeof first === 'string') return { ...said, end: { kind: first } };
    const isLost = first.kind === 'closed' && !begun;
    return { ...said, end: first, ...(last.untold && { untold: true }), ...(isLost && { neverBegan: true }) };
  } finally {
    store.dispose();
  }
}

/** True when it ended by Ctrl+C, and the terminal is as good as before. */
async function interrupt(terminal: vscode.Terminal, ended: Promise<CommandEnd>): Promise<boolean> {
  try {
    terminal.sendText('\u0003', false);
  } catch {
    // It was closed just now.
    return false;
  }
  const end = await Promise.race([ended, pause(graceful)]);
  if (end !== undefined) return end.kind === 'exited';
  terminal.dispose();
  await Promise.race([ended, pause(graceful)]);
  return false;
}

/**
 * Whether this is what VS Code took for typed at the prompt before the line, and called off with Ctrl+C. It takes a part of a long prompt
 * for that when a terminal becomes narrower.
 */
function isCalledOff({ commandLine }: vscode.TerminalShellExecution, line: string): boolean {
  const said = commandLine.value.trim();
  return said === '' || (said.endsWith('^C') && !line.trim().endsWith('^C'));
}

async function readAll(data: AsyncIterable<string>, into: CommandOutput): Promise<void> {
  try {
    for await (const piece of data) into.feed(piece);
  } catch {
    // A terminal that goes away in the middle: what came is what there is.
  }
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds);
  });
}
