/** The beginning of a text, cut where people see one character end: no half of an emoji, no letter without its accent. Knows no reader. */

/**
 * @param most UTF-16 units; the cut is at or before them
 * @returns the text itself when it is no longer
 */
export function cutAt(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = characters.segment(text.slice(0, most + longestCharacter)).containing(most)?.index;
  if (end !== 0) return text.slice(0, end);
  // One that is longer than all there is room for is cut within, but not within a pair of units.
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

const characters = new Intl.Segmenter();

/** UTF-16 units after the limit that are looked at; a family with skin tones has about 30. */
const longestCharacter = 200;
