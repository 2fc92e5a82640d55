/** Cuts the text of a script into deltas and keeps count of what they cost. */
import { emitted, isEmit, isEnding, sent, type Beat } from './beats.ts';
import type { Ending, Piece } from './script.ts';
import { tokenize } from './tokens.ts';
import type { StreamEvent } from './wire.ts';

/** Counts what the answer costs as it goes. */
export class Purse {
  readonly budget: number;
  spent = 0;
  reasoning = 0;

  constructor(budget: number) {
    this.budget = budget;
  }

  spend(tokens: number, onReasoning: boolean): void {
    this.spent += tokens;
    if (onReasoning) this.reasoning += tokens;
  }

  get left(): number {
    return Math.max(0, this.budget - this.spent);
  }
}

/** Cuts text into deltas and stops when the budget is gone. */
export class Deltas {
  readonly #purse: Purse;
  readonly #size: number | 'pieces';
  readonly #onReasoning: boolean;

  constructor(purse: Purse, size: number | 'pieces', onReasoning: boolean) {
    this.#purse = purse;
    this.#size = size;
    this.#onReasoning = onReasoning;
  }

  /** Beats of the pieces; `told` hears each delta before it goes out and makes its event. */
  *of(
    pieces: readonly Piece[],
    told: (delta: string) => StreamEvent,
  ): Generator<Beat, Ending | undefined, void> {
    for (const piece of pieces) {
      if (typeof piece !== 'string') {
        if (isEnding(piece)) return piece;
        yield isEmit(piece) ? emitted(piece) : piece;
        continue;
      }
      const tokens = tokenize(piece);
      const size = this.#size === 'pieces' ? Math.max(1, tokens.length) : this.#size;
      for (let from = 0; from < tokens.length; from += size) {
        const group = tokens.slice(from, Math.min(from + size, from + this.#purse.left));
        if (group.length > 0) {
          this.#purse.spend(group.length, this.#onReasoning);
          yield { kind: 'event', event: sent(told(group.join(''))), tokens: group.length };
        }
        if (group.length < Math.min(size, tokens.length - from)) {
          return { kind: 'incomplete', reason: 'max_output_tokens' };
        }
      }
    }
    return undefined;
  }
}
