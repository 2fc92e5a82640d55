/** Makes chips of pasted text, and shows those as documents that come from nowhere else. They live as long as the window, as far as there is room. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { DisposableStore } from '../disposables.ts';
import { maxLength } from '../context/problem.ts';
import type { Origin } from '../composer/copiedText.ts';
import type { Draft } from '../composer/draft.ts';
import type { Queue } from './queue.ts';

const pastedScheme = 'kimi-pasted';

/** In UTF-16 units, of all texts together. */
const maxKept = 20 * maxLength;

export interface PastedTextsParts {
  readonly newId: () => string;
  readonly draft: Pick<Draft, 'attachments' | 'onDidChangeAttachments'>;
  readonly queue: Pick<Queue, 'attachments' | 'onDidChange'>;
  /** Can be registered once; only tests give another one. */
  readonly scheme?: string;
}

export interface PastedText {
  readonly text: string;
  readonly languageId?: string | undefined;
  /** Of the file that it is, when it is one. */
  readonly name?: string;
}

export class PastedTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #scheme: string;
  readonly #newId: () => string;
  /** The newest last. */
  readonly #texts = new Map<string, string>();
  #length = 0;

  constructor({ newId, draft, queue, scheme = pastedScheme }: PastedTextsParts) {
    this.#scheme = scheme;
    this.#newId = newId;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.#store.add(this.follow(draft));
    this.#store.add(queue.onDidChange((session) => this.#know(queue.attachments(session))));
  }

  /** Chips that an earlier window left in this draft can be opened here too. */
  follow(draft: PastedTextsParts['draft']): vscode.Disposable {
    this.#know(draft.attachments);
    return draft.onDidChangeAttachments(() => this.#know(draft.attachments));
  }

  /** One chip for each place it was copied from. Undefined when it is longer than what can be attached. */
  attachments(
    { text: pasted, languageId, name: given }: PastedText,
    origin: Origin | undefined,
  ): readonly Attachment[] | undefined {
    const text = pasted.replaceAll('\r\n', '\n');
    if (text.length > maxLength) return undefined;
    if (origin !== undefined) return fromEditor(text, origin, this.#newId);
    const id = this.#newId();
    const lines = text.replace(/\n$/, '').split('\n').length;
    const name =
      given ?? (lines === 1 ? vscode.l10n.t('Pasted text') : vscode.l10n.t('Pasted text ({0} lines)', lines));
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query: id }).toString();
    const attachment: Attachment = {
      id,
      kind: 'pasted',
      path: name,
      uri,
      languageId: languageId ?? 'plaintext',
      text,
      ...(given !== undefined && { heading: `${given} (a file from outside of the workspace)` }),
    };
    this.#know([attachment]);
    return [attachment];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? vscode.l10n.t('This text is no longer known.');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #know(attachments: readonly Attachment[]): void {
    for (const { kind, uri, text } of attachments) {
      if (kind !== 'pasted' || !uri.startsWith(`${this.#scheme}:`) || this.#texts.has(uri)) continue;
      this.#texts.set(uri, text);
      this.#length += text.length;
    }
    for (const [uri, { length }] of this.#texts) {
      if (this.#length <= maxKept) break;
      this.#texts.delete(uri);
      this.#length -= length;
    }
  }
}

function fromEditor(
  text: string,
  { path, uri, languageId, pieces }: Origin,
  newId: () => string,
): readonly Attachment[] {
  let at = 0;
  return pieces.map(({ from, to, length }) => {
    const piece = text.slice(at, at + length);
    // The line break that joins it with the next.
    at += length + 1;
    return { id: newId(), kind: 'pasted', path, uri, range: { from, to }, languageId, text: piece };
  });
}
