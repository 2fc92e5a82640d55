/**
 * From what a program wrote to a terminal to the text that a person would read there: colours and other escape sequences taken out,
 * lines that a progress bar wrote over told once. Keeps the beginning and the end of a long output. Linear, whatever is fed.
 */
import { count } from './resultText.ts';

export interface TerminalTextLimits {
  /** UTF-16 units kept of the beginning, and of the end: at the end stands what went wrong. */
  readonly head: number;
  readonly tail: number;
  /** Of one line. */
  readonly line: number;
}

const usualLimits: TerminalTextLimits = { head: 10_000, tail: 20_000, line: 4_000 };

interface Line {
  text: string;
  /** How much more the line had than is kept. */
  more: number;
}

/** Lines that can still be written over. */
const rows = 100;
/** Characters of a control sequence's parameters: more mean that it is none. */
const maxParameters = 64;

type Mode = 'text' | 'escape' | 'control' | 'string' | 'stringEnd';

/** Takes the raw data in pieces, cut anywhere. */
export class TerminalText {
  readonly #limits: TerminalTextLimits;
  #mode: Mode = 'text';
  #parameters = '';
  readonly #screen: Line[] = [{ text: '', more: 0 }];
  #row = 0;
  #column = 0;
  #head = '';
  #headFull = false;
  #tail: string[] = [];
  /** Where in it the lines begin that are still kept: to move all of them up for each line that goes is slow. */
  #tailStart = 0;
  #tailLength = 0;
  #leftOut = { characters: 0, lines: 0 };

  constructor(limits: TerminalTextLimits = usualLimits) {
    this.#limits = limits;
  }

  feed(data: string): void {
    for (let at = 0; at < data.length;) at = this.#step(data, at);
  }

  /** What can be read, without blank lines at its end. */
  text(): string {
    const past = new TerminalText(this.#limits);
    past.#head = this.#head;
    past.#headFull = this.#headFull;
    past.#tail = this.#tail.slice(this.#tailStart);
    past.#tailLength = this.#tailLength;
    past.#leftOut = { ...this.#leftOut };
    const last = this.#screen.findLastIndex(({ text }) => text.trim() !== '');
    for (const line of this.#screen.slice(0, last + 1)) past.#keep(line);
    const { characters, lines } = past.#leftOut;
    const gap =
      lines === 0 ? '' : `[${count(lines, 'line')} with ${count(characters, 'character')} left out here]\n`;
    // A character of two halves that something was written over has one left.
    return `${past.#head}${gap}${past.#tail.slice(past.#tailStart).join('')}`
      .trimEnd()
      .replace(/\p{Cs}/gu, '\uFFFD');
  }

  /** Where to go on. */
  #step(data: string, at: number): number {
    switch (this.#mode) {
      case 'text': {
        controls.lastIndex = at;
        const next = controls.exec(data)?.index ?? data.length;
        if (next > at) this.#write(data.slice(at, next));
        if (next < data.length) this.#control(data.charCodeAt(next));
        return next + 1;
      }
      case 'escape':
        this.#escape(data.charCodeAt(at));
        return at + 1;
      case 'control':
        this.#sequence(data.charAt(at));
        return at + 1;
      case 'string': {
        stringEnds.lastIndex = at;
        const end = stringEnds.exec(data)?.index ?? data.length;
        if (end < data.length) this.#mode = data.charAt(end) === '\u001b' ? 'stringEnd' : 'text';
        return end + 1;
      }
      case 'stringEnd':
        this.#mode = 'text';
        // What is no end of the string is a sequence of its own.
        if (data.charAt(at) !== '\\') this.#escape(data.charCodeAt(at));
        return at + 1;
    }
  }

  #control(code: number): void {
    switch (code) {
      case 0x1b:
        this.#mode = 'escape';
        break;
      case 0x9b:
        this.#begin();
        break;
      case 0x90:
      case 0x98:
      case 0x9d:
      case 0x9e:
      case 0x9f:
        this.#mode = 'string';
        break;
      case 0x08:
        this.#column = Math.max(0, this.#column - 1);
        break;
      case 0x09:
        this.#write('\t');
        break;
      case 0x0d:
        this.#column = 0;
        break;
      case 0x0a:
      case 0x0b:
      case 0x0c:
      case 0x85:
        this.#newLine();
        break;
      default:
    }
  }

