/**
 * Feeds one panel: numbers the batches and paces them. Knows the panel only as a function that posts, and time only as a
 * function that waits, so that it can be counted in a test.
 */
import type { Conversation } from '../../core/conversation/conversation.ts';
import { joinEvents } from '../../core/conversation/joinEvents.ts';
import type { ToWebview } from '../../protocol/toWebview.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import { lastPiece } from '../sessions/earlierTurns.ts';

export interface FeedPorts {
  post(message: ToWebview): void;
  now(): number;
  /** Calls back once after `milliseconds`; returns the way to call it off. */
  wait(milliseconds: number, then: () => void): () => void;
}

/** At most one batch of text in this many milliseconds: two frames of a 60 Hz screen, and never more than 30 a second. */
export const batchInterval = 34;

/** Of a conversation that is told in pieces. */
export interface Told {
  /** As it is whenever that is asked: the earlier turns of a long one are told later. What it is at first when absent. */
  readonly now?: () => Conversation;
  /** More of it is still being read. */
  readonly isPart?: boolean;
}

export class Feed {
  readonly #ports: FeedPorts;
  #seq = 0;
  #open = false;
  #pending: ShownEvent[] = [];
  #lastPost = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  /** Calls off what the panel was not told yet of a long conversation. */
  #callOffEarlier: (() => void) | undefined;

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
  post(message: Exclude<ToWebview, { kind: 'events' | 'snapshot' | 'conversation' | 'earlier' }>): boolean {
    if (!this.#open) return false;
    this.#flush();
    this.#ports.post(message);
    return true;
  }

  /** Starts again with the whole truth, which already holds every event pushed so far. */
  restart(
    truth: Omit<Extract<ToWebview, { kind: 'snapshot' }>, 'kind' | 'seq' | 'earlier'>,
    told: Told = {},
  ): void {
    this.#drop();
    this.#open = true;
    this.#ports.post({
      kind: 'snapshot',
      seq: this.#seq,
      ...truth,
      ...this.#begin(truth.conversation, told),
    });
  }

  /** Another conversation takes the place of the one shown. */
  replace(conversation: Conversation, told: Told = {}): void {
    if (!this.#open) return;
    this.#drop();
    this.#ports.post({ kind: 'conversation', seq: this.#seq, ...this.#begin(conversation, told) });
  }

  /** The panel is gone or hidden: nothing is posted, and nothing is kept, until `restart`. */
  close(): void {
    this.#drop();
    this.#open = false;
  }

  /** What of a conversation is told at once. */
  #begin(
    conversation: Conversation,
    { now = () => conversation, isPart = false }: Told,
  ): { readonly conversation: Conversation; readonly earlier?: true } {
    const { turns, before } = lastPiece(conversation);
    this.#tellEarlier(before, now, isPart);
    return { conversation: { ...conversation, turns }, ...((before > 0 || isPart) && { earlier: true }) };
  }

  /** What happens in these turns before they are told is in them by then. */
  #tellEarlier(count: number, now: () => Conversation, isPart: boolean): void {
    if (count === 0) return;
    this.#callOffEarlier = this.#ports.wait(batchInterval, () => {
      this.#flush();
      const conversation = now();
      const { turns, before } = lastPiece(conversation, count);
      this.#ports.post({
        ...{ kind: 'earlier', conversation: conversation.id, turns },
        ...((before > 0 || isPart) && { more: true }),
      });
      this.#tellEarlier(before, now, isPart);
    });
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
    this.#callOffEarlier?.();
    this.#callOffEarlier = undefined;
    this.#pending = [];
  }
}
