/** What a turn or a conversation cost, in words and figures. Unknown is said to be unknown, and never taken for nothing. Pure. */
import type { RequestRecord } from '../core/conversation/conversation.ts';
import {
  billOf,
  cachedShare,
  moneyOf,
  noTokens,
  sumOf,
  type BillSum,
  type TokenCounts,
} from '../core/cost/bill.ts';
import type { FamilySpending } from '../core/cost/facts.ts';
import type { PriceTable } from '../core/cost/prices.ts';
import { dotted } from './dot.ts';
import { about, exactCount, money, percent, plainMoney } from './figures.ts';
import { l10n } from './l10n.ts';

export function atLeast(dollars: number, isEstimate: boolean): string {
  const text = plainMoney(dollars);
  return l10n.t('at least {0}', isEstimate ? about(text) : text);
}

/** `$0.031`, with a sign in front when it was made from list prices. */
export function amount(dollars: number, isEstimate: boolean): string {
  const text = money(dollars);
  // Less than something is vague enough.
  return isEstimate && !text.startsWith('<') ? about(text) : text;
}

/** `≈ $0.031`, `at least $0.031`, `cost unknown`, `nothing billed`. Undefined while nothing was asked of the service. */
export function costText(sum: BillSum): string | undefined {
  if (sum.told === 0) {
    if (sum.unknown > 0) return l10n.t('cost unknown');
    return sum.unbilled > 0 && sum.running === 0 ? l10n.t('nothing billed') : undefined;
  }
  return sum.unknown > 0 ? atLeast(sum.money, sum.isEstimate) : amount(sum.money, sum.isEstimate);
}

/** What the last turn cost, `Last turn: ≈ $0.031 · 94 % cached`. Undefined while nothing was asked. */
export function lastTurnText(
  turns: readonly { readonly requests: readonly RequestRecord[] }[],
  prices: PriceTable,
): string | undefined {
  const last = turns.at(-1);
  if (last === undefined || last.requests.length === 0) return undefined;
  const sum = sumOf(last.requests, prices);
  const facts = [costText(sum) ?? l10n.t('running'), cachedText(sum)].filter((fact) => fact !== undefined);
  return l10n.t('Last turn: {0}', dotted(facts));
}

/** Behind words that say what it is: `unknown`, `nothing`, or as `costText`. */
export function spentText(sum: BillSum): string {
  if (sum.told > 0) return costText(sum) ?? '';
  return sum.unknown > 0 ? l10n.t('unknown') : l10n.t('nothing');
}

/** What is in the sum of a conversation that is not on the screen, and what is on the screen and not in the sum. */
export function familyLines(family: FamilySpending | undefined): readonly string[] {
  const { otherVersions, beforeFork } = family ?? {};
  return [
    ...(otherVersions === undefined
      ? []
      : [l10n.t('Of that, for versions that aren’t shown: {0}', spentText(otherVersions))]),
    ...(beforeFork === undefined
      ? []
      : [l10n.t('Paid before the fork, and not counted here: {0}', spentText(beforeFork))]),
  ];
}

/** What naming the conversation took, which stands in the sum and under no turn's answer. Undefined when nothing was asked for that. */
export function namingLine(
  turns: readonly { readonly naming?: RequestRecord }[],
  prices: PriceTable,
): string | undefined {
  const requests = turns.flatMap(({ naming }) => naming ?? []);
  const cost = requests.length === 0 ? undefined : costText(sumOf(requests, prices));
  return cost === undefined ? undefined : l10n.t('Of that, for the title: {0}', cost);
}

/** `94 % cached`; undefined when no count was told. */
export function cachedText(sum: BillSum): string | undefined {
  return sum.told === 0 || sum.tokens.input === 0
    ? undefined
    : l10n.t('{0} cached', percent(cachedShare(sum.tokens)));
}

export interface BillRow {
  readonly kind: BillKind;
  readonly name: string;
  readonly tokens: number;
  /** US dollars. */
  readonly money: number;
}

export type BillKind = 'regular' | 'cached' | 'cacheWrite' | 'reasoning' | 'visible';

const kinds: readonly BillKind[] = ['regular', 'cached', 'cacheWrite', 'reasoning', 'visible'];

/** A row a kind of token over all requests that were counted; kinds that did not occur are left out, but for the answer. */
export function billRows(requests: readonly RequestRecord[], prices: PriceTable): readonly BillRow[] {
  const told = requests.flatMap((request) => {
    const bill = billOf(request, prices);
    return bill.kind === 'told' ? [{ request, tokens: bill.tokens }] : [];
  });
  if (told.length === 0) return [];
  return kinds.flatMap((kind) => {
    const tokens = told.reduce((sum, one) => sum + one.tokens[kind], 0);
    if (tokens === 0 && kind !== 'visible') return [];
    const cost = told.reduce((sum, { request, tokens: counts }) => {
      const own = only(kind, counts);
      return sum + moneyOf(own, prices[request.model], request.cacheTtl);
    }, 0);
    return [{ kind, name: kindName(kind), tokens, money: cost }];
  });
}

/** What is said below the rows. */
export function billNotes(sum: BillSum): readonly string[] {
  return [
    ...(sum.isEstimate ? [l10n.t('Made from list prices: the service may bill otherwise.')] : []),
    ...(sum.unknown > 0
      ? [
          sum.told === 0
            ? l10n.t('The service told no counts. It may have billed something all the same.')
            : l10n.t(
                'The service told no counts for {0} of {1} requests: the true figures are higher.',
                exactCount(sum.unknown),
                exactCount(sum.unknown + sum.told + sum.unbilled),
              ),
        ]
      : []),
    ...(sum.unbilled > 0 && sum.told + sum.unknown > 0
      ? [l10n.t('Requests that failed before the service worked on them were not billed: {0}.', sum.unbilled)]
      : []),
  ];
}

/** What one request cost, as short as the whole turn. */
export function requestCost(request: RequestRecord, prices: PriceTable): string {
  return costText(sumOf([request], prices)) ?? l10n.t('running');
}

function only(kind: BillKind, counts: TokenCounts): TokenCounts {
  switch (kind) {
    case 'regular':
    case 'cached':
    case 'cacheWrite':
      return { ...noTokens, [kind]: counts[kind] };
    case 'reasoning':
    case 'visible':
      return { ...noTokens, output: counts[kind] };
  }
}

function kindName(kind: BillKind): string {
  switch (kind) {
    case 'regular':
      return l10n.t('Regular input');
    case 'cached':
      return l10n.t('Cached input');
    case 'cacheWrite':
      return l10n.t('Cache writes');
    case 'reasoning':
      return l10n.t('Reasoning');
    case 'visible':
      return l10n.t('Visible output');
  }
}
