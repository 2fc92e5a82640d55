/** Writes a text to the place that the person chose in a save dialog just now. Nothing else may be written with this. */
import * as vscode from 'vscode';

/** @param mark whether it begins with a byte order mark, by which spreadsheets know that it is UTF-8 */
export async function saveExport(uri: vscode.Uri, text: string, { mark = true } = {}): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(mark ? `\uFEFF${text}` : text));
}
