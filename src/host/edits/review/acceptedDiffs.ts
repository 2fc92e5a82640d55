/**
 * What an accepted patch did to a file, as a diff to look at afterwards: left the file before it, right the file itself, or what it
 * was right after when it has been changed since. The texts come from the journal, also after a reload. Changes nothing.
 */
import * as vscode from 'vscode';

import { serveReadOnly } from '../../readOnlyScheme.ts';
import { openDocument } from '../files/documentText.ts';
import type { AcceptedFile, Journal } from '../files/journal.ts';
import { plainBytes } from '../files/plainBytes.ts';

/** Documents of this scheme are read-only; the manifest activates the extension for it, so that tabs survive a reload. */
export const acceptedScheme = 'kimi-accepted';

type Side = 'before' | 'after';

export class AcceptedDiffs implements vscode.Disposable {
  readonly #served: vscode.Disposable;
  readonly #scheme: string;
  readonly #journal: Journal;

  constructor(scheme: string, journal: Journal) {
    this.#scheme = scheme;
    this.#journal = journal;
    this.#served = serveReadOnly(scheme, (uri) => this.#read(uri));
  }

  /** Returns false, and opens nothing, when it is not known what the patch did to the file. */
  async open(patch: string, index: number): Promise<boolean> {
    await this.#journal.ready;
    const file = this.#journal.get(patch)?.files.find((each) => each.index === index);
    if (file === undefined || file.takenBack) return false;
    const live = vscode.Uri.parse(file.to ?? file.uri, true);
    const isLive = file.change.kind !== 'delete' && (await textOf(live)) === textAt(file, 'after');
    const right = isLive ? live : this.#uri(patch, file, 'after');
    const name = live.path.slice(live.path.lastIndexOf('/') + 1);
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.#uri(patch, file, 'before'),
      right,
      vscode.l10n.t('{0} (accepted patch)', name),
    );
    return true;
  }

  dispose(): void {
    this.#served.dispose();
  }

  async #read(uri: vscode.Uri): Promise<Uint8Array> {
    await this.#journal.ready;
    const query = new URLSearchParams(uri.query);
    const side = query.get('side');
    const file = this.#journal
      .get(query.get('patch') ?? '')
      ?.files.find((each) => String(each.index) === query.get('file'));
    if (file === undefined || (side !== 'before' && side !== 'after')) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return plainBytes(uri, textAt(file, side));
  }

  #uri(patch: string, file: AcceptedFile, side: Side): vscode.Uri {
    const path = side === 'before' ? file.path : (file.toPath ?? file.path);
    const query = new URLSearchParams({ patch, file: String(file.index), side });
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${side}/${path}`, query: query.toString() });
  }
}

function textAt({ change }: AcceptedFile, side: Side): string {
  switch (change.kind) {
    case 'edit':
      return change[side];
    case 'create':
      return side === 'before' ? '' : change.after;
    case 'delete':
      return side === 'before' ? change.before : '';
  }
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri))).getText();
  } catch {
    return undefined;
  }
}
