/** The commands that attach something, from menus, the palette and keys: one table from id to handler. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { attachLines } from '../composer/attachments.ts';
import type { ChatPanel } from '../chat/chatPanels.ts';
import { editorInFront } from '../chat/editorInFront.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { pathOf, type SourceParts } from './describe.ts';
import { attachMany } from './manyFiles.ts';
import { attachProblemText, type AttachProblem } from './problem.ts';
import type { Attached, ContextSources } from './sources.ts';
import { symbolAt } from './symbolSource.ts';

export interface ContextCommandParts extends SourceParts {
  readonly sources: ContextSources;
  /** The one that the person is at. */
  readonly panel: () => Pick<ChatPanel, 'draft' | 'view'>;
}

type Command = (...given: readonly unknown[]) => Promise<void>;

/** Lines above and below a problem that go with it. */
const linesAround = 10;
/** Files that a sentence names. */
const mostNamed = 3;

/** The handlers, to be registered under the names that the manifest contributes. */
export function contextCommands(parts: ContextCommandParts): Readonly<Record<string, Command>> {
  const { sources, panel } = parts;

  /** The chips are there before the panel is: a question sent at once has them. What can't be attached hinders nothing else. */
  const add = async (attachments: readonly Attachment[], texts: readonly string[]): Promise<void> => {
    const { draft, view } = panel();
    const problem = attachments.length > 0 ? draft.attachIfRoom(attachments) : undefined;
    const said = [...texts, ...[problem && attachProblemText(problem)].filter((text) => text !== undefined)];
    if (said.length > 0) view.post({ kind: 'notice', text: said.join(' ') });
    if (attachments.length > 0 || texts.length > 0) await view.focus();
  };
  const attach = async (...all: readonly Attached[]): Promise<void> => {
    const results = await Promise.all(all);
    const problems = new Set(results.flatMap((result) => (result.ok ? [] : [result.error])));
    await add(
      results.flatMap((result) => (result.ok ? result.value : [])),
      [...problems].flatMap((problem) => attachProblemText(problem) ?? []),
    );
  };
  /** With the names of those that can't be attached, where there are several. */
  const attachEach = async (
    uris: readonly vscode.Uri[],
    make: (uri: vscode.Uri) => Attached,
    isWhole = true,
  ): Promise<void> => {
    const results = await attachMany(uris, make, { isWhole });
    const hindered = Map.groupBy(
      results.flatMap(({ uri, result }) => (result.ok ? [] : [{ uri, problem: result.error }])),
      ({ problem }) => problem,
    );
    const texts = [...hindered].flatMap(([problem, files]) => {
      const text = attachProblemText(problem);
      if (text === undefined) return [];
      const names = files.slice(0, mostNamed).map(({ uri }) => pathOf(uri, parts));
      const more = files.length > mostNamed ? '…' : '';
      return uris.length === 1 ? [text] : [vscode.l10n.t('{0}: {1}', names.join(', ') + more, text)];
    });
    await add(
      results.flatMap(({ result }) => (result.ok ? result.value : [])),
      texts,
    );
  };
  const changes =
    (what: 'working' | 'staged'): Command =>
    (...given) => {
      const files = given.flatMap(resourceOf);
      return files.length === 0
        ? attach(sources.diff(what))
        : attachEach(files, (file) => sources.diff(what, file), false);
    };

  return {
    'kimiChat.attachFile': async (clicked, selected) => {
      const uris = urisOf(clicked, selected) ?? (await pick({ canSelectMany: true }));
      await attachEach(uris, (uri) => sources.fileOrFolder(uri));
    },
    'kimiChat.attachFolder': async (clicked, selected) => {
      const uris =
        urisOf(clicked, selected) ?? (await pick({ canSelectFolders: true, canSelectFiles: false }));
      await attachEach(uris, (uri) => sources.folder(uri));
    },
    'kimiChat.attachSymbol': () => attach(symbolInFront(sources)),
    'kimiChat.attachProblems': async (clicked) => {
      const uri = clicked instanceof vscode.Uri ? clicked : editorInFront()?.document.uri;
      await attach(uri === undefined ? Promise.resolve(err('empty')) : sources.problems(uri));
    },
    'kimiChat.attachWorkspaceProblems': () => attach(sources.problems()),
    'kimiChat.attachChanges': changes('working'),
    'kimiChat.attachStagedChanges': changes('staged'),
    'kimiChat.attachTerminalSelection': () => attach(sources.terminalSelection()),
    'kimiChat.attachLastCommand': () => attach(sources.lastCommand()),
    'kimiChat.askAboutProblem': async (uri, range) => {
      if (!(uri instanceof vscode.Uri) || !(range instanceof vscode.Range)) return;
      await attach(sources.problems(uri, range), Promise.resolve(linesOf(uri, range, parts)));
    },
  };
}

async function symbolInFront(sources: ContextSources): Attached {
  const editor = editorInFront();
  if (editor === undefined) return err('empty');
  const symbol = await symbolAt(editor.document, editor.selection.active);
  if (symbol === undefined) return err('noSymbol');
  return sources.symbol(editor.document.uri, symbol.range, symbol.name);
}

function linesOf(
  uri: vscode.Uri,
  range: vscode.Range,
  parts: SourceParts,
): Result<readonly Attachment[], AttachProblem> {
  const document = openDocument(uri);
  if (document === undefined) return ok([]);
  const last = document.lineCount - 1;
  const from = Math.max(0, Math.min(range.start.line, last) - linesAround);
  const to = Math.min(last, range.end.line + linesAround);
  return ok([attachLines(document, { from, to }, parts)]);
}

/** In a list all that are selected, as long as what was clicked on is one of them. Undefined where nothing was. */
function urisOf(clicked: unknown, selected: unknown): readonly vscode.Uri[] | undefined {
  if (!(clicked instanceof vscode.Uri)) return undefined;
  const all = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  return all.some((one) => one.toString() === clicked.toString()) ? all : [clicked];
}

/** Of what source control gives with a click: a file, several, or a group of them, which is no file. */
function resourceOf(given: unknown): readonly vscode.Uri[] {
  if (typeof given !== 'object' || given === null) return [];
  if (Array.isArray(given)) return given.flatMap(resourceOf);
  return 'resourceUri' in given && given.resourceUri instanceof vscode.Uri ? [given.resourceUri] : [];
}

async function pick(options: vscode.OpenDialogOptions): Promise<readonly vscode.Uri[]> {
  const openLabel = vscode.l10n.t('Attach');
  return (await vscode.window.showOpenDialog({ ...options, openLabel })) ?? [];
}
