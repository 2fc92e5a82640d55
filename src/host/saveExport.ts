/**
 * Writes a text where the person says in a save dialog, and tells them so. Nothing else may be written with this. Knows nothing of what is
 * exported.
 */
import { homedir } from 'node:os';

import * as vscode from 'vscode';

export interface SaveQuestion {
  /** Of the dialog. */
  readonly title: string;
  /** The name that is proposed, without a folder. */
  readonly name: string;
  /** The endings that such a file has, without a dot, by what VS Code is to call it. */
  readonly filters: Readonly<Record<string, string[]>>;
}

/** Undefined when the person thinks better of it. */
export function askWhereToSave({ title, name, filters }: SaveQuestion): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    filters,
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}

/** @param mark whether it begins with a byte order mark, by which spreadsheets know that it is UTF-8 */
export async function saveExport(uri: vscode.Uri, text: string, { mark = true } = {}): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(mark ? `\uFEFF${text}` : text));
}

/** @param says the sentence for a file of this name */
export async function tellSaved(file: vscode.Uri, says: (name: string) => string): Promise<void> {
  const open = vscode.l10n.t('Open');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if ((await vscode.window.showInformationMessage(says(name), open)) === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  }
}

/** For a file that could not be written. */
export function unsavedText(): string {
  return vscode.l10n.t(
    'The file could not be written. Choose another place, or look whether it is open elsewhere.',
  );
}
