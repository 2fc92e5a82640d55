/** From an event to the text of its frame, in the documented form or a quirky one. */
import type { FrameQuirks } from './quirks.ts';
import type { SentEvent } from './wire.ts';

/** Frames of one stream. Holds its numbering, so it serves one stream only. */
export class Framer {
  readonly #quirks: FrameQuirks;
  #sequence = 0;
  #started = false;

  constructor(quirks: FrameQuirks) {
    this.#quirks = quirks;
  }

  /** The event with its sequence number, as it goes out. */
  number(event: SentEvent): SentEvent {
    if (this.#quirks.sequenceNumbers === 'absent') return event;
    const { type, ...rest } = event;
    return { type, sequence_number: this.#sequence++, ...rest };
  }

  /** `event:` line, `data:` line, blank line. */
  frame(event: SentEvent): string {
    const data = JSON.stringify(event, null, this.#quirks.splitData === true ? 1 : undefined);
    const lines = data.split('\n').map((line) => `data: ${line}`);
    if (this.#quirks.eventLines !== 'absent') lines.unshift(`event: ${event.type}`);
    if (this.#quirks.comments === true) lines.unshift(': keep-alive', '');
    return this.#text([...lines, '', '']);
  }

  /** What stands behind the last frame. */
  trailer(): string {
    return this.#quirks.doneMarker === true ? this.#text(['data: [DONE]', '', '']) : '';
  }

  /** The blank line of the last frame, as bytes to take off. */
  get blankLine(): number {
    return this.#quirks.lineEnds === 'crlf' ? 2 : 1;
  }

  #text(lines: readonly string[]): string {
    const lineEnd = { crlf: '\r\n', cr: '\r', lf: '\n' }[this.#quirks.lineEnds ?? 'lf'];
    const mark = this.#quirks.byteOrderMark === true && !this.#started ? '\uFEFF' : '';
    this.#started = true;
    return mark + lines.join(lineEnd);
  }
}
