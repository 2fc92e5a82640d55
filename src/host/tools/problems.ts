/** The problems that the editor shows, for `get_problems`. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { ok, type Result } from '../../core/result.ts';
import type { FoundProblem, Problems, Refusal } from '../../core/tools/readingPorts.ts';
import { openDocument } from '../edits/files/documentText.ts';
import type { Places } from './places.ts';

/** How long a file that was not open is given to be looked at by its language, in milliseconds. */
const lookTime = 2_000;

export async function findProblems(
  path: string | undefined,
  places: Places,
  signal: CancelSignal,
): Promise<Result<Problems, Refusal>> {
  if (path === undefined) return ok(await collect(vscode.languages.getDiagnostics(), places));
  const file = await places.locate(path, 'file');
  if (!file.ok) return file;
  const { uri } = file.value;
  if (openDocument(uri) === undefined) await openAndWait(uri, signal);
  const problems = await collect([[uri, vscode.languages.getDiagnostics(uri)]], places);
  return ok({ ...problems, unopened: !isInTab(uri) });
}

function isInTab(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
  );
}

/** Some languages look at files that are open behind the scenes; others, as TypeScript, only at those that have a tab. */
async function openAndWait(uri: vscode.Uri, signal: CancelSignal): Promise<void> {
  if (signal.aborted) return;
  const key = uri.toString();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      listener.dispose();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, lookTime);
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      // What comes first may be half of it: a language tells of faults of writing before it has thought about types.
      if (!uris.some((each) => each.toString() === key)) return;
      if (vscode.languages.getDiagnostics(uri).length > 0) end();
    });
    signal.addEventListener('abort', end);
    // A binary or very large file can't be opened, and has no problems.
    vscode.workspace.openTextDocument(uri).then(undefined, end);
  });
}

async function collect(
  all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[],
  places: Places,
): Promise<Problems> {
  const found: FoundProblem[] = [];
  let hidden = 0;
  for (const [uri, diagnostics] of all) {
    if (diagnostics.length === 0) continue;
    const { path, closed } = await places.describe(uri);
    if (closed === undefined) found.push(...diagnostics.map((diagnostic) => problemOf(path, diagnostic)));
    else hidden += diagnostics.length;
  }
  return { found, hidden, unopened: false };
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function problemOf(
  path: string,
  { range, severity, message, source, code }: vscode.Diagnostic,
): FoundProblem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? 'information',
    message,
    source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
  };
}
