/** The way to the clipboard, which not every system has. */
import * as vscode from 'vscode';

import type { Log } from '../log.ts';

/** Resolves with a sentence on why nothing was copied, or undefined. Never rejects. */
export async function copyText(text: string, log: Log): Promise<string | undefined> {
  try {
    await vscode.env.clipboard.writeText(text);
    return undefined;
  } catch (error) {
    log.warn('The clipboard could not be written', error);
    return vscode.l10n.t('Nothing was copied: the clipboard can’t be used here.');
  }
}
