/** Names a document as a person would, and so that a patch for it finds it. */
import * as vscode from 'vscode';

/**
 * The path within the workspace; from its root the whole path for files elsewhere. What is not the file itself, such as its version
 * in Git, has what it is behind the path.
 */
export function placeOf(document: vscode.TextDocument): string {
  const found = cellOf(document.uri);
  if (found === undefined) return placeOfUri(document.uri);
  return vscode.l10n.t('{0} (cell {1})', placeOfUri(found.notebook.uri), found.index + 1);
}

/** The cell of a notebook that a document is, while that notebook is open. */
export function cellOf(document: vscode.Uri): vscode.NotebookCell | undefined {
  const key = document.toString();
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cell = notebook.getCells().find((each) => each.document.uri.toString() === key);
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** Whether the document is what a person edits, and not a proposal, an output or an older version. */
export function isFileItself(document: vscode.TextDocument): boolean {
  return document.isUntitled || isFile(document.uri) || cellOf(document.uri) !== undefined;
}

function isFile(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** The same by the address alone. */
export function placeOfUri(uri: vscode.Uri): string {
  if (isFile(uri)) return isNameShared(uri) ? uri.fsPath : vscode.workspace.asRelativePath(uri);
  // By the path alone: of another scheme it belongs to no folder.
  const path = vscode.workspace.asRelativePath(uri.fsPath);
  return uri.scheme === 'untitled' ? path : `${path} (${uri.scheme})`;
}

/** Whether another folder of the workspace is called as the one that it is in: then the name of that tells nothing. */
function isNameShared(uri: vscode.Uri): boolean {
  const own = vscode.workspace.getWorkspaceFolder(uri);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.some((folder) => folder.index !== own?.index && folder.name === own?.name);
}
