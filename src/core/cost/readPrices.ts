/** Reads prices that a person wrote into the settings. What makes no sense is named and replaced by the default, value by value. */
import * as v from 'valibot';

import { modelRow, models, type ModelId } from '../responses/models.ts';
import { defaultPrices, type ModelPricesInUse, type PriceName, type PriceTable } from './prices.ts';

export type PriceProblem =
  /** The whole setting is no object. */
  | { readonly kind: 'noObject' }
  | { readonly kind: 'unknownModel'; readonly model: string }
  | { readonly kind: 'modelNoObject'; readonly model: ModelId }
  | { readonly kind: 'unknownPrice'; readonly model: ModelId; readonly price: string }
  /** Not a number of US dollars from 0 to `highestPrice`. */
  | { readonly kind: 'badPrice'; readonly model: ModelId; readonly price: PriceName };

/** US dollars per million tokens: above it somebody has written dollars per token, or cents. */
export const highestPrice = 100_000;

const objectSchema = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const priceSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(highestPrice));

const names: readonly PriceName[] = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'];

/**
 * The table for a setting like `{ "kimi-k3": { "input": 2.5 } }`: whatever it does not name keeps its default. `undefined` and `null`
 * stand for no setting at all.
 */
export function readPrices(value: unknown): {
  readonly prices: PriceTable;
  readonly problems: readonly PriceProblem[];
} {
  const problems: PriceProblem[] = [];
  const setting = v.safeParse(objectSchema, value ?? {});
  if (!setting.success) return { prices: defaultPrices, problems: [{ kind: 'noObject' }] };
  for (const model of Object.keys(setting.output)) {
    if (modelRow(model) === undefined) problems.push({ kind: 'unknownModel', model });
  }
  const read = (model: ModelId): ModelPricesInUse => pricesOf(model, setting.output[model], problems);
  const [pro, highspeed, k3] = [read('kimi-k3.1-pro'), read('kimi-k3.1-pro-highspeed'), read('kimi-k3')];
  return { prices: { 'kimi-k3.1-pro': pro, 'kimi-k3.1-pro-highspeed': highspeed, 'kimi-k3': k3 }, problems };
}

function pricesOf(model: ModelId, value: unknown, problems: PriceProblem[]): ModelPricesInUse {
  const defaults = defaultPrices[model];
  const given = v.safeParse(objectSchema, value ?? {});
  if (!given.success) {
    problems.push({ kind: 'modelNoObject', model });
    return defaults;
  }
  for (const price of Object.keys(given.output)) {
    if (!names.some((name) => name === price)) problems.push({ kind: 'unknownPrice', model, price });
  }
  let isEstimate = false;
  const one = (price: PriceName): number => {
    const own = given.output[price];
    const read = v.safeParse(priceSchema, own);
    if (read.success) return read.output;
    if (own !== undefined) problems.push({ kind: 'badPrice', model, price });
    // A price that is never billed makes nothing uncertain.
    if (isBilled(model, price)) isEstimate = true;
    return defaults[price];
  };
  const prices = {
    input: one('input'),
    output: one('output'),
    cacheRead: one('cacheRead'),
    cacheWrite5m: one('cacheWrite5m'),
    cacheWrite1h: one('cacheWrite1h'),
  };
  return { ...prices, isEstimate };
}

function isBilled(model: ModelId, price: PriceName): boolean {
  const isWrite = price === 'cacheWrite5m' || price === 'cacheWrite1h';
  return !isWrite || models.some(({ id, cacheWritesBilled }) => id === model && cacheWritesBilled);
}
