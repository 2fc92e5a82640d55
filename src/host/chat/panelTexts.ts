/**
 * The panel's texts in the language of VS Code. They lie in files of their own, beside the ones that VS Code loads for the host, so that
 * the page carries no text of the host's and the host none of the panel's.
 */
import * as vscode from 'vscode';

import type { Log } from '../log.ts';

/**
 * Translations by English text, as JSON as it lies on the disk; undefined in English, in a language that there is no translation
 * for, and where it can't be read: then the panel speaks English.
 */
export async function panelTexts(extensionUri: vscode.Uri, log: Log): Promise<string | undefined> {
  const { language } = vscode.env;
  if (!translated.has(language)) return undefined;
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'l10n', `panel.l10n.${language}.json`);
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    log.warn('The translation of the panel could not be read', error);
    return undefined;
  }
}

/** As `vscode.env.language` names them. */
const translated: ReadonlySet<string> = new Set(['zh-cn', 'ko']);
