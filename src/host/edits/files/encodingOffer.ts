/** Offers the person to open a file in another encoding when a patch for it had to be refused. Decides nothing and waits for nobody. */
import * as vscode from 'vscode';

/** Shows a message with one button; what was pressed, or undefined. */
export type Ask = (message: string, button: string) => PromiseLike<string | undefined>;

export class EncodingOffer {
  readonly #ask: Ask;
  /** Files that are being asked about: models try again, people are asked once. */
  readonly #asked = new Set<string>();

  constructor(ask: Ask = (message, button) => vscode.window.showWarningMessage(message, button)) {
    this.#ask = ask;
  }

  /** Resolves when the person has answered. */
  async offer(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const button = vscode.l10n.t('Reopen with Encoding');
    const message = vscode.l10n.t(
      'A patch for {0} was refused, because the file can’t be read without loss in the encoding that it is opened with.',
      vscode.workspace.asRelativePath(uri),
    );
    const pressed = await this.#ask(message, button);
    this.#asked.delete(key);
    if (pressed !== button) return;
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
  }
}
