/** Problems as VS Code shows them at a moment, and which files a language has had the time to look at. Compares nothing. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import type { Problem, Snapshot } from './compareProblems.ts';

/** Milliseconds in which a language has looked at a file that came into a tab. */
const lookTime = 3_000;

export class Looked implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #clock: () => number;
  /** When each file came into a tab. */
  readonly #since = new Map<string, number>();

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
    // What is open when the window starts is as good as looked at when somebody has read a patch.
    this.#note();
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#note()));
  }

  /** Errors and warnings of files in the workspace. */
  snapshot({ atOnce = false }: { readonly atOnce?: boolean } = {}): Snapshot {
    const now = this.#clock();
    const since = [...this.#since];
    return {
      problems: vscode.languages.getDiagnostics().flatMap(([uri, found]) => problemsOf(uri, found)),
      looked: new Set(since.flatMap(([uri, at]) => (atOnce || now - at >= lookTime ? [uri] : []))),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(): void {
    const shown = new Set(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(({ input }) => addressesOf(input))),
    );
    for (const uri of this.#since.keys()) if (!shown.has(uri)) this.#since.delete(uri);
    for (const uri of shown) if (!this.#since.has(uri)) this.#since.set(uri, this.#clock());
  }
}

function addressesOf(input: unknown): readonly string[] {
  if (input instanceof vscode.TabInputText) return [input.uri.toString()];
  if (input instanceof vscode.TabInputTextDiff) return [input.original.toString(), input.modified.toString()];
  return [];
}

function problemsOf(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): readonly Problem[] {
  if (found.length === 0 || vscode.workspace.getWorkspaceFolder(uri) === undefined) return [];
  const address = uri.toString();
  return found.flatMap(({ range, severity, message, source, code }) => {
    if (severity > vscode.DiagnosticSeverity.Warning) return [];
    const number = typeof code === 'object' ? code.value : code;
    return [
      {
        uri: address,
        line: range.start.line,
        column: range.start.character,
        severity: severity === vscode.DiagnosticSeverity.Error ? ('error' as const) : ('warning' as const),
        message,
        source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
      },
    ];
  });
}
