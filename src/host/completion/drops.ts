/** What is dropped onto the panel or pasted into it and is no text to be typed: pictures, files, folders. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

import { err, ok } from '../../core/result.ts';
import type { Intent } from '../../protocol/toHost.ts';
import { wantedOf } from '../context/manyFiles.ts';
import type { Attached, ContextSources } from '../context/sources.ts';
import type { PastedTexts } from '../chat/pastedTexts.ts';
import { placeOfUri } from '../composer/placeOf.ts';
import { attachAll, type AttachingParts } from './attaching.ts';

export interface DropsParts extends AttachingParts {
  readonly sources: Pick<ContextSources, 'fileOrFolder' | 'image'>;
  readonly pasted: Pick<PastedTexts, 'attachments'>;
}

export class Drops {
  readonly #parts: DropsParts;

  constructor(parts: DropsParts) {
    this.#parts = parts;
  }

  image({ name, mime, data }: Extract<Intent, { kind: 'attachImage' }>): Promise<void> {
    const bytes = Buffer.from(data, 'base64');
    const { sources } = this.#parts;
    return attachAll(this.#parts, [{ name, attached: () => sources.image({ bytes, mime, name }) }]);
  }

  /** By their addresses, of the editor's file systems alone: a link that is dropped names no file. */
  async places(addresses: readonly string[]): Promise<void> {
    const { sources, notice } = this.#parts;
    const places = new Map<string, vscode.Uri>();
    for (const address of addresses) {
      const uri = readAddress(address);
      if (uri === undefined || !isFile(uri)) {
        notice(vscode.l10n.t('This is no file that VS Code can open: {0}', address));
        continue;
      }
      places.set(uri.toString(), uri);
    }
    const wanted = (await wantedOf([...places.values()], { isWhole: true })) ?? [];
    await attachAll(
      this.#parts,
      wanted.map((uri) => ({ name: placeOfUri(uri), attached: () => sources.fileOrFolder(uri) })),
    );
  }

  /** A file of which only name and content are known. */
  text(name: string, text: string): Promise<void> {
    const attached = (): Attached => {
      if (text.trim() === '') return Promise.resolve(err('empty'));
      const attachments = this.#parts.pasted.attachments({ text, name }, undefined);
      return Promise.resolve(attachments === undefined ? err('tooLong') : ok(attachments));
    };
    return attachAll(this.#parts, [{ name, attached }]);
  }
}

/** VS Code in a browser reads pages as files; nobody who drops a link wants that fetched. */
function isFile({ scheme }: vscode.Uri): boolean {
  if (scheme === 'http' || scheme === 'https') return false;
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
}

function readAddress(address: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(address, true);
    return uri.path === '' ? undefined : asHere(uri);
  } catch {
    return undefined;
  }
}

/**
 * In a window with a remote, the panel tells where the files are as VS Code itself does; where the extension runs there, they are files of
 * its own. VS Code translates addresses that it hands over itself, and none in a text.
 */
function asHere(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'vscode-remote' || vscode.env.remoteName === undefined) return uri;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isElsewhere = folders.some((folder) => folder.uri.scheme === uri.scheme);
  return isElsewhere ? uri : uri.with({ scheme: 'file', authority: '' });
}
