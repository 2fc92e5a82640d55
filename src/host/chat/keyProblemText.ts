/** Says why a key is not there to be sent. */
import * as vscode from 'vscode';

import type { KeyState } from '../../protocol/toWebview.ts';

/** Undefined when a request can be sent. */
export function keyProblemText(key: KeyState): string | undefined {
  switch (key) {
    case 'missing':
      return vscode.l10n.t('Set an API key first.');
    case 'unreadable':
      return vscode.l10n.t('The API key could not be read from this system’s secret store.');
    default:
      return undefined;
  }
}
