/** Numbers as people read them at a glance; the exact figure belongs into the tooltip. Pure but for the locale. */
import { l10n } from './l10n.ts';

const short: Intl.NumberFormatOptions = {
  notation: 'compact',
  maximumSignificantDigits: 3,
  // 999,950 must not become `1000k`.
  roundingPriority: 'lessPrecision',
  maximumFractionDigits: 1,
};
/** For two that the short form does not tell apart. */
const finer: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 2 };
const exact: Intl.NumberFormatOptions = {};
const shares: Intl.NumberFormatOptions = { style: 'percent' };
const tenths: Intl.NumberFormatOptions = { maximumFractionDigits: 1 };
const dollar = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const littleMoney: Intl.NumberFormatOptions = { ...dollar, maximumSignificantDigits: 2 };
const cents: Intl.NumberFormatOptions = { ...dollar, minimumFractionDigits: 2, maximumFractionDigits: 2 };
const mills: Intl.NumberFormatOptions = { ...cents, maximumFractionDigits: 3 };
const allDigits: Intl.NumberFormatOptions = { ...cents, maximumFractionDigits: 6 };

/** `950`, `1.9k`, `212k`, `1M`. Other languages group as they do (`21万`). */
export function shortCount(count: number): string {
  return compact(count, short);
}

/** A count and the whole of it, as short as they can be told apart: `212k` of `1M`, and `1.02M` of `1.05M`. */
export function shortCounts(count: number, whole: number): readonly [string, string] {
  const forms = [shortCount, (one: number) => compact(one, finer)];
  const form = forms.find((write) => count === whole || write(count) !== write(whole)) ?? exactCount;
  return [form(count), form(whole)];
}

function compact(count: number, options: Intl.NumberFormatOptions): string {
  const parts = l10n.numbers(options).formatToParts(count);
  return parts.map((part) => (part.type === 'compact' && part.value === 'K' ? 'k' : part.value)).join('');
}

/** `1,930`, with the locale's separators. */
export function exactCount(count: number): string {
  return l10n.numbers(exact).format(count);
}

/** A share of 0 to 1 as `94 %`. All but everything is never shown as everything, nor a little as nothing. */
export function percent(share: number): string {
  const clamped = Math.min(1, Math.max(0, share));
  const whole = Math.round(clamped * 100);
  const honest = whole === 100 && clamped < 1 ? 99 : whole === 0 && clamped > 0 ? 1 : whole;
  return l10n.numbers(shares).format(honest / 100);
}

/** US dollars: three digits that matter below one dollar, cents above. `$0.031`, `$1.25`. A little is never nothing: `<$0.001`. */
export function money(dollars: number): string {
  const little = dollars > 0 && dollars < 0.0005;
  return little ? `<${currency(0.001)}` : currency(dollars);
}

/** For where words say already that it is about so much, or at least: a little keeps the digits that matter. `$0.00031`. */
export function plainMoney(dollars: number): string {
  if (dollars <= 0 || dollars >= 0.0005) return money(dollars);
  return l10n.numbers(littleMoney).format(dollars);
}

/** With every digit that was reckoned, for tooltips, or that a person set: `$0.030517`. */
export function exactMoney(dollars: number): string {
  return l10n.numbers(allDigits).format(dollars);
}

function currency(dollars: number): string {
  return l10n.numbers(Math.abs(dollars) < 1 ? mills : cents).format(dollars);
}

/** `≈ $0.031`, of a figure that is only about so much. */
export function about(figure: string): string {
  return unbroken(`≈ ${figure}`);
}

/** No line ends between a figure and what it counts. */
function unbroken(figure: string): string {
  return figure.replaceAll(' ', '\u00a0');
}

/** `0.4 s` below one second, then `18 s`, `2 min 5 s`, `1 h 3 min`. Never negative. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms > 0 && ms < 950) return unbroken(l10n.t('{0} s', oneDigit(Math.max(0.1, ms / 1000))));
  return wholeSeconds(Math.round(ms / 1000));
}

/** Like `duration`, for what is still running: whole seconds only, so that it counts evenly. */
export function runningTime(milliseconds: number): string {
  return wholeSeconds(Math.floor(Math.max(0, milliseconds) / 1000));
}

function wholeSeconds(seconds: number): string {
  return unbroken(secondsText(seconds));
}

function secondsText(seconds: number): string {
  if (seconds < 60) return l10n.t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    const rest = seconds % 60;
    return rest === 0 ? l10n.t('{0} min', minutes) : l10n.t('{0} min {1} s', minutes, rest);
  }
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? l10n.t('{0} h', hours) : l10n.t('{0} h {1} min', hours, rest);
}

function oneDigit(value: number): string {
  return l10n.numbers(tenths).format(value);
}
