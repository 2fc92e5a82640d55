/** Why a proposal no longer fits its file, with both sides of each place: what stands there, and what the patch has. Words only. */
import { cutAt } from '../../../core/cutAt.ts';
import type { Followed } from '../../../core/patch/follow.ts';
import { splitLines } from '../../../core/patch/lineDiff.ts';
import { overlap, type Reason } from '../files/sentences.ts';
import { lostGround } from './stackSentences.ts';

/** Places told to the model, and characters quoted of each side of one. */
const maxPlaces = 5;
const maxQuoted = 700;

/** Undefined when nothing conflicts. */
export function conflictReason(followed: Followed, isUndermined: boolean): Reason | undefined {
  const [first, ...others] = followed.overlaps;
  if (first === undefined) return undefined;
  const present = splitLines(followed.live);
  const proposed = splitLines(followed.text);
  const sides = ({ inCurrent, inText }: typeof first): string =>
    `Present text: ${quote(present.slice(inCurrent.from, inCurrent.to))}. The patch has there: ${quote(proposed.slice(inText.from, inText.to))}.`;
  const reason = isUndermined
    ? lostGround(first.inCurrent.from + 1)
    : overlap(first.inCurrent.from + 1, first.inCurrent.to);
  const rest = others
    .slice(0, maxPlaces - 1)
    .map((each) => `The same near line ${each.inCurrent.from + 1}. ${sides(each)}`);
  const left = others.length - rest.length;
  const more = left > 0 ? [`And in ${left} more ${left === 1 ? 'place' : 'places'}.`] : [];
  return { ...reason, detail: [reason.detail, sides(first), ...rest, ...more].join(' ') };
}

function quote(lines: readonly string[]): string {
  const text = lines.join('');
  if (text === '') return 'nothing';
  return text.length > maxQuoted
    ? `${JSON.stringify(cutAt(text, maxQuoted))} (cut off)`
    : JSON.stringify(text);
}
