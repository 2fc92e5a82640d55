/**
 * Indentation and the scopes it draws. Measured twice, with narrow and with wide tabs, since nobody says how wide they are meant to
 * be; each line once, since scopes overlap.
 */
import { lineEnd, lineStart, type LineIndex } from '../lines.ts';
import { trimmedEnd, trimmedStart } from './blanks.ts';
import type { Budget } from './budget.ts';

const wideTab = 8;

export class Scopes {
  readonly #lines: LineIndex;
  /** Blanks in front of each line, plus one; 0 for a line not yet looked at. */
  readonly #narrow: Int32Array;
  readonly #wide: Int32Array;
  readonly #ends = new Map<number, number>();

  constructor(lines: LineIndex) {
    this.#lines = lines;
    this.#narrow = new Int32Array(lines.count);
    this.#wide = new Int32Array(lines.count);
  }

  /** Offset of the line's first character that is no blank, or of its end. */
  firstCharacter(line: number): number {
    this.#measure(line);
    return lineStart(this.#lines, line) + (this.#narrow[line] as number) - 1;
  }

  isBlank(line: number): boolean {
    return this.firstCharacter(line) === lineEnd(this.#lines, line);
  }

  /** However wide a tab is, the first line is not indented deeper than the second. */
  isWithin(line: number, other: number): boolean {
    this.#measure(line);
    this.#measure(other);
    return (
      (this.#narrow[line] as number) <= (this.#narrow[other] as number) &&
      (this.#wide[line] as number) <= (this.#wide[other] as number)
    );
  }

  /**
   * Line behind the scope that a line opens: the lines that follow it and are indented deeper, blank lines between them included. No
   * line at the head's own depth belongs to it, except those that are part of the head (they begin with a closing parenthesis or
   * bracket, or with the opening brace) and, where the head opens a brace, everything up to the line that closes it: labels such as
   * `public:`. A line that opens no scope has `line + 1`.
   */
  end(line: number, budget: Budget): number {
    let end = this.#ends.get(line);
    if (end === undefined) {
      end = line + 1;
      let braced = this.#endsWithBrace(line);
      let at = line + 1;
      for (; at < this.#lines.count; at += 1) {
        if (this.isBlank(at)) continue;
        if (this.isWithin(at, line)) {
          const continuesHead = this.#startsWithOneOf(at, '{)]');
          if (continuesHead) braced ||= this.#endsWithBrace(at);
          else if (!braced || this.#startsWithOneOf(at, '}')) break;
        }
        end = at + 1;
      }
      budget.spend(8 * (at - line));
      this.#ends.set(line, end);
    }
    return end;
  }

  /**
   * The line that opens what a line stands in: the nearest above that is indented less; the one above it, where a brace or the end of
   * a list of parameters stands alone. Looks a while, not for ever.
   */
  head(line: number): number | undefined {
    let below = line;
    let sameDepth = false;
    for (let above = line - 1; above >= 0 && above > line - 5_000; above -= 1) {
      if (this.isBlank(above) || !this.isWithin(above, below)) continue;
      if (!sameDepth && this.isWithin(below, above)) continue;
      if (!this.#startsWithOneOf(above, '{}()[]')) return above;
      below = above;
      sameDepth = this.#startsWithOneOf(above, '{)]');
    }
    return undefined;
  }

  #endsWithBrace(line: number): boolean {
    const { text } = this.#lines;
    const end = trimmedEnd(text, lineStart(this.#lines, line), lineEnd(this.#lines, line));
    return text.charAt(end - 1) === '{';
  }

  #startsWithOneOf(line: number, characters: string): boolean {
    return characters.includes(this.#lines.text.charAt(this.firstCharacter(line)));
  }

  #measure(line: number): void {
    if (this.#narrow[line] !== 0) return;
    const start = lineStart(this.#lines, line);
    const end = trimmedStart(this.#lines.text, start, lineEnd(this.#lines, line));
    let tabs = 0;
    for (let at = start; at < end; at += 1) if (this.#lines.text.charCodeAt(at) === 9) tabs += 1;
    this.#narrow[line] = end - start + 1;
    this.#wide[line] = end - start + 1 + (wideTab - 1) * tabs;
  }
}
