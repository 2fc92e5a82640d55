/** The files that are open, those nearest to the person first: what they most likely speak of. */
import * as vscode from 'vscode';

import { editorInFront } from '../chat/editorInFront.ts';
import { placeOfUri } from '../composer/placeOf.ts';
import { closedGate, Places } from '../tools/places.ts';
import { within } from '../within.ts';

export interface OpenFile {
  readonly uri: vscode.Uri;
  /** As the index of the workspace names it; elsewhere as a person does. */
  readonly path: string;
}

/** Most that are looked at. */
const mostOpen = 30;

/** Milliseconds for which an answer holds: rules are read from the disk for it, and it is asked for at each key. */
const holds = 5_000;
/** Milliseconds that a key waits for it at most: files may lie far away. */
const patience = 100;

interface Looked {
  /** The addresses, in their order. */
  readonly key: string;
  readonly at: number;
  readonly files: Promise<readonly OpenFile[]>;
}

export interface Opened {
  readonly files: readonly OpenFile[];
  /** Given when it takes long to find out: `files` are of a moment ago then. */
  readonly later?: Promise<readonly OpenFile[]>;
}

/** Without those that are ignored. */
export class OpenFiles {
  #looked: Looked | undefined;
  #known: readonly OpenFile[] = [];

  /** Never rejects. */
  async now(): Promise<Opened> {
    const uris = openUris();
    const key = uris.join('\n');
    const at = Date.now();
    if (this.#looked?.key !== key || at - this.#looked.at > holds) {
      const files = look(uris).then(
        (found) => (this.#known = found),
        () => this.#known,
      );
      this.#looked = { key, at, files };
    }
    const { files } = this.#looked;
    const found = await within(files, patience, undefined);
    return found === undefined ? { files: this.#known, later: files } : { files: found };
  }
}

function openUris(): readonly vscode.Uri[] {
  const { tabGroups, visibleTextEditors } = vscode.window;
  const groups = tabGroups.all.toSorted((one, other) => Number(other.isActive) - Number(one.isActive));
  const front = editorInFront();
  const uris = [
    ...(front === undefined ? [] : [front.document.uri]),
    ...visibleTextEditors.map(({ document }) => document.uri),
    ...groups.flatMap(({ tabs }) => tabs.flatMap(({ input }) => uriOf(input) ?? [])),
  ];
  const distinct = [...new Map(uris.filter(isFile).map((uri) => [uri.toString(), uri])).values()];
  return distinct.slice(0, mostOpen);
}

async function look(uris: readonly vscode.Uri[]): Promise<readonly OpenFile[]> {
  const places = new Places(closedGate, vscode.workspace.workspaceFolders ?? []);
  const files = await Promise.all(
    uris.map(async (uri): Promise<OpenFile | undefined> => {
      const { path, closed } = await places.describe(uri);
      if (closed === 'ignored') return undefined;
      return { uri, path: closed === undefined ? path : placeOfUri(uri) };
    }),
  );
  return files.filter((file) => file !== undefined);
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff)
    return input.modified;
  return input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}

/** Not a proposal, an output or an older version of one. */
function isFile({ scheme }: vscode.Uri): boolean {
  if (scheme === 'untitled' || scheme === 'file') return true;
  return !scheme.startsWith('kimi-') && vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
}
