/** What the shown turns of a conversation cost, summed up again when a request changed and not with each piece of text. Knows no view. */
import type { Conversation, Turn } from '../core/conversation/conversation.ts';
import { paidFor, sumOf, type BillSum } from '../core/cost/bill.ts';
import type { PriceTable } from '../core/cost/prices.ts';

export class RunningSum {
  #known:
    | {
        readonly turns: readonly Turn[];
        readonly prices: PriceTable;
        readonly sum: BillSum;
      }
    | undefined;

  /** Turns and their lists of requests keep their identity as long as nothing happened to them: comparing them is all that text costs. */
  of({ turns }: Conversation, prices: PriceTable): BillSum {
    const known = this.#known;
    if (
      known?.prices === prices &&
      known.turns.length === turns.length &&
      turns.every((turn, at) => isSame(turn, known.turns[at]))
    ) {
      return known.sum;
    }
    const sum = sumOf(turns.flatMap(paidFor), prices);
    this.#known = { turns, prices, sum };
    return sum;
  }
}

function isSame(turn: Turn, known: Turn | undefined): boolean {
  return turn === known || (turn.requests === known?.requests && turn.naming === known.naming);
}
