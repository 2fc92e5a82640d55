/** Tells what of the prices and limits in the settings can't be read: a limit that silently does nothing would cost money. */
import * as vscode from 'vscode';

import type { LimitName } from '../../core/cost/readLimits.ts';
import { highestPrice, type PriceProblem } from '../../core/cost/readPrices.ts';
import { DisposableStore } from '../disposables.ts';
import type { Settings } from '../settings.ts';
import { count } from './figures.ts';

/** Tells of problems now and whenever others come up; once for the same ones. */
export function tellCostProblems(
  settings: Pick<Settings, 'costProblems' | 'onDidChange'>,
  tell: (text: string, setting: string) => void = tellAndOfferSettings,
): vscode.Disposable {
  const store = new DisposableStore();
  let told = '';
  const look = (): void => {
    const problems = costProblemTexts(settings.costProblems);
    const now = JSON.stringify(problems);
    if (now === told) return;
    told = now;
    for (const { text, setting } of problems) tell(text, setting);
  };
  store.add(settings.onDidChange(look));
  look();
  return store;
}

/** One sentence a setting, with the first problem that it has. */
export function costProblemTexts({
  prices,
  limits,
}: Settings['costProblems']): readonly { readonly text: string; readonly setting: string }[] {
  const first = prices[0];
  return [
    ...(first === undefined ? [] : [{ text: priceText(first), setting: 'kimiChat.prices' }]),
    ...limits.map((name) => {
      const setting = settingOf(name);
      return {
        text: vscode.l10n.t('{0} is no amount of US dollars, so nothing is limited by it.', setting),
        setting,
      };
    }),
  ];
}

function priceText(problem: PriceProblem): string {
  switch (problem.kind) {
    case 'noObject':
      return vscode.l10n.t('{0} is not a table of prices. The list prices are used.', 'kimiChat.prices');
    case 'unknownModel':
      return vscode.l10n.t('{0} names a model that is not known here: {1}', 'kimiChat.prices', problem.model);
    case 'modelNoObject':
      return vscode.l10n.t(
        '{0} has no table of prices for {1}. The list prices are used.',
        'kimiChat.prices',
        problem.model,
      );
    case 'unknownPrice':
      return vscode.l10n.t(
        '{0} names a price of {1} that does not exist: {2}',
        'kimiChat.prices',
        problem.model,
        problem.price,
      );
    case 'badPrice':
      return vscode.l10n.t(
        '{0} has a price of {1} that is no number from 0 to {2}: {3}. The list price is used.',
        'kimiChat.prices',
        problem.model,
        count(highestPrice),
        problem.price,
      );
  }
}

function settingOf(name: LimitName): string {
  switch (name) {
    case 'confirmAbove':
      return 'kimiChat.confirmAbove';
    case 'day':
      return 'kimiChat.dailyLimit';
    case 'conversation':
      return 'kimiChat.conversationLimit';
  }
}

function tellAndOfferSettings(text: string, setting: string): void {
  const open = vscode.l10n.t('Open settings');
  void vscode.window.showWarningMessage(text, open).then((chosen) => {
    if (chosen === open) void vscode.commands.executeCommand('workbench.action.openSettings', setting);
  });
}
