/** Takes a text that VS Code only gives to the clipboard, and puts back what was there. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import { err, ok, type Result } from '../../core/result.ts';

/**
 * What `copy` puts onto the clipboard; undefined when it puts nothing there. An image on the clipboard can't be read and so not be put
 * back, but it stays when nothing is copied.
 */
export async function borrowClipboard(
  copy: () => Thenable<unknown>,
  clipboard: vscode.Clipboard = vscode.env.clipboard,
): Promise<Result<string | undefined, 'clipboard'>> {
  try {
    const before = await clipboard.readText();
    try {
      await copy();
      const after = await clipboard.readText();
      if (after !== before) return ok(after);
      // Nothing was there and nothing came.
      if (before === '') return ok(undefined);
      // The same was copied again, or nothing was: something else in its place tells which.
      const mark = randomUUID();
      await clipboard.writeText(mark);
      await copy();
      const again = await clipboard.readText();
      return ok(again === mark ? undefined : again);
    } finally {
      if ((await clipboard.readText()) !== before) await clipboard.writeText(before);
    }
  } catch {
    return err('clipboard');
  }
}
