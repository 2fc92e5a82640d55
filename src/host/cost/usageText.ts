/** The usage history as text to read: a table by day and by model, in Markdown that is also legible as it stands. */
import * as vscode from 'vscode';

import { modelRow } from '../../core/responses/models.ts';
import { sumUsage, usageByDay, type UsageSum } from '../../core/cost/usageSums.ts';
import type { UsageRecord } from '../../core/cost/usageRecord.ts';
import { count, money } from './figures.ts';

export interface UsageFacts {
  readonly records: readonly UsageRecord[];
  /** Not everything could be kept. */
  readonly unkept: boolean;
}

export function usageText({ records, unkept }: UsageFacts): string {
  const title = `# ${vscode.l10n.t('Usage history')}`;
  const notes = unkept
    ? [
        vscode.l10n.t(
          'The history can’t be written to the disk. What this window spends is lost when it closes.',
        ),
      ]
    : [];
  if (records.length === 0) {
    return paragraphs([title, ...notes, vscode.l10n.t('Nothing was asked yet.')]);
  }
  const whole = sumUsage(records);
  return paragraphs([title, ...notes, table(records, whole), ...explanations(whole)]);
}

function table(records: readonly UsageRecord[], whole: UsageSum): string {
  const { l10n } = vscode;
  const rows = usageByDay(records).flatMap(({ day, models, sum }) => [
    ...models.map((one, index) => [
      index === 0 ? day : '',
      modelRow(one.model)?.label ?? one.model,
      ...cells(one.sum),
    ]),
    // A day with one model is its own sum.
    ...(models.length > 1 ? [['', l10n.t('Day'), ...cells(sum)]] : []),
  ]);
  const head = [
    l10n.t('Day'),
    l10n.t('Model'),
    l10n.t('Requests'),
    l10n.t('Tokens in'),
    l10n.t('Cached'),
    l10n.t('Cache writes'),
    l10n.t('Tokens out'),
    l10n.t('Reasoning'),
    l10n.t('Cost'),
  ];
  return markdownTable(head, [...rows, [l10n.t('Total'), '', ...cells(whole)]]);
}

function cells(sum: UsageSum): readonly string[] {
  const { tokens, counted, uncounted, unbilled } = sum;
  const spent = sum.isEstimate ? `≈ ${money(sum.money)}` : money(sum.money);
  const known = counted + unbilled > 0;
  return [
    count(counted + uncounted + unbilled),
    ...[tokens.input, tokens.cached, tokens.cacheWrite, tokens.output, tokens.reasoning].map((tokenCount) =>
      known ? count(tokenCount) : '?',
    ),
    known ? (uncounted > 0 ? `${spent} + ?` : spent) : '?',
  ];
}

function explanations({ isEstimate, uncounted, reckoned }: UsageSum): readonly string[] {
  const { l10n } = vscode;
  return [
    ...(isEstimate
      ? [
          l10n.t(
            '≈ Made from list prices, which may differ from what the service bills. Set your own in the setting {0}.',
            '`kimiChat.prices`',
          ),
        ]
      : []),
    ...(uncounted > 0
      ? [
          l10n.t(
            '? The service told no counts for {0} requests, or they are still running. If their input was billed, they cost at least {1} in all.',
            count(uncounted),
            money(reckoned),
          ),
        ]
      : []),
    l10n.t('Days are those of this machine. Amounts are in US dollars, at the prices of then.'),
  ];
}

/** Columns of one width: the first two to the left, figures to the right. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const safe = [head, ...rows].map((row) =>
    row.map((text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')),
  );
  const widths = head.map((_, column) => Math.max(3, ...safe.map((row) => row[column]?.length ?? 0)));
  const lines = safe.map((row) =>
    row.map((text, column) =>
      column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    ),
  );
  const rule = widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [first = [], ...rest] = lines;
  return [first, rule, ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function paragraphs(all: readonly string[]): string {
  return `${all.join('\n\n')}\n`;
}
