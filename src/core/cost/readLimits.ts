/** Reads the amounts that a person set against spending too much. A limit that can't be read is named: it must not vanish unseen. */
import * as v from 'valibot';

import type { SpendingLimits } from './limits.ts';

export type LimitName = keyof SpendingLimits;

const amountSchema = v.pipe(v.number(), v.finite(), v.minValue(0));

/**
 * US dollars each; 0, `null` and `undefined` stand for no limit.
 * @returns the limits that can be read, and the names of the others
 */
export function readLimits(values: Readonly<Record<LimitName, unknown>>): {
  readonly limits: SpendingLimits;
  readonly problems: readonly LimitName[];
} {
  const limits: { -readonly [name in LimitName]?: number } = {};
  const problems: LimitName[] = [];
  for (const name of ['confirmAbove', 'day', 'conversation'] as const) {
    const read = v.safeParse(amountSchema, values[name] ?? 0);
    if (!read.success) problems.push(name);
    else if (read.output > 0) limits[name] = read.output;
  }
  return { limits, problems };
}
