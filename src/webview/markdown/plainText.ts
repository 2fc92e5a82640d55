/** What a piece of Markdown says, without its marks: for names, announcements and links. Pure. */
import type { Token } from 'marked';
import { l10n } from '../l10n.ts';
import { isReference } from '../sources.ts';
import { known, type ShownToken } from './blocks.ts';
import { decodeEntities } from './entities.ts';

export function inlineText(tokens: readonly Token[]): string {
  return tokens.map((token) => textOf(known(token))).join('');
}

/** What stands in the place of an image. */
export function imageText(description: string): string {
  return description.trim() === '' ? l10n.t('Image') : l10n.t('Image: {0}', description);
}

const sentenceEnd = /\p{Sentence_Terminal}$/u;

/** The block as sentences to be heard. Code is named, not read. */
export function spokenText(token: ShownToken): string {
  switch (token.type) {
    case 'code':
      return token.lang === undefined || token.lang === ''
        ? l10n.t('Code.')
        : l10n.t('Code, {0}.', token.lang);
    case 'table':
      return [token.header, ...token.rows]
        .map((row) => row.map((cell) => inlineText(cell.tokens)).join(', '))
        .join('. ');
    case 'list':
      return token.items
        .map((item) => spokenAll(item.tokens))
        .map((item, index, all) => (index === all.length - 1 || sentenceEnd.test(item) ? item : `${item}.`))
        .join(' ');
    case 'blockquote':
    case 'note':
      return spokenAll(token.tokens);
    case 'formula':
      return l10n.t('Formula.');
    case 'def':
    case 'hr':
    case 'space':
      return '';
    default:
      return textOf(token);
  }
}

function spokenAll(tokens: readonly Token[]): string {
  return tokens
    .map((token) => spokenText(known(token)))
    .filter((text) => text !== '')
    .join(' ');
}

function textOf(token: ShownToken): string {
  switch (token.type) {
    case 'br':
      return ' ';
    case 'image':
      return token.text;
    case 'checkbox':
    case 'def':
    case 'hr':
    case 'noteMark':
    case 'space':
      return '';
    case 'formula':
    case 'codespan':
    case 'code':
    case 'escape':
    case 'html':
      return token.text;
    case 'text':
      return token.tokens === undefined ? decodeEntities(token.text) : inlineText(token.tokens);
    case 'heading':
    case 'paragraph':
    case 'strong':
    case 'em':
    case 'del':
      return inlineText(token.tokens);
    // Its number would be heard as a part of the sentence.
    case 'link': {
      const label = inlineText(token.tokens);
      return isReference(token.href, label) ? '' : label;
    }
    case 'blockquote':
    case 'list':
    case 'list_item':
    case 'note':
    case 'table':
      return spokenText(token);
  }
}
