/** What the next request will cost, before it is sent: a guess that says how far it can be off. Knows no service and no settings. */
import type { CacheTtl, Effort, ModelId } from '../responses/models.ts';
import type { Beginning, RequestRecord } from '../conversation/conversation.ts';
import { moneyOf, tokensOf } from './bill.ts';
import { cacheLife, wholeSteps } from './cacheLife.ts';
import type { PriceTable } from './prices.ts';

export interface ForecastFacts {
  readonly model: ModelId;
  readonly effort: Effort;
  /** Tokens of input expected. */
  readonly input: number;
  readonly beginning: Beginning;
  /** All requests of the conversation so far, in their order. */
  readonly before: readonly RequestRecord[];
  /** As it would be asked for. */
  readonly cacheTtl?: CacheTtl | undefined;
  /** Most tokens of output, when they are limited. */
  readonly room?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly prices: PriceTable;
}

export interface Range {
  readonly least: number;
  readonly likely: number;
  readonly most: number;
}

export interface Forecast {
  /** Tokens. */
  readonly input: number;
  /** Tokens of input that are probably cached. */
  readonly cached: number;
  /** Tokens. */
  readonly output: Range;
  /** Where the output comes from: from this conversation's own answers, or from nothing but the effort. */
  readonly basis: 'conversation' | 'effort';
  /** US dollars. `least` is what the input costs with all of the luck; `likely` adds a usual answer. */
  readonly money: Range;
  /** Made from default prices. */
  readonly isEstimate: boolean;
}

/** Tokens of reasoning and answer together for an everyday question, as long as the conversation says nothing better. */
const usualOutput: Readonly<Record<Effort, number>> = { low: 1_000, high: 4_000, max: 10_000 };

/** Output of the last answers that a guess is made from. */
const memory = 8;

export function forecast(facts: ForecastFacts): Forecast {
  const { model, input, prices, cacheTtl } = facts;
  const findable = Math.min(wholeSteps(input), cachedBefore(facts));
  const cached = isKept(facts) ? findable : 0;
  const { output, basis } = outputOf(facts);
  const money = (inCache: number, out: number): number => {
    const cacheWrite = wholeSteps(input) - inCache;
    const tokens = tokensOf(model, { input, cached: inCache, cacheWrite, output: out, reasoning: 0 });
    return moneyOf(tokens, prices[model], cacheTtl);
  };
  return {
    input,
    cached,
    output,
    basis,
    money: {
      least: money(findable, output.least),
      likely: money(cached, output.likely),
      most: money(0, output.most),
    },
    isEstimate: prices[model].isEstimate,
  };
}

/** When what the last request left in the cache runs out: milliseconds since the epoch. Undefined when there is nothing in it. */
export function cacheEnd(before: readonly RequestRecord[]): number | undefined {
  const last = before.findLast(({ unbilled }) => unbilled !== true);
  if (last === undefined) return undefined;
  const said = before.findLast(({ cacheTtl }) => cacheTtl !== undefined)?.cacheTtl;
  return (last.endedAt ?? last.sentAt) + cacheLife(said);
}

function isKept({ before, now }: ForecastFacts): boolean {
  const end = cacheEnd(before);
  return end !== undefined && now <= end;
}

/** Tokens of the beginning that the service has seen from this conversation, when this request begins so too. */
function cachedBefore({ beginning, before, model }: ForecastFacts): number {
  const last = before
    .flatMap((one) => (one.usage ? [{ model: one.model, input: one.usage.input }] : []))
    .at(-1);
  if (last === undefined || last.model !== model) return 0;
  const all = wholeSteps(last.input);
  switch (beginning.kind) {
    case 'first':
      return 0;
    case 'grown':
      return all;
    case 'changed':
      // Of a changed input the items in front of the change are found, as far as anybody can tell in proportion.
      return beginning.by === 'input' && beginning.of > 0
        ? wholeSteps((all * beginning.same) / beginning.of)
        : 0;
  }
}

function outputOf({ before, model, effort, room }: ForecastFacts): Pick<Forecast, 'output' | 'basis'> {
  const ceiling = room ?? Infinity;
  const own = before
    .flatMap((one) => (one.model === model && one.effort === effort ? (one.usage ?? []) : []))
    .slice(-memory)
    .map(({ output }) => Math.min(ceiling, output))
    .toSorted((a, b) => a - b);
  if (own.length > 0) {
    const [least, likely, most] = [own[0]!, own[Math.floor(own.length / 2)]!, own.at(-1)!];
    return { output: { least, likely, most }, basis: 'conversation' };
  }
  const usual = Math.min(ceiling, usualOutput[effort]);
  return { output: { least: 0, likely: usual, most: Math.min(ceiling, usual * 4) }, basis: 'effort' };
}
