/** Setting and clearing the API key: the only place where a person types one. */
import * as vscode from 'vscode';

import type { AddressProblem } from '../address.ts';
import { readKey, type KeyProblem } from '../apiKey.ts';
import type { Log } from '../log.ts';
import type { ApiKeys } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { addressProblemText } from './addressText.ts';

export async function setApiKey(keys: ApiKeys, settings: Settings, log: Log): Promise<void> {
  const address = settings.address;
  if (!address.ok) return tellAddress(address.error, settings.baseUrl);
  const { origin } = address.value;
  const pasted = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', origin),
    prompt: vscode.l10n.t('It is kept in the secret storage of VS Code and sent to {0} only.', origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const key = readKey(text);
      // An empty box is where everybody starts, not a mistake to point at.
      return key.ok || key.error === 'empty' ? undefined : keyProblemText(key.error);
    },
  });
  const key = pasted === undefined ? undefined : readKey(pasted);
  if (key?.ok === true) await keepKey(keys, origin, key.value, log);
}

/** Keeps the key in the secret storage and nowhere else; where that fails it can be used until the window closes. */
export async function keepKey(keys: ApiKeys, origin: string, key: string, log: Log): Promise<void> {
  try {
    await keys.set(origin, key);
    return;
  } catch (error) {
    log.warn('The secret storage could not be written', error);
  }
  const use = vscode.l10n.t('Use until the window closes');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The key could not be kept: VS Code found no working keyring on this machine.'),
    use,
  );
  if (answer === use) keys.useUntilClosed(origin, key);
}

export async function clearApiKey(keys: ApiKeys, settings: Settings, log: Log): Promise<void> {
  const address = settings.address;
  if (!address.ok) return tellAddress(address.error, settings.baseUrl);
  const { origin } = address.value;
  let had: boolean;
  try {
    had = await keys.clear(origin);
  } catch (error) {
    log.warn('The secret storage could not be written', error);
    await vscode.window.showErrorMessage(
      vscode.l10n.t('The API key could not be removed: the secret storage did not answer. Try again.'),
    );
    return;
  }
  await vscode.window.showInformationMessage(
    had
      ? vscode.l10n.t('The API key for {0} was removed.', origin)
      : vscode.l10n.t('There is no API key for {0}.', origin),
  );
}

async function tellAddress(problem: AddressProblem, baseUrl: string): Promise<void> {
  const open = vscode.l10n.t('Open settings');
  const answer = await vscode.window.showErrorMessage(addressProblemText(problem, baseUrl), open);
  if (answer === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'kimiChat.baseUrl');
  }
}

function keyProblemText(problem: KeyProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Paste the key.');
    case 'url':
      return vscode.l10n.t('This is an address, not a key.');
    case 'inside':
      return vscode.l10n.t('A key has no blanks or line breaks inside.');
    case 'characters':
      return vscode.l10n.t('A key has only plain letters, digits and signs.');
    case 'short':
      return vscode.l10n.t('This is too short for a key.');
    case 'long':
      return vscode.l10n.t('This is too long for a key.');
  }
}
