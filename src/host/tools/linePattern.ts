/** A regular expression that is looked for line by line. It may take for ever: whoever runs it must be able to end it. */
import { bomLength, toLineFeeds } from '../../core/lines.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { excerpt } from '../../core/tools/resultText.ts';

export interface LinePattern {
  /** For one line. */
  readonly line: RegExp;
  /**
   * For a whole text: finds something in or before each line that has a match. Not there for a pattern that looks around itself, which
   * would see the lines beside.
   */
  readonly text?: RegExp;
}

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Or what is wrong with it. */
export function compilePattern(pattern: string, caseSensitive: boolean): Result<LinePattern, string> {
  // Other engines take flags in front.
  const flagged = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern.slice(flagged?.[0].length ?? 0);
  const flags = caseSensitive && !flagged?.[1]?.includes('i') ? '' : 'i';
  // Only these mean nothing without the flag; with it, needless escapes are faults.
  const unicode = /\\[pP]\{|\\u\{|[\u{10000}-\u{10ffff}]/u.test(source) ? 'u' : '';
  try {
    const line = new RegExp(source, flags + unicode);
    return ok(looksAround(source) ? { line } : { line, text: new RegExp(source, `gm${flags}${unicode}`) });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return err(said.replace(/^Invalid regular expression: /, ''));
  }
}

/** Also where it only seems so. */
function looksAround(pattern: string): boolean {
  return /\(\?(?:<?[=!])/.test(pattern);
}

/** Lines in which the pattern is found, at most `limit`. */
export function findLines(source: string, pattern: LinePattern, limit: number): FoundLine[] {
  const text = toLineFeeds(source.slice(bomLength(source)));
  const found: FoundLine[] = [];
  let number = 1;
  for (let start = 0; start < text.length && found.length < limit;) {
    if (pattern.text) {
      pattern.text.lastIndex = start;
      const match = pattern.text.exec(text);
      if (match === null) break;
      // The line in which the match begins.
      for (;;) {
        const end = text.indexOf('\n', start);
        if (end < 0 || end >= match.index) break;
        start = end + 1;
        number += 1;
      }
      if (start >= text.length) break;
    }
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const match = pattern.line.exec(line);
    if (match !== null) found.push({ line: number, text: excerpt(line, match.index) });
    start = end + 1;
    number += 1;
  }
  return found;
}
