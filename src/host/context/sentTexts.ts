/** Shows what chips sent, as read-only files of a scheme of our own: texts, and images too. They live as long as the window, as far as there is room. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

import { plainBytes } from '../edits/files/plainBytes.ts';
import { serveReadOnly } from '../readOnlyScheme.ts';
import { attachedScheme } from './describe.ts';

/** What a chip sent. */
export type SentContent = { readonly text: string } | { readonly image: string };

/** Bytes, of all that was shown. */
const maxKept = 50_000_000;

export class SentTexts implements vscode.Disposable {
  readonly #served: vscode.Disposable;
  readonly #scheme: string;
  /** The newest last. */
  readonly #files = new Map<string, Uint8Array>();

  /** @param scheme can be registered once; only tests give another one */
  constructor(scheme: string = attachedScheme) {
    this.#scheme = scheme;
    this.#served = serveReadOnly(scheme, (uri) => this.#get(uri));
  }

  /** @param name of the tab */
  async show(content: SentContent, { name, languageId }: ShownAs): Promise<void> {
    // A chip may have sent one text with one question and another, with its secrets masked, with the next.
    const key = createHash('sha256')
      .update(JSON.stringify([content, languageId]))
      .digest('base64url');
    if ('image' in content) {
      const extension = extensionOf(content.image);
      const named = name.toLowerCase().endsWith(extension) ? name : name + extension;
      const uri = this.#uri(key, named);
      this.#keep(uri, bytesOf(content.image));
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      return;
    }
    const uri = this.#uri(key, name);
    this.#keep(uri, await plainBytes(uri, content.text));
    const document = await vscode.workspace.openTextDocument(uri);
    const known = await vscode.languages.getLanguages();
    const shown = known.includes(languageId)
      ? await vscode.languages.setTextDocumentLanguage(document, languageId)
      : document;
    await vscode.window.showTextDocument(shown, { preview: true });
  }

  dispose(): void {
    this.#served.dispose();
  }

  #get(uri: vscode.Uri): Uint8Array {
    const found = this.#files.get(uri.toString());
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }

  #uri(key: string, name: string): vscode.Uri {
    // A slash would make folders of it.
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${name.replaceAll('/', '∕')}`, query: key });
  }

  #keep(uri: vscode.Uri, bytes: Uint8Array): void {
    this.#files.delete(uri.toString());
    this.#files.set(uri.toString(), bytes);
    let kept = [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [old, { length }] of this.#files) {
      if (kept <= maxKept || old === uri.toString()) break;
      this.#files.delete(old);
      kept -= length;
    }
  }
}

export interface ShownAs {
  readonly name: string;
  readonly languageId: string;
}

/** `data:image/png;base64,…` */
function bytesOf(image: string): Uint8Array {
  return Buffer.from(image.slice(image.indexOf(',') + 1), 'base64');
}

function extensionOf(image: string): string {
  const kind = /^data:image\/([a-z]+)/.exec(image)?.[1] ?? 'png';
  return kind === 'jpeg' ? '.jpg' : `.${kind}`;
}
