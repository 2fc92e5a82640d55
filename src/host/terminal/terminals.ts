/** Our terminals: one that is used again and again, and another one only while that is busy. The one place that opens terminals. */
import { realpath } from 'node:fs/promises';

import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import type { Command, CommandEnd, CommandRun, CommandTrouble } from '../../core/tools/runCommand.ts';
import { DisposableStore } from '../disposables.ts';
import { goToLine, namesHistory, plainHistoryLine, sameEndLine, shellName, typedLine } from './shells.ts';
import { promptTelling, runLine, type LineRun } from './terminalRun.ts';

/** Milliseconds for a shell to start and to say that it tells of its commands. Some start slowly: what their profile does is run first. */
const usualStartLimit = 20_000;
/** Milliseconds for a line of ours, such as the one that changes the folder. */
const ownLineLimit = 10_000;

const never = new AbortController().signal;

interface OurTerminal {
  readonly terminal: vscode.Terminal;
  /** A command of ours is being run in it. */
  taken: boolean;
  /** `!` and `^` stand for themselves in it. */
  plain: boolean;
}

interface Ready {
  readonly ours: OurTerminal;
  readonly integration: vscode.TerminalShellIntegration;
}

export class Terminals implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #startLimit: number;
  readonly #all = new Set<OurTerminal>();
  /** What runs in any terminal, ours and what a person typed. */
  readonly #running = new Map<vscode.TerminalShellExecution, vscode.Terminal>();

  constructor(startLimit: number = usualStartLimit) {
    this.#startLimit = startLimit;
    this.#store.add(
      vscode.window.onDidStartTerminalShellExecution(({ execution, terminal }) => {
        if (this.#ours(terminal) !== undefined) this.#running.set(execution, terminal);
      }),
    );
    this.#store.add(
      vscode.window.onDidEndTerminalShellExecution(({ execution }) => this.#running.delete(execution)),
    );
    this.#store.add(vscode.window.onDidCloseTerminal((terminal) => this.#forget(terminal)));
  }

  /** As `CommandPorts.run`. */
  async run(command: Command, seconds: number, signal: CancelSignal): Promise<CommandRun> {
    const first = await this.#run(command, seconds, signal);
    // What ran before may have ended the shell, which a terminal shows some time later.
    const again = first === 'neverBegan' ? await this.#run(command, seconds, signal) : first;
    return again === 'neverBegan' ? { kind: 'notRun', why: 'noTerminal' } : again;
  }

  async #run(
    { command, folder }: Command,
    seconds: number,
    signal: CancelSignal,
  ): Promise<CommandRun | 'neverBegan'> {
    const uri = vscode.Uri.parse(folder.uri, true);
    const ready = await this.#ready(uri, signal);
    if (typeof ready === 'string') return { kind: 'notRun', why: ready };
    const { ours } = ready;
    try {
      if (namesHistory(command) && !ours.plain) await this.#makePlain(ready, signal);
      if (signal.aborted) return { kind: 'notRun', why: 'stopped' };
      const line = typedLine(this.#shellOf(ready), command);
      const run = await this.#line(ready, line, { limit: seconds * 1_000, signal });
      if (run.neverBegan === true) return 'neverBegan';
      const end = run.untold === true ? await this.#endAsked(ready, run.end) : run.end;
      return { kind: 'ran', end, output: run.output };
    } finally {
      ours.taken = false;
    }
  }

  /** A terminal in the folder, taken. */
  async #ready(uri: vscode.Uri, signal: CancelSignal): Promise<Ready | CommandTrouble> {
    for (const ours of this.#all) {
      const integration = ours.terminal.shellIntegration;
      if (integration === undefined || ours.taken || this.#isBusy(ours.terminal)) continue;
      ours.taken = true;
      const ready = { ours, integration };
      ours.terminal.show(true);
      if (await this.#goTo(uri, ready, signal)) return ready;
      if (signal.aborted) {
        ours.taken = false;
        return 'stopped';
      }
      // It is of no use for this folder, and one idle terminal is enough. It stays taken: nobody is to begin anything in it.
      ours.terminal.dispose();
    }
    const ready = await this.#open(uri, signal);
    if (typeof ready === 'string') return ready;
    const { cwd } = ready.integration;
    // A profile may have gone somewhere else. A shell that does not tell where it is began where it was told to.
    if (cwd === undefined || (await this.#goTo(uri, ready, signal))) return ready;
    ready.ours.terminal.dispose();
    return signal.aborted ? 'stopped' : 'notInFolder';
  }

  async #open(uri: vscode.Uri, signal: CancelSignal): Promise<Ready | CommandTrouble> {
    if (signal.aborted) return 'stopped';
    let terminal: vscode.Terminal;
    try {
      terminal = vscode.window.createTerminal({
        name: 'Kimi Chat',
        iconPath: new vscode.ThemeIcon('sparkle'),
        cwd: uri,
        env: { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: 'cat', ...promptTelling },
        isTransient: true,
      });
    } catch {
      return 'noTerminal';
    }
    const ours: OurTerminal = { terminal, taken: true, plain: false };
    this.#all.add(ours);
    terminal.show(true);
    const integration = await this.#integrationOf(terminal, signal);
    if (typeof integration !== 'string') return { ours, integration };
    this.#forget(terminal);
    // One without shell integration stays where it is: what it says may tell why.
    if (integration === 'stopped') terminal.dispose();
    return integration;
  }

  #integrationOf(
    terminal: vscode.Terminal,
    signal: CancelSignal,
  ): Promise<vscode.TerminalShellIntegration | CommandTrouble> {
    if (terminal.shellIntegration !== undefined) return Promise.resolve(terminal.shellIntegration);
    return new Promise((resolve) => {
      const store = new DisposableStore();
      const end = (what: vscode.TerminalShellIntegration | CommandTrouble): void => {
        store.dispose();
        resolve(what);
      };
      const stop = (): void => end('stopped');
      const timer = setTimeout(() => end('noShellIntegration'), this.#startLimit);
      signal.addEventListener('abort', stop, { once: true });
      store.add({
        dispose: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
        },
      });
      store.add(
        vscode.window.onDidChangeTerminalShellIntegration((event) => {
          if (event.terminal === terminal) end(event.shellIntegration);
        }),
      );
      store.add(
        vscode.window.onDidCloseTerminal((closed) => {
          if (closed === terminal) end('noTerminal');
        }),
      );
      if (signal.aborted) stop();
    });
  }

  /** False when it is somewhere else afterwards, or nobody knows where. */
  async #goTo(uri: vscode.Uri, ready: Ready, signal: CancelSignal): Promise<boolean> {
    const { cwd } = ready.integration;
    if (cwd !== undefined && (await isSameFolder(cwd, uri))) return true;
    const line = goToLine(this.#shellOf(ready), uri.fsPath);
    if (line === undefined) return false;
    const { end } = await this.#line(ready, line, { limit: ownLineLimit, signal });
    return end.kind === 'exited' && end.code === 0;
  }

  async #makePlain(ready: Ready, signal: CancelSignal): Promise<void> {
    const line = plainHistoryLine(this.#shellOf(ready));
    const run =
      line === undefined ? undefined : await this.#line(ready, line, { limit: ownLineLimit, signal });
    // One that was stopped may have been typed and not read: it is said again before the next command.
    ready.ours.plain = run === undefined || run.end.kind === 'exited';
  }

  /** The shell still knows how the last line ended. */
  async #endAsked(ready: Ready, known: CommandEnd): Promise<CommandEnd> {
    const line = sameEndLine(this.#shellOf(ready));
    if (line === undefined) return known;
    const { end } = await this.#line(ready, line, { limit: ownLineLimit, signal: never });
    return end.kind === 'exited' ? end : known;
  }

  async #line(
    { ours: { terminal }, integration: known }: Ready,
    line: string,
    limits: { readonly limit: number; readonly signal: CancelSignal },
  ): Promise<LineRun> {
    const integration = terminal.shellIntegration ?? known;
    const run = await runLine({ terminal, integration, line, ...limits });
    // VS Code does not always tell the end of it.
    if (run.end.kind === 'exited') this.#nothingRuns(terminal);
    return run;
  }

  #shellOf({ ours }: Ready): string {
    return ours.terminal.state.shell ?? shellName(vscode.env.shell);
  }

  #isBusy(terminal: vscode.Terminal): boolean {
    return [...this.#running.values()].includes(terminal);
  }

  #ours(terminal: vscode.Terminal): OurTerminal | undefined {
    return [...this.#all].find((each) => each.terminal === terminal);
  }

  #forget(terminal: vscode.Terminal): void {
    const ours = this.#ours(terminal);
    if (ours !== undefined) this.#all.delete(ours);
    this.#nothingRuns(terminal);
  }

  #nothingRuns(terminal: vscode.Terminal): void {
    for (const [execution, where] of this.#running) if (where === terminal) this.#running.delete(execution);
  }

  dispose(): void {
    this.#store.dispose();
    for (const { terminal } of this.#all) terminal.dispose();
    this.#all.clear();
  }
}

async function isSameFolder(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  if (one.fsPath === other.fsPath) return true;
  try {
    return (await realpath(one.fsPath)) === (await realpath(other.fsPath));
  } catch {
    return false;
  }
}
