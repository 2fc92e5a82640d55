/** What a panel is told around a conversation: how full the window is, and what was spent. Types alone; all of it is plain JSON. */
import type { ModelId } from '../responses/models.ts';
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
  /** The usage history can't be written: what was spent is only known of this window, since it opened. */
  readonly unkept?: true;
}

export function levelOf(used: number, window: number): ContextLevel {
  const share = used / window;
  if (share > 1) return 'over';
  if (share >= 0.95) return 'full';
  return share >= 0.8 ? 'high' : 'fine';
}
