/** Finds the editor that a person means who works in the panel and speaks of the active one. */
import * as vscode from 'vscode';

/**
 * The editor of the tab in front. `activeTextEditor` alone would also be the output, a comment or the source control's input when
 * the cursor was there last. Undefined when what is in front shows no text to extensions: settings, pictures, files over 50 MB.
 */
export function editorInFront(): vscode.TextEditor | undefined {
  const isShown = shownBy(vscode.window.tabGroups.activeTabGroup.activeTab?.input);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors =
    activeTextEditor === undefined ? visibleTextEditors : [activeTextEditor, ...visibleTextEditors];
  return editors.find(({ document }) => isShown(document.uri));
}

/** Whether anything stands in front, be it text or not. */
export function anythingInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab !== undefined;
}

function shownBy(input: unknown): (uri: vscode.Uri) => boolean {
  if (input instanceof vscode.TabInputText) return (uri) => same(uri, input.uri);
  if (input instanceof vscode.TabInputTextDiff)
    return (uri) => same(uri, input.modified) || same(uri, input.original);
  if (input instanceof vscode.TabInputNotebook)
    return (uri) => uri.scheme === 'vscode-notebook-cell' && uri.path === input.uri.path;
  return () => false;
}

function same(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}
