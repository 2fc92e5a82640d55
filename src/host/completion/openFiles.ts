/** The files that are open, those nearest to the person first: what they most likely speak of. */
import * as vscode from 'vscode';

import { editorInFront } from '../chat/editorInFront.ts';
import { placeOfUri } from '../chat/placeOf.ts';
import { closedGate, Places } from '../tools/places.ts';

export interface OpenFile {
  readonly uri: vscode.Uri;
  /** As the index of the workspace names it; elsewhere as a person does. */
  readonly path: string;
}

/** Most that are looked at. */
const mostOpen = 30;

/** Without those that are ignored. */
export async function openFiles(): Promise<readonly OpenFile[]> {
  const { tabGroups, visibleTextEditors } = vscode.window;
  const groups = tabGroups.all.toSorted((one, other) => Number(other.isActive) - Number(one.isActive));
  const front = editorInFront();
  const uris = [
    ...(front === undefined ? [] : [front.document.uri]),
    ...visibleTextEditors.map(({ document }) => document.uri),
    ...groups.flatMap(({ tabs }) => tabs.flatMap(({ input }) => uriOf(input) ?? [])),
  ];
  const distinct = [...new Map(uris.filter(isFile).map((uri) => [uri.toString(), uri])).values()];
  const places = new Places(closedGate, vscode.workspace.workspaceFolders ?? []);
  const files = await Promise.all(
    distinct.slice(0, mostOpen).map(async (uri): Promise<OpenFile | undefined> => {
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
