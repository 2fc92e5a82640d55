/** One command line in one terminal, from its beginning to its end. Knows nothing of who asked for it. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import type { CommandEnd } from '../../core/tools/runCommand.ts';
import { TerminalText } from '../../core/tools/terminalText.ts';
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
}

/** Milliseconds in which a command ends after Ctrl+C, before its terminal is closed. */
const graceful = 3_000;
/** Milliseconds in which the last of the output comes, when the end was told before it. */
const lastWords = 1_000;

/** Never rejects. */
export async function runLine({ terminal, integration, line, limit, signal }: LineSpec): Promise<LineRun> {
  const store = new DisposableStore();
  const output = new TerminalText();
  let execution: vscode.TerminalShellExecution | undefined;
  const ended = new Promise<CommandEnd>((resolve) => {
    store.add(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution !== execution) return;
        resolve({ kind: 'exited', ...(event.exitCode !== undefined && { code: event.exitCode }) });
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
      return { end: { kind: 'closed' }, output: '', terminalClosed: true };
    }
    const read = readAll(execution.read(), output);
    const cut = new Promise<'timedOut' | 'stopped'>((resolve) => {
      const timer = setTimeout(() => resolve('timedOut'), limit);
      const stop = (): void => resolve('stopped');
      signal.addEventListener('abort', stop, { once: true });
      store.add({
        dispose: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
        },
      });
      if (signal.aborted) stop();
    });
    const first = await Promise.race([ended, cut]);
    const terminalClosed =
      typeof first === 'string' ? !(await interrupt(terminal, ended)) : first.kind === 'closed';
    await Promise.race([read, pause(lastWords)]);
    const end = typeof first === 'string' ? { kind: first } : first;
    return { end, output: output.text(), terminalClosed };
  } finally {
    store.dispose();
  }
}

/** True when it ended by Ctrl+C, and the terminal is as good as before. */
async function interrupt(terminal: vscode.Terminal, ended: Promise<CommandEnd>): Promise<boolean> {
  terminal.sendText('\u0003', false);
  const end = await Promise.race([ended, pause(graceful)]);
  if (end !== undefined) return end.kind === 'exited';
  terminal.dispose();
  await Promise.race([ended, pause(graceful)]);
  return false;
}

async function readAll(data: AsyncIterable<string>, into: TerminalText): Promise<void> {
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
