/** Remembers of each terminal which command ended there last, and how: what a terminal copies of it does not say. */
import * as vscode from 'vscode';

interface Ended {
  readonly command: string;
  readonly exitCode: number;
}

export class TerminalExits implements vscode.Disposable {
  readonly #ended = new WeakMap<vscode.Terminal, Ended>();
  readonly #listener: vscode.Disposable;

  constructor() {
    this.#listener = vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      if (exitCode === undefined) this.#ended.delete(terminal);
      else this.#ended.set(terminal, { command: execution.commandLine.value, exitCode });
    });
  }

  /** Undefined when it is another command that ended last, and when nobody knows. */
  exitCodeOf(terminal: vscode.Terminal, command: string): number | undefined {
    const ended = this.#ended.get(terminal);
    return ended !== undefined && ended.command.trim() === command.trim() ? ended.exitCode : undefined;
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
