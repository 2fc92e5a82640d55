/** The bytes by which VS Code reads a text of ours, whatever encoding the person's settings name. Knows no document. */
import * as vscode from 'vscode';

const mark = '\uFEFF';

/**
 * UTF-8, and plain where VS Code reads just this text from it. Where settings would have it read as something else, or let it guess,
 * a byte order mark decides; VS Code then names the mark in its status bar.
 */
export async function plainBytes(uri: vscode.Uri, text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  try {
    if ((await vscode.workspace.decode(bytes, { uri })) === text) return bytes;
  } catch {
    // What looks like no text is read by its mark.
  }
  return new TextEncoder().encode(mark + text);
}
