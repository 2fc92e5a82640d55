/** What is dropped onto the composer or pasted into it and is no text to be typed: pictures, files, folders. */
import * as vscode from 'vscode';

import type { Intent } from '../../protocol/toHost.ts';

export interface DropsParts {
  /** Tells the person a sentence in the panel. */
  readonly notice: (text: string) => void;
}

export class Drops {
  readonly #parts: DropsParts;

  constructor(parts: DropsParts) {
    this.#parts = parts;
  }

  image({ name }: Extract<Intent, { kind: 'attachImage' }>): void {
    this.#parts.notice(vscode.l10n.t('{0} can’t be attached.', name));
  }

  places(uris: readonly string[]): void {
    for (const uri of uris) this.#parts.notice(vscode.l10n.t('{0} can’t be attached.', uri));
  }

  text(name: string, _text: string): void {
    this.#parts.notice(vscode.l10n.t('{0} can’t be attached.', name));
  }
}
