/**
 * A stand-in tokenizer: deterministic, left to right, and stable under appending (only the last token of a text can change
 * when more text follows). Its counts are plausible, not the service's.
 */

/**
 * In order of preference: up to five letters with the blank in front, up to three digits, a run of blanks or line ends,
 * one CJK character or any other single character.
 */
const token = / ?[A-Za-z\u00C0-\u024F\u0400-\u04FF]{1,5}|[0-9]{1,3}|[^\S\n]+|\n+|[\s\S]/gu;

/** The text cut into tokens; joined they give the text. Never cuts a surrogate pair. */
export function tokenize(text: string): readonly string[] {
  return text.match(token) ?? [];
}

export function countTokens(text: string): number {
  return tokenize(text).length;
}
