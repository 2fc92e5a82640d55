/** The usage history added up by day and by model, and as a table for other programs. Knows no files and no words for people. */
import { addTokens, noTokens, type TokenCounts } from './bill.ts';
import type { UsageRecord } from './usageRecord.ts';

export interface UsageSum {
  /** Of the counted requests. */
  readonly tokens: TokenCounts;
  /** US dollars, at the prices of then. */
  readonly money: number;
  readonly isEstimate: boolean;
  readonly counted: number;
  /** Requests whose cost nobody told, and what they cost if their input was billed. */
  readonly uncounted: number;
  readonly reckoned: number;
  readonly unbilled: number;
}

export interface DayOfUsage {
  /** `2026-11-30`, in the local time of this machine. */
  readonly day: string;
  readonly models: readonly { readonly model: string; readonly sum: UsageSum }[];
  readonly sum: UsageSum;
}

export const noUsage: UsageSum = {
  tokens: noTokens,
  money: 0,
  isEstimate: false,
  counted: 0,
  uncounted: 0,
  reckoned: 0,
  unbilled: 0,
};

/** `2026-11-30` in local time. @param at milliseconds since the epoch */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function sumUsage(records: Iterable<UsageRecord>): UsageSum {
  let sum = noUsage;
  for (const record of records) {
    switch (record.kind) {
      case 'counted':
        sum = {
          ...sum,
          tokens: addTokens(sum.tokens, record.tokens),
          money: sum.money + record.money,
          isEstimate: sum.isEstimate || record.isEstimate,
          counted: sum.counted + 1,
        };
        break;
      case 'uncounted':
        sum = { ...sum, uncounted: sum.uncounted + 1, reckoned: sum.reckoned + record.reckoned };
        break;
      case 'unbilled':
        sum = { ...sum, unbilled: sum.unbilled + 1 };
        break;
    }
  }
  return sum;
}

/** Newest day first; in a day the models by name. */
export function usageByDay(records: readonly UsageRecord[]): readonly DayOfUsage[] {
  const days = Map.groupBy(records, ({ at }) => dayOf(at));
  return [...days]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, ofDay]) => {
      const models = [...Map.groupBy(ofDay, ({ model }) => model)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([model, ofModel]) => ({ model, sum: sumUsage(ofModel) }));
      return { day, models, sum: sumUsage(ofDay) };
    });
}

const columns = [
  'day',
  'time',
  'model',
  'effort',
  'state',
  'input_tokens',
  'regular_input_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'visible_output_tokens',
  'cost_usd',
  'cost_is_estimate',
  'cache_ttl',
] as const;

/**
 * One row a request, oldest first, as RFC 4180 has it: commas, CRLF, a header. What is unknown is empty, never zero. Times are in UTC,
 * days in local time; numbers have a point whatever the locale. No text can become a formula in a spreadsheet.
 */
export function usageCsv(records: readonly UsageRecord[]): string {
  const rows = records.toSorted((a, b) => a.at - b.at).map(row);
  return [columns.join(','), ...rows.map((cells) => cells.map(cell).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
}

function row(record: UsageRecord): readonly (string | number)[] {
  const { at, model, effort, kind } = record;
  const start = [dayOf(at), new Date(at).toISOString(), model, effort, kind];
  switch (kind) {
    case 'counted': {
      const { input, regular, cached, cacheWrite, output, reasoning, visible } = record.tokens;
      return [
        ...start,
        ...[input, regular, cached, cacheWrite, output, reasoning, visible],
        decimal(record.money),
        record.isEstimate ? 'yes' : 'no',
        record.cacheTtl ?? '',
      ];
    }
    case 'uncounted':
      return [...start, '', '', '', '', '', '', '', '', '', ''];
    case 'unbilled':
      return [...start, 0, 0, 0, 0, 0, 0, 0, '0', 'no', ''];
  }
}

/** Without an exponent, and without digits that only the arithmetic put there. */
function decimal(money: number): string {
  return money.toFixed(9).replace(/\.?0+$/, '');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // Spreadsheets take a text that starts so for a formula, also when it is quoted.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
