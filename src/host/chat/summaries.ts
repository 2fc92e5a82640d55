/** Summaries of conversations, to be looked at as read-only documents. They live as long as the window. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { DisposableStore } from '../disposables.ts';

export const summaryScheme = 'kimi-summary';

export class Summaries implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #scheme: string;
  readonly #newId: () => string;
  readonly #texts = new Map<string, string>();

  /** @param scheme can be registered once; only tests give another one */
  constructor(newId: () => string, scheme = summaryScheme) {
    this.#scheme = scheme;
    this.#newId = newId;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** As a chip for the first question of the next conversation. */
  attachment(text: string): Attachment {
    const id = this.#newId();
    this.#texts.set(id, text);
    const name = vscode.l10n.t('Summary of the last chat');
    return {
      id,
      kind: 'summary',
      path: name,
      uri: vscode.Uri.from({ scheme: this.#scheme, path: `/${name}.md`, query: id }).toString(),
      languageId: 'markdown',
      text,
    };
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return (
      this.#texts.get(query) ?? vscode.l10n.t('This summary is no longer known: the window was closed since.')
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
