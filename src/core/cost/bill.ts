/**
 * What requests cost, from the counts that the service told and a table of prices. Pure arithmetic: knows no settings and no words.
 * Source of the formulas: the API's reference page on usage. Input includes what was read from and written to the cache, output
 * includes reasoning; models of the previous generation don't bill cache writes apart.
 */
import type { Conversation, RequestRecord, Turn } from '../conversation/conversation.ts';
import { modelRow, type ModelId } from '../responses/models.ts';
import type { Usage } from '../responses/usage.ts';
import { cacheLife, defaultCacheLife } from './cacheLife.ts';
import type { ModelPrices, PriceTable } from './prices.ts';

/** Counts by how they are billed. `regular`, `cached` and `cacheWrite` make up `input`; `reasoning` and `visible` make up `output`. */
export interface TokenCounts {
  readonly input: number;
  /** Billed at the full input price. */
  readonly regular: number;
  /** Read from the cache. */
  readonly cached: number;
  /** Billed as written to the cache; zero for models that don't bill it. */
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  readonly visible: number;
}

export type RequestBill =
  /** `money` in US dollars. */
  | {
      readonly kind: 'told';
      readonly tokens: TokenCounts;
      readonly money: number;
      readonly isEstimate: boolean;
    }
  /** The service told no counts: it may have cost anything. */
  | { readonly kind: 'unknown' }
  /** It failed before anything was billed: it cost nothing, and that is known. */
  | { readonly kind: 'unbilled' }
  | { readonly kind: 'running' };

/** The sum over several requests. The counts and the money are those of the told ones; the others are only counted. */
export interface BillSum {
  readonly tokens: TokenCounts;
  /** US dollars. */
  readonly money: number;
  /** Made from default prices. */
  readonly isEstimate: boolean;
  readonly told: number;
  /** Requests that may have cost something that nobody knows: the true figures are higher than these. */
  readonly unknown: number;
  /** What the input of the unknown and the running ones costs, if it is billed. Not part of `money`. US dollars. */
  readonly reckoned: number;
  readonly unbilled: number;
  readonly running: number;
}

export const noTokens: TokenCounts = {
  input: 0,
  regular: 0,
  cached: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  visible: 0,
};

export function tokensOf(model: ModelId, usage: Usage): TokenCounts {
  const { input, cached, output, reasoning } = usage;
  const cacheWrite = modelRow(model)?.cacheWritesBilled === true ? usage.cacheWrite : 0;
  const regular = Math.max(0, input - cached - cacheWrite);
  return { input, regular, cached, cacheWrite, output, reasoning, visible: Math.max(0, output - reasoning) };
}

/** @param cacheTtl as the service said that it was applied @returns US dollars */
export function moneyOf(tokens: TokenCounts, prices: ModelPrices, cacheTtl: string | undefined): number {
  const isLong = cacheLife(cacheTtl) > defaultCacheLife;
  const millionths =
    tokens.regular * prices.input +
    tokens.cached * prices.cacheRead +
    tokens.cacheWrite * (isLong ? prices.cacheWrite1h : prices.cacheWrite5m) +
    tokens.output * prices.output;
  return millionths / 1e6;
}

export function billOf(request: RequestRecord, prices: PriceTable): RequestBill {
  const { model, usage, endedAt, unbilled, cacheTtl } = request;
  const ofModel = pricesOf(model, prices);
  if (usage !== undefined && usage !== null && ofModel !== undefined) {
    const tokens = tokensOf(model, usage);
    const { isEstimate } = ofModel;
    return { kind: 'told', tokens, money: moneyOf(tokens, ofModel, cacheTtl), isEstimate };
  }
  if (endedAt === undefined) return { kind: 'running' };
  return { kind: unbilled === true ? 'unbilled' : 'unknown' };
}

/**
 * What the input of a request that nobody counted costs, if it was billed and nothing of it was cached: a limit is for the bad case.
 * Zero when not even its input was reckoned before it was sent. US dollars.
 */
export function reckon({ model, expectedInput = 0 }: RequestRecord, prices: PriceTable): number {
  return (expectedInput * (pricesOf(model, prices)?.input ?? 0)) / 1e6;
}

/** Conversations may be of a version that had other models: what those cost is not known. */
function pricesOf(model: ModelId, prices: Partial<PriceTable>): PriceTable[ModelId] | undefined {
  return prices[model];
}

export function sumOf(requests: readonly RequestRecord[], prices: PriceTable): BillSum {
  const bills = requests.map((request) => billOf(request, prices));
  const told = bills.filter((bill) => bill.kind === 'told');
  const countOf = (kind: RequestBill['kind']): number => bills.filter((bill) => bill.kind === kind).length;
  return {
    tokens: told.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
    money: told.reduce((sum, { money }) => sum + money, 0),
    isEstimate: told.some(({ isEstimate }) => isEstimate),
    told: told.length,
    unknown: countOf('unknown'),
    reckoned: requests.reduce((sum, request, index) => {
      const kind = bills[index]?.kind;
      return kind === 'unknown' || kind === 'running' ? sum + reckon(request, prices) : sum;
    }, 0),
    unbilled: countOf('unbilled'),
    running: countOf('running'),
  };
}

/** All requests of a conversation in the order of sending, but for the one that named it: that has nothing to do with what they send. */
export function requestsOf({ turns }: Conversation): readonly RequestRecord[] {
  return turns.flatMap(({ requests }) => requests);
}

/** All that is paid for a turn: its requests, and the one that named the conversation, where there was one. */
export function paidFor({ requests, naming }: Pick<Turn, 'requests' | 'naming'>): readonly RequestRecord[] {
  return naming === undefined ? requests : [...requests, naming];
}

/** Which of all requests of the conversation this is: the number under which what was sent is kept. Undefined when there is none. */
export function requestIndex({ turns }: Conversation, turn: string, index: number): number | undefined {
  const at = turns.findIndex(({ id }) => id === turn);
  const count = turns[at]?.requests.length ?? 0;
  if (index < 0 || index >= count) return undefined;
  return turns.slice(0, at).reduce((sum, { requests }) => sum + requests.length, index);
}

/** The share of the input that was read from the cache, from 0 to 1; 0 when there was no input. Never above 1, whatever was told. */
export function cachedShare({ input, cached }: Pick<TokenCounts, 'input' | 'cached'>): number {
  return input <= 0 ? 0 : Math.min(1, cached / input);
}

export function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    regular: one.regular + other.regular,
    cached: one.cached + other.cached,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
    visible: one.visible + other.visible,
  };
}
