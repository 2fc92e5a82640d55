/**
 * What the usage history keeps of a request: when, which model, how much, and never a word of it. One line of JSON each time something
 * becomes known: that it was sent, and what came of it. Lines of one id tell of one request, the last one counts.
 */
import * as v from 'valibot';

import type { RequestRecord } from '../conversation/conversation.ts';
import { billOf, reckon } from './bill.ts';
import type { PriceTable } from './prices.ts';

const count = v.pipe(v.number(), v.minValue(0));

const common = {
  /** Unique over all requests. */
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** When it was sent: milliseconds since the epoch. */
  at: count,
  /** A text: later versions know other models. */
  model: v.pipe(v.string(), v.maxLength(200)),
  effort: v.pipe(v.string(), v.maxLength(200)),
};

/** Field names are those of files on people's disks: they stay. */
const recordSchema = v.variant('kind', [
  v.object({
    kind: v.literal('counted'),
    ...common,
    tokens: v.object({
      input: count,
      regular: count,
      cached: count,
      cacheWrite: count,
      output: count,
      reasoning: count,
      visible: count,
    }),
    /** US dollars at the prices of then. */
    money: count,
    isEstimate: v.boolean(),
    cacheTtl: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  /** It was sent, and nobody told what it took. `reckoned` is what its input costs if it was billed. */
  v.object({ kind: v.literal('uncounted'), ...common, reckoned: count }),
  /** It certainly cost nothing. */
  v.object({ kind: v.literal('unbilled'), ...common }),
]);

export type UsageRecord = Readonly<v.InferOutput<typeof recordSchema>>;

/** The record of a request as it stands, running ones included. */
export function usageRecord(id: string, request: RequestRecord, prices: PriceTable): UsageRecord {
  const { model, effort, sentAt: at, cacheTtl } = request;
  const what = { id, at, model, effort };
  const bill = billOf(request, prices);
  switch (bill.kind) {
    case 'told': {
      const { tokens, money, isEstimate } = bill;
      return {
        kind: 'counted',
        ...what,
        tokens,
        money,
        isEstimate,
        ...(cacheTtl !== undefined && { cacheTtl: cacheTtl.slice(0, 200) }),
      };
    }
    case 'unbilled':
      return { kind: 'unbilled', ...what };
    case 'unknown':
    case 'running':
      return { kind: 'uncounted', ...what, reckoned: reckon(request, prices) };
  }
}

/** Undefined for a line that was cut off, was written by a later version in a way of its own, or was never ours. */
export function readUsageLine(line: string): UsageRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const read = v.safeParse(recordSchema, value);
  return read.success ? read.output : undefined;
}
