/** What the models cost, as a table. Knows no settings, no money that was spent and no currency but US dollars. */
import type { ModelId } from '../responses/models.ts';

/** US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** What is written to the cache to be kept for five minutes, and for an hour. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

export type PriceName = keyof ModelPrices;

export interface ModelPricesInUse extends ModelPrices {
  /** Some price of this model is our default and not the person's own figure: every amount made from it is an estimate. */
  readonly isEstimate: boolean;
}

export type PriceTable = Readonly<Record<ModelId, ModelPricesInUse>>;

/**
 * The vendor's list prices as resellers quoted them in October 2026. The service itself publishes none, so what it bills can differ:
 * amounts made from these are estimates. The previous generation does not bill what is written to the cache.
 */
export const defaultPrices: PriceTable = {
  'kimi-k3.1-pro': estimate({ input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2, cacheWrite1h: 4 }),
  'kimi-k3.1-pro-highspeed': estimate({
    input: 4,
    output: 20,
    cacheRead: 0.2,
    cacheWrite5m: 4,
    cacheWrite1h: 8,
  }),
  'kimi-k3': estimate({ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 0, cacheWrite1h: 0 }),
};

function estimate(prices: ModelPrices): ModelPricesInUse {
  return { ...prices, isEstimate: true };
}
