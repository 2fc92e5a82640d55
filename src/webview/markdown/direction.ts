/** In which direction a block runs that holds other blocks. Pure. */
import type { Token } from 'marked';
import { known, type ShownToken } from './blocks.ts';
import { decodeEntities } from './entities.ts';

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours, with what is written in their forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * By its first letter, as `dir="auto"` has it for a paragraph: that does not look into what has a direction of its own, and all that
 * such a block holds has. Code, formulas and tags are from left to right whatever stands around, and tell nothing. Undefined where no
 * letter is.
 */
export function directionOf(token: ShownToken): 'ltr' | 'rtl' | undefined {
  for (const text of proseIn(token)) {
    const letter = /\p{L}/u.exec(text)?.[0];
    if (letter !== undefined) return rightToLeft.test(letter) ? 'rtl' : 'ltr';
  }
  return undefined;
}

function* proseIn(token: ShownToken): Generator<string> {
  switch (token.type) {
    case 'br':
    case 'checkbox':
    case 'code':
    case 'codespan':
    case 'def':
    case 'formula':
    case 'hr':
    case 'html':
    case 'noteMark':
    case 'space':
      return;
    case 'escape':
    case 'image':
      yield token.text;
      return;
    case 'text':
      if (token.tokens === undefined) yield decodeEntities(token.text);
      else yield* proseInAll(token.tokens);
      return;
    case 'list':
      yield* proseInAll(token.items);
      return;
    case 'table':
      for (const row of [token.header, ...token.rows]) for (const cell of row) yield* proseInAll(cell.tokens);
      return;
    default:
      yield* proseInAll(token.tokens);
  }
}

function* proseInAll(tokens: readonly Token[]): Generator<string> {
  for (const token of tokens) yield* proseIn(known(token));
}
