/** What a running turn remembers of its own events: the history so far, which parts are open, which round it is. */
import { reduceHistory, type History } from './history.ts';
import type { OtherAddress } from './modelPort.ts';
import { reduceRequests, type RequestLog } from './requestLog.ts';
import { partId } from './rounds.ts';
import type { TurnEvent } from './turnEvent.ts';

export class TurnRecord {
  /** Where the next attempt goes, when not to the address of the settings. What was found to work is kept for the turn. */
  via: OtherAddress | undefined;
  #history: History;
  #requests: RequestLog;
  /** Of the next round. */
  #round: number;
  readonly #open = new Map<string, 'text' | 'call'>();
  #broken: string[] = [];

  constructor(before: { readonly history: History; readonly requests: RequestLog }, firstRound: number) {
    this.#history = before.history;
    this.#requests = before.requests;
    this.#round = firstRound - 1;
  }

  get history(): History {
    return this.#history;
  }

  get requests(): RequestLog {
    return this.#requests;
  }

  /** The present one, from 0. */
  get round(): number {
    return this.#round;
  }

  /** Parts that were opened and not closed, in order. */
  get open(): ReadonlyMap<string, 'text' | 'call'> {
    return this.#open;
  }

  /** Parts of the present round, unless that is finished. */
  get broken(): readonly string[] {
    return this.#broken;
  }

  startRound(): void {
    this.#round += 1;
    this.#broken = [];
  }

  /** The answer of this round stands, whatever happens afterwards. */
  finishRound(): void {
    this.#broken = [];
  }

  partOf(slot: number): string {
    return partId(this.#round, slot);
  }

  /** Returns the event, to be passed on. */
  note<E extends TurnEvent>(event: E): E {
    this.#history = reduceHistory(this.#history, event);
    this.#requests = reduceRequests(this.#requests, event);
    if (event.kind === 'partOpened' || event.kind === 'toolOpened') {
      this.#open.set(event.part, event.kind === 'partOpened' ? 'text' : 'call');
      this.#broken.push(event.part);
    } else if (event.kind === 'partClosed' || event.kind === 'toolSettled') {
      this.#open.delete(event.part);
    }
    return event;
  }
}
