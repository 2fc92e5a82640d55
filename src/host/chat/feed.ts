/**
 * Feeds one panel: numbers the batches and paces them. Knows the panel only as a function that posts, and time only as a
 * function that waits, so that it can be counted in a test.
 */
import { joinEvents } from '../../core/conversation/joinEvents.ts';
import type { ToWebview } from '../../protocol/toWebview.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';

export interface FeedPorts {
  post(message: ToWebview): void;
  now(): number;
  /** Calls back once after `milliseconds`; returns the way to call it off. */
  wait(milliseconds: number, then: () => void): () => void;
}

/** At most one batch of text in this many milliseconds: two frames of a 60 Hz screen, and never more than 30 a second. */
export const batchInterval = 34;

export class Feed {
  readonly #ports: FeedPorts;
  #seq = 0;
  #open = false;
  #pending: ShownEvent[] = [];
  #lastPost = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** A panel is there and takes what is posted. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Takes an event. After a pause, or when it asks for a decision, it goes out at once, otherwise with the next batch; while closed it is dropped. */
  push(event: ShownEvent): void {
    if (!this.#open) return;
    this.#pending.push(event);
    // Something to decide does not wait behind text.
    if (event.kind === 'toolReviewed' || event.kind === 'approvalAsked') {
      this.#flush();
      return;
    }
    if (this.#callOff !== undefined) return;
    const due = this.#lastPost + batchInterval - this.#ports.now();
    if (due <= 0) this.#flush();
    else this.#callOff = this.#ports.wait(due, () => this.#flush());
  }

  /** Anything that is not an event goes out now, behind the events that came before it. False when no panel is there to take it. */
  post(message: Exclude<ToWebview, { kind: 'events' | 'snapshot' | 'conversation' }>): boolean {
    if (!this.#open) return false;
    this.#flush();
    this.#ports.post(message);
    return true;
  }

  /** Starts again with the whole truth, which already holds every event pushed so far. */
  restart(truth: Omit<Extract<ToWebview, { kind: 'snapshot' }>, 'kind' | 'seq'>): void {
    this.#drop();
    this.#open = true;
    this.#ports.post({ kind: 'snapshot', seq: this.#seq, ...truth });
  }

  /** Another conversation takes the place of the one shown. */
  replace(conversation: Extract<ToWebview, { kind: 'conversation' }>['conversation']): void {
    if (!this.#open) return;
    this.#drop();
    this.#ports.post({ kind: 'conversation', seq: this.#seq, conversation });
  }

  /** The panel is gone or hidden: nothing is posted, and nothing is kept, until `restart`. */
  close(): void {
    this.#drop();
    this.#open = false;
  }

  #flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#pending.length === 0) return;
    const events = joinEvents(this.#pending);
    this.#pending = [];
    this.#seq += 1;
    this.#lastPost = this.#ports.now();
    this.#ports.post({ kind: 'events', seq: this.#seq, events });
  }

  #drop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#pending = [];
  }
}
