/**
 * Characters that are drawn as nothing, or that change the order in which others are drawn, made visible. For code, paths and
 * patches, where they can make a text read as something it is not. Pure.
 */

export type VisiblePiece =
  | { readonly kind: 'plain'; readonly text: string }
  /** `label` is shown in the place of `text`. */
  | ({ readonly kind: 'hidden'; readonly text: string } & Naming);

export interface Naming {
  /** The code point, `U+202E`, or what it is in words. */
  readonly label: string;
  /** It is no invisible character: a letter that looks like another one, or a number of blanks. */
  readonly other?: true;
}

/**
 * Controls other than tab and line break (a return without a line feed counts), soft hyphen, the Arabic letter mark, zero-width characters, line and paragraph separators,
 * bidirectional embeddings, overrides and isolates, invisible operators, fillers, interlinear annotations, tags, and variation
 * selectors beyond the two for text and emoji.
 */
const hidden =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Joiners belong where they shape what is written: between emoji and between letters of scripts that need them. */
const joins =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Khmer}\p{Script=Syriac}\p{Script=Mongolian}]/u;

/** The text cut into what can be shown as it is and what must be named. Joined again it is the same text. */
export function visiblePieces(text: string): VisiblePiece[] {
  return namedPieces(text, hidden, (character, index) =>
    isJoiner(character) && shapes(text, index, character.length)
      ? undefined
      : { label: codePointLabel(character) },
  );
}

/** Embeddings, overrides and isolates of direction: what stands between them is drawn in another order than it is read and copied. */
const turning = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Prose in pieces: what can make it read as something else. */
export function prosePieces(text: string): VisiblePiece[] {
  return namedPieces(text, turning, (mark) => ({ label: codePointLabel(mark) }));
}

/**
 * The text cut at what a pattern finds, which is named; joined again it is the same text.
 *
 * @param pattern global
 * @param nameOf undefined for what stays as it is
 */
export function namedPieces(
  text: string,
  pattern: RegExp,
  nameOf: (found: string, index: number) => Naming | undefined,
): VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const naming = nameOf(found, index);
    if (naming === undefined) continue;
    if (index > from) pieces.push({ kind: 'plain', text: text.slice(from, index) });
    pieces.push({ kind: 'hidden', text: found, ...naming });
    from = index + found.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ kind: 'plain', text: text.slice(from) });
  return pieces;
}

/** Letters of other alphabets within a word of Latin ones, most of which look like these: a name can be another one than it seems. */
const otherLetter =
  /(?<=[A-Za-z][\p{L}\p{M}\d]{0,40})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}](?=[\p{L}\p{M}\d]{0,40}[A-Za-z])/gu;

/** The pieces with such letters named too. */
export function withOtherLetters(pieces: readonly VisiblePiece[]): VisiblePiece[] {
  return pieces.flatMap((piece) =>
    piece.kind === 'hidden'
      ? [piece]
      : namedPieces(piece.text, otherLetter, (letter) => ({ label: codePointLabel(letter), other: true })),
  );
}

/** A path in pieces: what is not seen in it, and letters that look like others. */
export function pathPieces(path: string): VisiblePiece[] {
  return withOtherLetters(visiblePieces(path));
}

/** The same as one string, for names and tooltips: `a‹U+202E›b`. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.kind === 'plain' ? piece.text : `‹${piece.label}›`))
    .join('');
}

function isJoiner(character: string): boolean {
  return character === '\u200d' || character === '\u200c';
}

function shapes(text: string, index: number, length: number): boolean {
  const before = lastCodePoint(text.slice(Math.max(0, index - 2), index));
  const after = text.slice(index + length, index + length + 2);
  return before !== '' && joins.test(before) && joins.test(after);
}

function lastCodePoint(text: string): string {
  return [...text].at(-1) ?? '';
}

/** `U+202E` */
export function codePointLabel(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
