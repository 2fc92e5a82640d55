/** The text of a block of Markdown as it stands on the screen, a line for each cell, item and paragraph: nothing is found across two. Pure. */
import type { Token } from 'marked';
import { codeText, known, type Block, type ShownToken } from '../markdown/blocks.ts';
import { decodeEntities } from '../markdown/entities.ts';

export function blockText(block: Block): string {
  return block.token.type === 'code' ? codeText(block) : shown(block.token);
}

function lines(tokens: readonly Token[]): string {
  return tokens.map((token) => shown(known(token))).join('\n');
}

function inline(tokens: readonly Token[]): string {
  return tokens.map((token) => shown(known(token))).join('');
}

function shown(token: ShownToken): string {
  switch (token.type) {
    case 'code':
    case 'codespan':
    case 'escape':
    case 'html':
      return token.text;
    case 'text':
      return token.tokens === undefined ? decodeEntities(token.text) : inline(token.tokens);
    case 'paragraph':
    case 'heading':
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return inline(token.tokens);
    case 'list':
      return token.items.map((item) => lines(item.tokens)).join('\n');
    case 'list_item':
    case 'blockquote':
      return lines(token.tokens);
    case 'table':
      return [token.header, ...token.rows]
        .flatMap((row) => row.map((cell) => inline(cell.tokens)))
        .join('\n');
    case 'br':
      return '\n';
    // Drawn as shapes, or somewhere else.
    case 'image':
    case 'checkbox':
    case 'formula':
    case 'note':
    case 'noteMark':
    case 'def':
    case 'hr':
    case 'space':
      return '';
  }
}
