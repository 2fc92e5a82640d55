/** Whether the person is in the chat or has gone to work in an editor since they asked. Looks only at who moved a cursor. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';

/**
 * A diff that opens by itself takes the place of the editor in front. That is welcome while the person waits for it in the chat, and
 * a theft of their keys while they type in that editor.
 */
export class Attention implements vscode.Disposable {
  readonly #store = new DisposableStore();
  #inChat = false;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === vscode.TextEditorSelectionChangeKind.Command || kind === undefined) return;
        this.#inChat = false;
      }),
    );
  }

  /** The person has just sent a question from the panel. */
  asked(): void {
    this.#inChat = true;
  }

  /** Whether something may come to the front unasked. */
  get mayOpen(): boolean {
    return this.#inChat || vscode.window.tabGroups.activeTabGroup.activeTab === undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
