/** Builds what counts the cost and owns it. A table of contents. */
import { join } from 'node:path';
import * as vscode from 'vscode';

import { KeptDeclarations } from '../../core/conversation/declarations.ts';
import { instructions } from '../../core/conversation/instructions.ts';
import type { RequestBody } from '../../core/responses/wire.ts';
import type { NextTools } from '../sessions/session.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import { tellSaved, unsavedText } from '../saveExport.ts';
import type { Settings } from '../settings.ts';
import { tellCostProblems } from './costProblems.ts';
import { Ledger } from './ledger.ts';
import { SentRequests, sentScheme, type SentSession } from './sentRequests.ts';
import { SpendingGate, type SpendingGateParts } from './spendingGate.ts';
import { UsageHistory, usageScheme } from './usageHistory.ts';

export interface CostDependencies {
  readonly settings: Settings;
  readonly log: Log;
  /** The folder for what all windows share; nothing outlives the window without one. */
  readonly storage?: string;
  readonly newId: () => string;
  readonly findSession: (conversation: string) => SentSession | undefined;
  /** Has a conversation there again that was closed meanwhile, if it can. */
  readonly reopenSession?: (conversation: string) => Promise<unknown>;
  /** See `SpendingGateParts`. */
  readonly paidRequests: SpendingGateParts['paidRequests'];
  /** Takes every key out of a text that a request has carried. */
  readonly withoutKeys: (text: string) => string;
  /** Only tests give others: a scheme can be registered once. */
  readonly schemes?: { readonly usage: string; readonly sent: string };
}

export interface Cost extends vscode.Disposable {
  readonly gate: SpendingGate;
  readonly ledger: Ledger;
  /** “What was sent”. */
  readonly sent: SentRequests;
  /** To be registered under the names the manifest contributes. */
  readonly commands: Readonly<Record<'kimiChat.showUsage' | 'kimiChat.exportUsage', () => Promise<void>>>;
}

export function registerCost({
  settings,
  log,
  storage,
  newId,
  findSession,
  reopenSession,
  paidRequests,
  withoutKeys,
  schemes = { usage: usageScheme, sent: sentScheme },
}: CostDependencies): Cost {
  const store = new DisposableStore();
  const declarations = new KeptDeclarations();
  const ledger = new Ledger({
    folder: storage === undefined ? undefined : join(storage, 'usage'),
    clock: Date.now,
    onFailure: () => void vscode.window.showWarningMessage(notKept()),
    log,
  });
  const gate = store.add(
    new SpendingGate({
      settings,
      ledger,
      clock: Date.now,
      newId,
      paidRequests,
      start: (session) => startOf(session.nextTools(), declarations),
    }),
  );
  const history = store.add(new UsageHistory(ledger, schemes.usage));
  const sent = store.add(new SentRequests(findSession, withoutKeys, schemes.sent, reopenSession));
  store.add(tellCostProblems(settings));
  return {
    gate,
    ledger,
    sent,
    commands: {
      'kimiChat.showUsage': () => history.show(),
      'kimiChat.exportUsage': async () => {
        try {
          const file = await history.export();
          if (file === undefined) return;
          void tellSaved(file, (name) => vscode.l10n.t('The usage was written to {0}.', name));
        } catch (error) {
          log.warn('The usage could not be exported', error);
          void vscode.window.showErrorMessage(unsavedText());
        }
      },
    },
    dispose: () => store.dispose(),
  };
}

/** What every request starts with, as it would be sent now. */
function startOf(
  { tools, facts, webSearch }: NextTools,
  declarations: KeptDeclarations,
): Pick<RequestBody, 'instructions' | 'tools'> {
  const declared = declarations.of(tools, webSearch);
  return { instructions: instructions(facts), ...(declared.length > 0 && { tools: declared }) };
}

function notKept(): string {
  return vscode.l10n.t(
    'The usage history of Kimi Chat can’t be read or written. Questions are asked all the same, but a daily limit then only counts what this window spends.',
  );
}
