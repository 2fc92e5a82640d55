/** Shows the usage history as a read-only document, and saves it as a table where the person says. */
import * as vscode from 'vscode';

import { usageCsv } from '../../core/cost/usageSums.ts';
import { DisposableStore } from '../disposables.ts';
import { askWhereToSave, saveExport } from '../saveExport.ts';
import type { Ledger } from './ledger.ts';
import { usageText } from './usageText.ts';

export const usageScheme = 'kimi-usage';

export class UsageHistory implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #ledger: Ledger;
  readonly #uri: vscode.Uri;
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;

  /** @param scheme can be registered once; only tests give another one */
  constructor(ledger: Ledger, scheme = usageScheme) {
    this.#ledger = ledger;
    // The last segment is the name of the tab, and tells the language.
    this.#uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t('Usage history')}.md` });
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  async provideTextDocumentContent(): Promise<string> {
    return usageText({ records: await this.#ledger.all(), unkept: !this.#ledger.keeps });
  }

  async show(): Promise<void> {
    // A document that is open already is brought up to date.
    this.#changed.fire(this.#uri);
    await vscode.window.showTextDocument(this.#uri);
  }

  /** @returns the file, or undefined when the person thought better of it. Rejects when it could not be written. */
  async export(where: () => Thenable<vscode.Uri | undefined> = askWhere): Promise<vscode.Uri | undefined> {
    const uri = await where();
    if (uri !== undefined) await saveExport(uri, [usageCsv(await this.#ledger.all())], { mark: true });
    return uri;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function askWhere(): Thenable<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Export usage as CSV');
  return askWhereToSave({ title, name: 'kimi-chat-usage.csv', filters: { CSV: ['csv'] } });
}
