/** Asks the person before something dear is sent. Knows no conversation. */
import * as vscode from 'vscode';

import type { Forecast } from '../../core/cost/forecast.ts';
import { asksFirst, type SpendingLimits } from '../../core/cost/limits.ts';
import { count, money } from './figures.ts';

/** The question of VS Code's own, so that tests can answer it. */
export type AskModally = (text: string, detail: string, button: string) => Promise<boolean>;

/** True when it may be sent: it costs less than the person wants to be asked about, or they said so. */
export async function confirmSpending(
  limits: SpendingLimits,
  next: Forecast,
  ask: AskModally = askModally,
): Promise<boolean> {
  if (!asksFirst(limits, next.money)) return true;
  const lines = [
    vscode.l10n.t(
      '{0} tokens in, {1} of them probably from the cache; about {2} tokens out.',
      count(next.input),
      count(next.cached),
      count(next.output.likely),
    ),
    vscode.l10n.t('It may be between {0} and {1}.', money(next.money.least), money(next.money.most)),
    ...(next.isEstimate
      ? [vscode.l10n.t('The prices are list prices: what the service bills may differ.')]
      : []),
  ];
  return ask(
    vscode.l10n.t(
      'This question will likely cost {0}. You wanted to be asked above {1}.',
      money(next.money.likely),
      money(limits.confirmAbove ?? 0),
    ),
    lines.join('\n'),
    vscode.l10n.t('Send'),
  );
}

async function askModally(text: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(text, { modal: true, detail }, button)) === button;
}
