/** Neighbouring pieces of one text to one piece. Knows only the events, not what they change. */
import type { ResponseEvent } from './events.ts';

type Piece = Extract<ResponseEvent, { readonly text: string }>;

/**
 * Gathers events: pieces of the same text that follow one another are joined, and events that say nothing are left out. A chunk holds
 * many, and each costs a round through every layer above.
 */
export class JoinedEvents {
  readonly #events: ResponseEvent[] = [];
  #open: Piece | undefined;
  /** Joined at once in the end: a text made of a hundred thousand additions keeps each of them alive. */
  #pieces: string[] = [];

  add(event: ResponseEvent): void {
    if (event.kind === 'ignored') return;
    const piece = event.kind === 'textDelta' || event.kind === 'inputDelta';
    if (piece && this.#open !== undefined && continues(this.#open, event)) {
      this.#pieces.push(event.text);
      return;
    }
    this.#close();
    if (piece) {
      this.#open = event;
      this.#pieces = [event.text];
    } else {
      this.#events.push(event);
    }
  }

  /** All that was added. To be called once. */
  all(): readonly ResponseEvent[] {
    this.#close();
    return this.#events;
  }

  #close(): void {
    if (this.#open !== undefined) this.#events.push({ ...this.#open, text: this.#pieces.join('') });
    this.#open = undefined;
  }
}

function continues(open: Piece, next: Piece): boolean {
  if (open.itemId !== next.itemId || open.outputIndex !== next.outputIndex) return false;
  if ('channel' in open)
    return 'channel' in next && open.channel === next.channel && open.section === next.section;
  return 'type' in next && open.type === next.type;
}
