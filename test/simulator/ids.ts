/** Ids as the service makes them: a prefix and 24 hex digits (time, machine, rising counter), so neighbours differ by one. */
import { randomBytes } from 'node:crypto';

export type IdPrefix = 'resp' | 'rs' | 'msg' | 'fc' | 'ctc' | 'ws';

export class Ids {
  readonly #now: () => number;
  readonly #machine = randomBytes(5).toString('hex');
  #counter = randomBytes(3).readUIntBE(0, 3);

  /** `now` in milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  next(prefix: IdPrefix): string {
    const seconds = (Math.floor(this.#now() / 1000) >>> 0).toString(16).padStart(8, '0');
    this.#counter = (this.#counter + 1) & 0xff_ff_ff;
    return `${prefix}_${seconds}${this.#machine}${this.#counter.toString(16).padStart(6, '0')}`;
  }
}

/** Name and position among the calls of one response: the same ids come again with every response. */
export function callId(name: string, position: number): string {
  return `${name}:${position}`;
}
