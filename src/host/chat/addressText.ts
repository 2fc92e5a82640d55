/** Says what is wrong with a base URL. */
import * as vscode from 'vscode';

import type { AddressProblem } from '../address.ts';

export function addressProblemText(problem: AddressProblem, baseUrl: string): string {
  switch (problem) {
    case 'notAUrl':
      return vscode.l10n.t('The base URL in the settings is not a web address: {0}', baseUrl);
    case 'notHttps':
      return vscode.l10n.t('The base URL in the settings must start with https: {0}', baseUrl);
    case 'credentials':
      return vscode.l10n.t('The base URL in the settings must not hold a user name or a password.');
    case 'queryOrHash':
      return vscode.l10n.t('The base URL in the settings must not hold a “?” or a “#”: {0}', baseUrl);
  }
}
