/** What is dropped onto the panel or pasted into it and is no text to be typed: pictures, files, folders. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

import type { Intent } from '../../protocol/toHost.ts';
import { wantedOf } from '../context/manyFiles.ts';
import type { ContextSources } from '../context/sources.ts';
import type { PastedTexts } from '../chat/pastedTexts.ts';
import { placeOfUri } from '../chat/placeOf.ts';
import { attachAll, isFolder, type AttachingParts, type Wanted } from './attaching.ts';

export interface DropsParts extends AttachingParts {
  readonly sources: Pick<ContextSources, 'file' | 'folder' | 'image'>;
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
    const wanted: Wanted[] = [];
    for (const uri of (await wantedOf([...places.values()], { isWhole: true })) ?? []) {
      const attached = (await isFolder(uri)) ? () => sources.folder(uri) : () => sources.file(uri);
      wanted.push({ name: placeOfUri(uri), attached });
    }
    await attachAll(this.#parts, wanted);
  }

  /** A file of which only name and content are known. */
  text(name: string, text: string): void {
    const { pasted, draft, notice } = this.#parts;
    if (text.trim() === '') {
      notice(vscode.l10n.t('{0}: {1}', name, vscode.l10n.t('There is no text to attach.')));
      return;
    }
    const attachments = pasted.attachments({ text, name }, undefined);
    if (attachments === undefined) {
      const problem = vscode.l10n.t('This is more than 1,000,000 characters. Select the part that matters.');
      notice(vscode.l10n.t('{0}: {1}', name, problem));
    } else draft.attach(attachments);
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
