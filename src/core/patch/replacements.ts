/**
 * Edits of one text as values: ranges of it and what comes in their place, ascending, not overlapping. Each verb is a total function
 * of its arguments and linear.
 */
import type { Replacement } from './editPlan.ts';

export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  // Put together by `+`, which copies nothing before the text is really read.
  let edited = '';
  let at = 0;
  for (const { start, end, text: put } of replacements) {
    edited += text.slice(at, start) + put;
    at = end;
  }
  return edited + text.slice(at);
}

/** The edits that give `before` back when applied to its edited text. */
export function invertReplacements(before: string, replacements: readonly Replacement[]): Replacement[] {
  let shift = 0;
  return replacements.map(({ start, end, text }) => {
    const from = start + shift;
    shift += text.length - (end - start);
    return { start: from, end: from + text.length, text: before.slice(start, end) };
  });
}

/** One list of edits with the effect of `first` and then, on its result, `second`. Where both have edits, those that touch become one. */
export function composeReplacements(
  first: readonly Replacement[],
  second: readonly Replacement[],
): readonly Replacement[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return fromPieces(editPieces(toPieces(first), second));
}

/** Where an offset of the edited text was before; inside new text, where that text begins. */
export function originalOffset(replacements: readonly Replacement[], offset: number): number {
  let shift = 0;
  for (const { start, end, text } of replacements) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length - (end - start);
  }
  return offset - shift;
}

/** Where a range of the text is after the edits, together with all that was put into it or at its ends. */
export function editedRange(
  replacements: readonly Replacement[],
  range: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } {
  let { start: from, end: to } = range;
  for (const { start, end, text } of replacements) {
    const grown = text.length - (end - start);
    if (end < range.start || (end === range.start && start < end)) from += grown;
    if (end <= range.end) to += grown;
  }
  return { start: from, end: to };
}

/** A stretch of the original text that is still there, or new text. */
type Piece =
  | { readonly kind: 'kept'; readonly start: number; readonly end: number }
  | { readonly kind: 'new'; readonly text: string };

/** The edited text as pieces. The last one is kept text without an end, so the length of the text need not be known. */
function toPieces(replacements: readonly Replacement[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of replacements) {
    pieces.push({ kind: 'kept', start: at, end: start }, { kind: 'new', text });
    at = end;
  }
  pieces.push({ kind: 'kept', start: at, end: Infinity });
  return pieces;
}

function fromPieces(pieces: readonly Piece[]): Replacement[] {
  const replacements: Replacement[] = [];
  let at = 0;
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'new') {
      text += piece.text;
    } else if (piece.start < piece.end) {
      if (piece.start > at || text !== '') replacements.push({ start: at, end: piece.start, text });
      at = piece.end;
      text = '';
    }
  }
  return replacements;
}

/** The pieces of the text that the edits make of the pieces' text. */
function editPieces(pieces: readonly Piece[], replacements: readonly Replacement[]): Piece[] {
  const edited: Piece[] = [];
  const source = pieces.values();
  let piece = source.next().value as Piece;
  let at = 0;
  // Takes the pieces up to an offset of their text, cutting the last one, and hands them on or drops them.
  const advance = (offset: number, take: (piece: Piece) => void): void => {
    while (at < offset) {
      const length = pieceLength(piece);
      if (at + length <= offset) {
        take(piece);
        at += length;
        piece = source.next().value as Piece;
      } else {
        const [head, tail] = cut(piece, offset - at);
        take(head);
        at = offset;
        piece = tail;
      }
    }
  };
  for (const { start, end, text } of replacements) {
    advance(start, (kept) => edited.push(kept));
    advance(end, () => undefined);
    edited.push({ kind: 'new', text });
  }
  advance(Infinity, (kept) => edited.push(kept));
  return edited;
}

function pieceLength(piece: Piece): number {
  return piece.kind === 'new' ? piece.text.length : piece.end - piece.start;
}

function cut(piece: Piece, length: number): [Piece, Piece] {
  if (piece.kind === 'kept') {
    const middle = piece.start + length;
    return [
      { kind: 'kept', start: piece.start, end: middle },
      { kind: 'kept', start: middle, end: piece.end },
    ];
  }
  return [
    { kind: 'new', text: piece.text.slice(0, length) },
    { kind: 'new', text: piece.text.slice(length) },
  ];
}
