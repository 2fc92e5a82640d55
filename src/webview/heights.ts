/** How high parts of the conversation will be, reckoned from the length of their text: for those that were never drawn. Pure. */
import type { Turn } from '../core/conversation/conversation.ts';

/** Of a panel of common width. What is wrong is made good where it is drawn, without moving what is read. */
const charactersPerLine = 45;
/** Pixels, as the next two. */
const line = 20;
const aroundTurn = 110;
const closedFold = 32;

/** Of Markdown with so many characters. */
export function textHeight(characters: number): number {
  return Math.ceil(characters / charactersPerLine) * line;
}

export function turnHeight(turn: Turn): number {
  let height = aroundTurn + Math.min(textHeight(turn.question.text.length), 8 * line);
  for (const part of turn.parts) {
    if (part.kind === 'answer') for (const section of part.sections) height += textHeight(section.length);
    else height += closedFold;
  }
  return height;
}
