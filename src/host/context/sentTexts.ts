/** Shows what chips sent, as read-only files of a scheme of our own: texts, and images too. They live as long as the window, as far as there is room. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import { plainBytes } from '../edits/plainBytes.ts';
import { attachedScheme } from './describe.ts';

/** What a chip sent. */
export type SentContent = { readonly text: string } | { readonly image: string };

/** Bytes, of all that was shown. */
const maxKept = 50_000_000;

export class SentTexts implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #scheme: string;
  /** The newest last. */
  readonly #files = new Map<string, Uint8Array>();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;

  /** @param scheme can be registered once; only tests give another one */
  constructor(scheme: string = attachedScheme) {
    this.#scheme = scheme;
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: true }),
    );
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
      const uri = this.#keep(key, named, bytesOf(content.image));
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      return;
    }
    const uri = this.#keep(key, name, new Uint8Array());
    this.#files.set(uri.toString(), await plainBytes(uri, content.text));
    const document = await vscode.workspace.openTextDocument(uri);
    const known = await vscode.languages.getLanguages();
    const shown = known.includes(languageId)
      ? await vscode.languages.setTextDocumentLanguage(document, languageId)
      : document;
    await vscode.window.showTextDocument(shown, { preview: true });
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { length } = this.#get(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#get(uri);
  }

  readDirectory(): [] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #get(uri: vscode.Uri): Uint8Array {
    const found = this.#files.get(uri.toString());
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }

  #keep(key: string, name: string, bytes: Uint8Array): vscode.Uri {
    // A slash would make folders of it.
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name.replaceAll('/', '∕')}`, query: key });
    this.#files.delete(uri.toString());
    this.#files.set(uri.toString(), bytes);
    let kept = [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [old, { length }] of this.#files) {
      if (kept <= maxKept || old === uri.toString()) break;
      this.#files.delete(old);
      kept -= length;
    }
    return uri;
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
