/**
 * The right-hand sides of our diffs: one document a proposed file, served by a file system of our own so that it can be edited.
 * Holds the texts; who changed them and why is the business of `amendments.ts`. Knows no plans.
 */
import * as vscode from 'vscode';

import { DisposableStore } from '../../disposables.ts';
import { serveReadOnly } from '../../readOnlyScheme.ts';
import { withLineEnds } from '../files/documentText.ts';
import { plainBytes } from '../files/plainBytes.ts';

/** Documents of this scheme can be edited; the manifest activates the extension for it and hangs the title bar's buttons on it. */
export const proposalScheme = 'kimi-proposal';
/** Documents of this scheme are empty and read-only: the left-hand side of a file that does not exist yet. */
export const emptyScheme = 'kimi-original';

export interface NewDocument {
  /**
   * Wanted path within our file system; another one is taken when it is in use. Its last segment is the real file's name, by which
   * VS Code finds the language.
   */
  readonly path: string;
  readonly text: string;
  readonly eol: '\n' | '\r\n';
  readonly readOnly: boolean;
}

/** The text is kept with LF whatever the document shows. */
export interface ProposedDocument {
  readonly uri: vscode.Uri;
  readonly eol: '\n' | '\r\n';
  readonly readOnly: boolean;
  text: string;
  /** Goes up with each change: VS Code loads a document anew only when its time of change has moved. */
  version: number;
  /** Texts that VS Code has fetched and may not yet have put into the document. */
  fetched: string[];
}

/**
 * Times of change run backwards from here, in milliseconds: VS Code loads a text anew whenever the time is another one, but refuses to
 * save over one that is newer. Ours may be replaced just before the person types, and what they type is to be saved all the same.
 */
const newest = Date.UTC(2026, 0);

/** How many fetched texts are remembered of a document that never shows them. */
const maxFetched = 20;

export class ProposedDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #scheme: string;
  readonly #documents = new Map<string, ProposedDocument>();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;

  /** Until it settles, a document that is asked for and not there may still come. */
  #restoring: Promise<void> | undefined;

  constructor(scheme: string, emptyScheme: string) {
    this.#scheme = scheme;
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: false }),
    );
    // The left-hand side of what does not exist yet: every file is there.
    this.#store.add(serveReadOnly(emptyScheme, () => new Uint8Array()));
  }

  add({ path, text, eol, readOnly }: NewDocument): ProposedDocument {
    let uri = vscode.Uri.from({ scheme: this.#scheme, path });
    // Two workspace folders can have the same name.
    for (let copy = 2; this.get(uri) !== undefined; copy += 1) uri = uri.with({ path: `/${copy}${path}` });
    const document = { uri, eol, readOnly, text: withLineEnds(text, '\n'), version: 1, fetched: [] };
    this.#documents.set(uri.toString(), document);
    return document;
  }

  /** A document of an earlier window, under the address that its tabs have. */
  restore(uri: vscode.Uri, { text, eol, readOnly }: Omit<NewDocument, 'path'>): ProposedDocument {
    const document = { uri, eol, readOnly, text: withLineEnds(text, '\n'), version: 1, fetched: [] };
    this.#documents.set(uri.toString(), document);
    return document;
  }

  /** VS Code asks for the documents of its tabs at once; it is answered when this has settled. */
  awaitRestored(restoring: Promise<void>): void {
    this.#restoring = restoring.finally(() => {
      this.#restoring = undefined;
    });
  }

  get(uri: vscode.Uri): ProposedDocument | undefined {
    return this.#documents.get(uri.toString());
  }

  remove(uri: vscode.Uri): void {
    this.#documents.delete(uri.toString());
  }

  /** Gives the document another text, which an editor takes up when nothing unsaved is in it, and else after it was saved. */
  replace(document: ProposedDocument, text: string): void {
    if (text === document.text) return;
    document.text = text;
    this.reload(document);
  }

  /** Has VS Code load the document anew from what is kept here. It does so only while the document has no unsaved changes. */
  reload(document: ProposedDocument): void {
    document.version += 1;
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: document.uri }]);
  }

  dispose(): void {
    this.#store.dispose();
    this.#documents.clear();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat> {
    const restoring = this.#restoring;
    if (restoring !== undefined && this.get(uri) === undefined) return restoring.then(() => this.stat(uri));
    const document = this.#found(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: newest - document.version,
      size: new TextEncoder().encode(shownText(document)).length,
      ...(document.readOnly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (this.get(uri) === undefined) await this.#restoring;
    const document = this.#found(uri);
    document.fetched = [...document.fetched, document.text].slice(-maxFetched);
    return plainBytes(uri, shownText(document));
  }

  /** What arrives is not kept: it may have gone through the person's save actions, and what they typed is known already. */
  writeFile(uri: vscode.Uri): void {
    const document = this.#found(uri);
    if (document.readOnly) throw vscode.FileSystemError.NoPermissions(uri);
    document.version += 1;
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #found(uri: vscode.Uri): ProposedDocument {
    const document = this.get(uri);
    if (document === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return document;
  }
}

function shownText({ text, eol }: ProposedDocument): string {
  return withLineEnds(text, eol);
}
