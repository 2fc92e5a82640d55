/** The text of a block of Markdown as it stands on the screen, a line for each cell, item and paragraph: nothing is found across two. Pure. */
import type { Token } from 'marked';
import { codeText, known, type Block, type ShownToken } from '../markdown/blocks.ts';
import { decodeEntities } from '../markdown/entities.ts';
import { imageText, inlineText } from '../markdown/plainText.ts';
import { isReference } from '../sources.ts';

/** @param notes labels of the footnotes of the text: what looks like the mark of another one is text */
export function blockText(block: Block, notes: ReadonlyMap<string, unknown> = new Map()): string {
  return block.token.type === 'code' ? codeText(block) : new Reader(notes).shown(block.token);
}

class Reader {
  readonly #notes: ReadonlyMap<string, unknown>;

  constructor(notes: ReadonlyMap<string, unknown>) {
    this.#notes = notes;
  }

  shown(token: ShownToken): string {
    switch (token.type) {
      case 'code':
      case 'codespan':
      case 'escape':
      case 'html':
        return token.text;
      case 'text':
        return token.tokens === undefined ? decodeEntities(token.text) : this.#inline(token.tokens);
      case 'link':
        return isReference(token.href, inlineText(token.tokens)) ? '' : this.#inline(token.tokens);
      case 'image':
        return imageText(inlineText(token.tokens));
      case 'noteMark':
        return this.#notes.has(token.label) ? '' : token.raw;
      case 'paragraph':
      case 'heading':
      case 'strong':
      case 'em':
      case 'del':
        return this.#inline(token.tokens);
      case 'list':
        return token.items.map((item) => this.#lines(item.tokens)).join('\n');
      case 'list_item':
      case 'blockquote':
        return this.#lines(token.tokens);
      case 'table':
        return [token.header, ...token.rows]
          .flatMap((row) => row.map((cell) => this.#cell(cell.tokens)))
          .join('\n');
      case 'br':
        return '\n';
      // Drawn as shapes, or somewhere else.
      case 'checkbox':
      case 'formula':
      case 'note':
      case 'def':
      case 'hr':
      case 'space':
        return '';
    }
  }

  #lines(tokens: readonly Token[]): string {
    return tokens.map((token) => this.shown(known(token))).join('\n');
  }

  #inline(tokens: readonly Token[]): string {
    return tokens.map((token) => this.shown(known(token))).join('');
  }

  #cell(tokens: readonly Token[]): string {
    return tokens
      .map((token) => (/^<br\s*\/?>$/i.test(token.raw) ? '\n' : this.shown(known(token))))
      .join('');
  }
}
