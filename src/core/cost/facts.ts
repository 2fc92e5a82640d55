/** What a panel is told around a conversation: how full the window is, and what was spent. Types alone; all of it is plain JSON. */
import type { ModelId } from '../responses/models.ts';
import type { BillSum } from './bill.ts';
import type { ContextBreakdown } from './estimate.ts';
import type { Forecast } from './forecast.ts';
import type { SpendingLimits } from './limits.ts';
import type { PriceTable } from './prices.ts';
import type { UsageSum } from './usageSums.ts';

export interface ContextFacts {
  readonly model: ModelId;
  /** Tokens that the next request takes before anything is asked. */
  readonly used: number;
  readonly window: number;
  /** Adds up to `used`. */
  readonly breakdown: ContextBreakdown;
  /** How many of `used` the service has not counted yet. */
  readonly estimated: number;
  /** Tokens for one unit of weight: 1 until the service has counted something. */
  readonly factor: number;
  /** When what is cached runs out: milliseconds since the epoch. Absent when nothing is cached. */
  readonly cacheUntil?: number;
  readonly level: ContextLevel;
}

/** From 80 % and from 95 % of the window. `over` does not fit at all. */
export type ContextLevel = 'fine' | 'high' | 'full' | 'over';

export interface SpendingFacts {
  /** Of all windows. */
  readonly today: UsageSum;
  readonly limits: SpendingLimits;
  readonly prices: PriceTable;
  /** Of the question as it stands, over all that is sent with it. */
  readonly next: Forecast;
  /** Absent where the requests of the shown conversation are all that it costs: no other versions, no fork. */
  readonly family?: FamilySpending;
  /** The usage history can't be written: what was spent is only known of this window, since it opened. */
  readonly unkept?: true;
}

/** What a conversation costs of which more was asked than is shown. */
export interface FamilySpending {
  /** What a limit for a conversation holds for: every request once, of every version, deleted turns included. */
  readonly whole: BillSum;
  /** The part of `whole` for versions that aren't shown. Absent when there are none. */
  readonly otherVersions?: BillSum;
  /** What a fork began with. Not in `whole`: it was paid in the conversation that it was taken from. */
  readonly beforeFork?: BillSum;
}

export function levelOf(used: number, window: number): ContextLevel {
  const share = used / window;
  if (share > 1) return 'over';
  if (share >= 0.95) return 'full';
  return share >= 0.8 ? 'high' : 'fine';
}
