/** What a person set against spending too much, and whether the next request may be sent under it. Knows no settings and no clock. */
import type { Failure } from '../responses/failure.ts';
import type { Forecast } from './forecast.ts';

/** US dollars; absent where nothing is set. */
export interface SpendingLimits {
  /** Ask before a request that likely costs more. */
  readonly confirmAbove?: number;
  readonly day?: number;
  readonly conversation?: number;
}

/** US dollars. What requests without a count may have cost is in it as far as it can be reckoned: a limit is for the bad case. */
export interface Spent {
  readonly day: number;
  readonly conversation: number;
}

/**
 * Why the next request is not sent, or undefined. The limits hold for what it costs at least: nobody knows how long the answer will be,
 * so the last request may go beyond a limit by its answer, and the next one is not sent.
 */
export function refusalOf(
  limits: SpendingLimits,
  spent: Spent,
  money: Pick<Forecast['money'], 'least'>,
): Extract<Failure, { kind: 'spendingLimit' }> | undefined {
  const expected = money.least;
  for (const scope of ['conversation', 'day'] as const) {
    const limit = limits[scope];
    if (limit === undefined || spent[scope] + expected <= limit) continue;
    return { kind: 'spendingLimit', scope, limit, spent: spent[scope], expected };
  }
  return undefined;
}

export function asksFirst(
  { confirmAbove }: SpendingLimits,
  { likely }: Pick<Forecast['money'], 'likely'>,
): boolean {
  return confirmAbove !== undefined && likely > confirmAbove;
}
