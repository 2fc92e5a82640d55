/**
 * What a command printed, out of what its terminal told since its line was typed: that line may stand in front, once or several times. Pure.
 */
import { TerminalText } from './terminalText.ts';

/** The mark with which the shell tells that a command begins (VS Code's own, 633, or that of FinalTerm, 133). */
const beginMark = /\u001b\](?:633|133);C(?:\u0007|\u001b\\|;)/g;

/** The mark with which it tells that the command ended, and mostly how. */
const endMark = /\u001b\](?:633|133);D(?:;(\d+))?(?:\u0007|\u001b\\)/;

/** What a terminal draws with and what it does not show: sequences, controls and blanks, of which a line that is wrapped gets more. */
const unseen = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|[\s\p{Cc}]/gu;

/** How much is held back besides the line, as long as it begins as that does, in UTF-16 units. */
const mostHeld = 8_000;

/**
 * What zsh does before each prompt, so that it begins a line: a mark, blanks to the end of the line, and as many blanks as the mark is wide
 * over what would be the mark where nothing stood before it. What stood there ends the output without a line break.
 */
const lineFill = / {10,}\r( {0,16})\r$/;
/** Longer than that, in UTF-16 units. */
const longestFill = 2_000;

/** Takes the raw data in pieces, cut anywhere. */
export class CommandOutput {
  readonly #line: string;
  readonly #text = new TerminalText();
  /** Since the last mark; undefined once there is output. */
  #held: string | undefined = '';
  /** The last of what was taken, as long as it may be none of the output. */
  #last = '';
  #hasEnded = false;
  /** How often it was told that a command begins, before there was output. */
  begins = 0;
  /** As it was told within the output; the editor keeps that back where it understands it. */
  exitCode: number | undefined;

  /** @param line as it was typed */
  constructor(line: string) {
    this.#line = line.replaceAll(unseen, '');
  }

  feed(piece: string): void {
    if (this.#held === undefined) this.#take(piece);
    else this.#hold(this.#held + piece);
  }

  text(): string {
    // The command printed a beginning of its own line, or nothing.
    if (this.#held !== undefined) this.#take(this.#held);
    this.#text.feed(withoutFill(this.#last));
    this.#last = '';
    return this.#text.text();
  }

  /**
   * Only here marks count: later on a program may have written one. There may be two, for the editor calls off what it takes for typed
   * before, of which the shell tells as of a command; a slow shell leaves it to the terminal to show what is typed meanwhile.
   */
  #hold(all: string): void {
    let start = 0;
    for (const { index, 0: mark } of all.matchAll(beginMark)) {
      if (this.begins > 0 && !this.#mayBeLine(all.slice(start, index))) break;
      this.begins += 1;
      start = index + mark.length;
    }
    this.#held = all.slice(start);
    if (this.#held.length <= this.#line.length + mostHeld && this.#mayBeLine(this.#held)) return;
    this.#take(this.#held);
  }

  #take(output: string): void {
    this.#held = undefined;
    if (this.#hasEnded) return;
    const end = endMark.exec(output);
    const all = this.#last + output.slice(0, end?.index);
    const sure = Math.max(0, all.length - longestFill);
    this.#text.feed(all.slice(0, sure));
    this.#last = all.slice(sure);
    if (end === null) return;
    this.#hasEnded = true;
    if (end[1] !== undefined) this.exitCode = Number(end[1]);
  }

  #mayBeLine(text: string): boolean {
    const seen = text.replaceAll(unseen, '');
    return this.#line.startsWith(seen) || seen.startsWith(this.#line);
  }
}

function withoutFill(output: string): string {
  const fill = lineFill.exec(output);
  if (fill === null) return output;
  const colours = '(?:\\u001b\\[[\\d;]*m)*';
  const mark = new RegExp(`${colours}(?:[^\\u001b]${colours}){${fill[1]!.length}}$`);
  return output.slice(0, fill.index).replace(mark, '');
}
