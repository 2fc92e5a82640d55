/** What is looked for, and where it stands in a text. Pure. Literal only: a pattern could take for ever on a long text. */

export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** Longer ones are cut: nobody types them, and what is pasted by mistake costs no time. */
export const longestQuery = 200;

/** Offsets of one match: its first UTF-16 unit, and the one behind its last. */
export interface Match {
  readonly from: number;
  readonly to: number;
}

/** Matches in their order, none within another, at most `most`. Whole words are those with no letter, digit or `_` beside them. */
export function matchesIn(text: string, query: Query, most: number): readonly Match[] {
  const pattern = patternOf(query);
  const found: Match[] = [];
  if (pattern === undefined) return found;
  for (let match = pattern.exec(text); match !== null && found.length < most; match = pattern.exec(text)) {
    found.push({ from: match.index, to: match.index + match[0].length });
  }
  return found;
}

/** Letters are compared by the pattern's own rules, which keep lengths: a text in lower case may be longer. */
function patternOf({ text, matchCase, wholeWord }: Query): RegExp | undefined {
  const literal = text
    .slice(0, longestQuery)
    .toWellFormed()
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (literal === '') return undefined;
  const source = wholeWord ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal;
  return new RegExp(source, matchCase ? 'gu' : 'giu');
}
