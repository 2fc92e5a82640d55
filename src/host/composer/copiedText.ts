/**
 * Remembers where the text that was copied last in an editor stands, so that a paste into the composer can say so. In memory alone, and
 * not the text. Changes no copy and no paste.
 */
import { createHash } from 'node:crypto';

import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import { maxLength } from '../context/problem.ts';
import { placeOf } from './placeOf.ts';

/** Where a pasted text was copied. */
export interface Origin {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** In the order in which they stand in the text, which they make up with a line break between them. */
  readonly pieces: readonly Piece[];
}

export interface Piece {
  /** Lines, one-based, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** UTF-16 units. */
  readonly length: number;
}

interface Copied extends Origin {
  readonly hash: string;
}

export class CopiedText implements vscode.DocumentPasteEditProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  #last: Copied | undefined;

  constructor() {
    // It offers no kind of paste and has nothing to do at one.
    this.#store.add(
      vscode.languages.registerDocumentPasteEditProvider('*', this, { providedPasteEditKinds: [] }),
    );
  }

  prepareDocumentPaste(document: vscode.TextDocument, ranges: readonly vscode.Range[]): void {
    this.#last = undefined;
    const texts = ranges.map((range) => plain(document.getText(range)));
    const text = texts.join('\n');
    if (text.trim() === '' || text.length > maxLength) return;
    this.#last = {
      path: placeOf(document),
      uri: document.uri.toString(),
      languageId: document.languageId,
      pieces: ranges.map((range, index) => ({ ...linesOf(range), length: texts[index]!.length })),
      hash: hashOf(text),
    };
  }

  /** Undefined when this is not what was copied last in an editor of this window. */
  originOf(text: string): Origin | undefined {
    const last = this.#last;
    return last !== undefined && hashOf(text) === last.hash ? last : undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** A range that ends at the start of a line leaves that line out. */
function linesOf({ start, end }: vscode.Range): { readonly from: number; readonly to: number } {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { from: start.line + 1, to: last + 1 };
}

/** The clipboard of some systems has other line breaks, and a line copied as a whole has one more at its end. */
function hashOf(text: string): string {
  return createHash('sha256').update(plain(text).replace(/\n$/, '')).digest('base64');
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
