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
/** Milliseconds in which the shell tells that it began: it does not when it waits for the end of a quote, or can't read the line. */
const beginLimit = 20_000;
/** Milliseconds in which the last of the output comes, when the end was told before it. */
const lastWords = 1_000;

/** Never rejects. */
export async function runLine({ terminal, integration, line, limit, signal }: LineSpec): Promise<LineRun> {
  const store = new DisposableStore();
  let output = new TerminalText();
  /** What the editor takes for the line: another one than it was given when the shell tells of it in other words. */
  let execution: vscode.TerminalShellExecution | undefined;
  let read: Promise<void> = Promise.resolve();
  let begun = false;
  /** It was told to have ended, and not how: nearly always because the shell begins it in other words. */
  let unsure: NodeJS.Timeout | undefined;
  store.add({ dispose: () => clearTimeout(unsure) });
  store.add(
    vscode.window.onDidStartTerminalShellExecution((event) => {
      if (event.terminal !== terminal || execution === undefined) return;
      if (begun && unsure === undefined) return;
      begun = true;
      clearTimeout(unsure);
      unsure = undefined;
      // Bash that keeps no doubles in its history (`HISTCONTROL`) names the first command of a line alone, without its aliases.
      if (event.execution === execution) return;
      ({ execution } = event);
      output = new TerminalText();
      read = readAll(execution.read(), line, output);
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
    read = readAll(execution.read(), line, output);
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

/** The mark with which the shell tells that the command begins (VS Code's own, 633, or that of FinalTerm, 133). */
const beginMark = /\u001b\](?:633|133);C(?:\u0007|\u001b\\|;)/;

/** What a terminal draws with and what it does not show: sequences, controls and blanks, of which a line that is wrapped gets more. */
const unseen = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|[\s\p{Cc}]/gu;

/**
 * Of the first piece what follows the typed line, which may stand in front of the beginning; on a busy machine it comes as pieces of its own.
 * Only there: later on a program may have written the mark. Undefined as long as there is nothing but that line.
 */
function withoutEcho(begun: string, line: string): string | undefined {
  const mark = beginMark.exec(begun);
  if (mark !== null) return begun.slice(mark.index);
  return line.replaceAll(unseen, '').startsWith(begun.replaceAll(unseen, '')) ? undefined : begun;
}

async function readAll(data: AsyncIterable<string>, line: string, into: TerminalText): Promise<void> {
  let begun: string | undefined = '';
  try {
    for await (const piece of data) {
      if (begun === undefined) into.feed(piece);
      else {
        begun += piece;
        const output = withoutEcho(begun, line);
        if (output === undefined) continue;
        begun = undefined;
        into.feed(output);
      }
    }
  } catch {
    // A terminal that goes away in the middle: what came is what there is.
  }
  // The command printed a beginning of its own line, or nothing.
  if (begun !== undefined) into.feed(begun);
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds);
  });
}