  #escape(code: number): void {
    // Blanks and the like belong to a sequence that is not over.
    if (code >= 0x20 && code <= 0x2f) {
      this.#mode = 'escape';
      return;
    }
    this.#mode = 'text';
    const letter = String.fromCharCode(code);
    if (letter === '[') this.#begin();
    else if (']PX^_'.includes(letter)) this.#mode = 'string';
    else if (code < 0x20) this.#control(code);
  }

  #begin(): void {
    this.#mode = 'control';
    this.#parameters = '';
  }

  #sequence(letter: string): void {
    if (letter < ' ') {
      if (letter === '\u001b') this.#mode = 'escape';
      else this.#control(letter.charCodeAt(0));
      return;
    }
    if (letter < '@') {
      if (this.#parameters.length < maxParameters) this.#parameters += letter;
      return;
    }
    this.#mode = 'text';
    const given = Number.parseInt(this.#parameters, 10);
    this.#act(letter, Number.isNaN(given) ? undefined : Math.min(given, 1_000));
  }

  #act(letter: string, given: number | undefined): void {
    const steps = Math.max(1, given ?? 1);
    const line = this.#line;
    switch (letter) {
      case 'A':
        this.#row = Math.max(0, this.#row - steps);
        break;
      case 'B':
        this.#row = Math.min(this.#screen.length - 1, this.#row + steps);
        break;
      case 'C':
        this.#column = Math.min(this.#limits.line, this.#column + steps);
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - steps);
        break;
      case 'E':
      case 'F':
        this.#column = 0;
        this.#act(letter === 'E' ? 'B' : 'A', given);
        break;
      case 'G':
        this.#column = steps - 1;
        break;
      case 'H':
      case 'f':
        // Where on the screen a program began is not known: what it writes next stands below.
        this.#row = this.#screen.length - 1;
        if (this.#line.text !== '') this.#newLine();
        break;
      case 'K':
        if (given === 1) line.text = ' '.repeat(this.#column) + line.text.slice(this.#column);
        else line.text = given === 2 ? '' : line.text.slice(0, this.#column);
        line.more = 0;
        break;
      case 'J':
        if (given !== undefined && given > 0) break;
        line.text = line.text.slice(0, this.#column);
        this.#screen.length = this.#row + 1;
        break;
      case 'X':
        line.text =
          line.text.slice(0, this.#column) +
          ' '.repeat(Math.max(0, Math.min(steps, line.text.length - this.#column))) +
          line.text.slice(this.#column + steps);
        break;
      default:
    }
  }

  get #line(): Line {
    // Whatever moves the cursor keeps it in a line that is there.
    return this.#screen[this.#row]!;
  }

  #write(run: string): void {
    const line = this.#line;
    const room = Math.max(0, this.#limits.line - this.#column);
    const text = run.slice(0, room);
    line.more = Math.max(line.more, this.#column + run.length - this.#limits.line, 0);
    line.text =
      line.text.slice(0, this.#column).padEnd(text === '' ? 0 : this.#column) +
      text +
      line.text.slice(this.#column + text.length);
    this.#column += run.length;
  }

  #newLine(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row < this.#screen.length) return;
    this.#screen.push({ text: '', more: 0 });
    if (this.#screen.length <= rows) return;
    const [first] = this.#screen.splice(0, 1);
    if (first !== undefined) this.#keep(first);
    this.#row -= 1;
  }

  #keep({ text, more }: Line): void {
    const cut = more > 0 ? `… [${count(more, 'more character')} in this line]` : '';
    const line = `${text.trimEnd()}${cut}\n`;
    if (!this.#headFull && this.#head.length + line.length <= this.#limits.head) {
      this.#head += line;
      return;
    }
    this.#headFull = true;
    this.#tail.push(line);
    this.#tailLength += line.length;
    while (this.#tailLength > this.#limits.tail && this.#tailStart < this.#tail.length - 1) {
      const first = this.#tail[this.#tailStart]!;
      this.#tailStart += 1;
      this.#tailLength -= first.length;
      this.#leftOut.characters += first.length;
      this.#leftOut.lines += 1;
    }
    if (this.#tailStart <= this.#tail.length / 2) return;
    this.#tail = this.#tail.slice(this.#tailStart);
    this.#tailStart = 0;
  }
}

const controls = /[\u0000-\u001f\u007f-\u009f]/g;
const stringEnds = /[\u0007\u001b\u009c]/g;
