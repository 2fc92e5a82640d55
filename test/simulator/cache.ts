/**
 * The prefix cache: which leading tokens of a prompt the server has seen, in steps of 256, per model.
 * A block lives for its time to live after it was last written or read: 5 minutes, or the hour a request asks for.
 */
import { createHash } from 'node:crypto';
import { tokenize } from './tokens.ts';

export const cacheStep = 256;
const minute = 60_000;

/** The input side of a usage object. `cached` and `written` are parts of `tokens`. */
export interface InputUsage {
  readonly tokens: number;
  readonly cached: number;
  readonly written: number;
}

interface Block {
  readonly lifetime: number;
  readonly until: number;
}

export class PrefixCache {
  readonly #now: () => number;
  readonly #blocks = new Map<string, Block>();

  /** `now` in milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads and writes the prompt's blocks. The tokens behind the last full step are neither read nor written. */
  take(model: string, prompt: string, ttl: '5m' | '1h'): InputUsage {
    const tokens = tokenize(prompt);
    const now = this.#now();
    const lifetime = ttl === '1h' ? 60 * minute : 5 * minute;
    let key = model;
    let cached = 0;
    let written = 0;
    for (let from = 0; from + cacheStep <= tokens.length; from += cacheStep) {
      const block = tokens.slice(from, from + cacheStep).join('');
      key = createHash('sha256').update(key).update('\0').update(block).digest('base64');
      const known = this.#blocks.get(key);
      const fresh = known !== undefined && known.until > now;
      // A block is of use only behind a prefix that is cached without a gap.
      if (fresh && written === 0) cached += cacheStep;
      else written += cacheStep;
      const kept = fresh ? Math.max(known.lifetime, lifetime) : lifetime;
      this.#blocks.set(key, { lifetime: kept, until: now + kept });
    }
    return { tokens: tokens.length, cached, written };
  }
}
