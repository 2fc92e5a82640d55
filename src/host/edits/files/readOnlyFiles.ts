/** Which files the person has made read-only by VS Code's settings: its editors refuse to type there, but edits of extensions pass. */
import * as vscode from 'vscode';

/** By `files.readonlyInclude`, unless `files.readonlyExclude` takes it out again. Read-only by rights is found by looking at the file. */
export function isReadOnlyBySettings(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration('files', document);
  return matches(document, files.get('readonlyInclude')) && !matches(document, files.get('readonlyExclude'));
}

function matches(document: vscode.TextDocument, patterns: unknown): boolean {
  if (typeof patterns !== 'object' || patterns === null) return false;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  return Object.entries(patterns).some(([glob, isOn]) => {
    if (isOn !== true) return false;
    // Patterns of settings start at the workspace folder; an absolute one stands for itself.
    const pattern =
      folder === undefined || glob.startsWith('/') ? glob : new vscode.RelativePattern(folder, glob);
    return vscode.languages.match({ pattern }, document) > 0;
  });
}
