/** What a whole conversation cost, summed up again when a request changed and not with each piece of text. Knows no view. */
import type { Conversation, RequestRecord } from '../core/conversation/conversation.ts';
import { sumOf, type BillSum } from '../core/cost/bill.ts';
import type { PriceTable } from '../core/cost/prices.ts';

export class RunningSum {
  #known:
    | {
        readonly of: readonly (readonly RequestRecord[])[];
        readonly prices: PriceTable;
        readonly sum: BillSum;
      }
    | undefined;

  /** Lists of requests keep their identity as long as nothing happened to them: comparing them is all that text costs. */
  of({ turns }: Conversation, prices: PriceTable): BillSum {
    const known = this.#known;
    if (
      known?.prices === prices &&
      known.of.length === turns.length &&
      known.of.every((requests, index) => requests === turns[index]?.requests)
    ) {
      return known.sum;
    }
    const of = turns.map(({ requests }) => requests);
    const sum = sumOf(of.flat(), prices);
    this.#known = { of, prices, sum };
    return sum;
  }
}
