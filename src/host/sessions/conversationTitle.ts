/** A conversation's title in one line, wherever it is listed: short, and with nothing in it that is drawn as something else. Pure. */
import { plainLabel } from '../plainLabel.ts';

/** In characters as people count them: more than a list shows in one line. */
const longestTitle = 100;

/** As `shortTitle`, for VS Code's lists: what they would draw as an icon stays text. */
export function titleOf(text: string, longest = longestTitle): string {
  return plainLabel(shortTitle(text, longest));
}

/** The first line of a title or a question, cut where it is long. */
export function shortTitle(text: string, longest = longestTitle): string {
  const line = text.trimStart().split(/[\r\n\u2028\u2029]/, 1)[0] ?? '';
  // Cut in steps: taking a text of megabytes apart into characters would take seconds.
  const characters = [...new Intl.Segmenter().segment(line.slice(0, longest * 20))];
  const short = characters
    .slice(0, longest)
    .map(({ segment }) => segment)
    .join('');
  return visibleLine(short.length < line.length ? `${short.trimEnd()}…` : short);
}

/** What is drawn as nothing or turns the direction of text is named: `‹U+202E›`. Joiners shape what people write, and stay. */
export function visibleLine(text: string): string {
  return text.replaceAll(
    /(?![\u200C\u200D\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
}

/** In characters as people count them: a tab shows all of its title, however wide that makes it. */
const longestTab = 40;

/** As `titleOf`, for a tab, which draws no icons. */
export function tabTitle(text: string): string {
  return shortTitle(text, longestTab);
}
