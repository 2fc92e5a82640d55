/** The answers of two versions of a turn in VS Code's diff editor, as read-only documents: no file is written. */
import * as vscode from 'vscode';

import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import { DisposableStore } from '../disposables.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { Sessions } from '../sessions/sessions.ts';

const answerScheme = 'kimi-answer';

/** Where the conversations are. */
export interface AnswerSources extends Pick<Sessions, 'find' | 'onDidChangeVersions'> {
  /** Has one there again that was closed meanwhile, if it can. */
  readonly reopen?: (conversation: string) => Promise<unknown>;
}

export class AnswerDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #sessions: AnswerSources;
  readonly #scheme: string;
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;

  /** @param scheme can be registered once; only tests give another one */
  constructor(sessions: AnswerSources, scheme = answerScheme) {
    this.#sessions = sessions;
    this.#scheme = scheme;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    // An answer may have been looked at while it was still coming.
    this.#store.add(
      sessions.onDidChangeVersions(() => {
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === scheme && this.#turnOf(uri) !== undefined) this.#changed.fire(uri);
        }
      }),
    );
  }

  /** Both must be versions of the same turn, the second one that which the panel shows. False, and nothing opens, when they are not. */
  async compare(turn: string, shown: string, panel: Pick<PanelSessions, 'versions'>): Promise<boolean> {
    const { versions = [] } = panel.versions.find((one) => one.turn === shown) ?? {};
    const sides = [turn, shown].map((id) => versions.findIndex((one) => one.turn === id));
    const [left = -1, right = -1] = sides;
    const [before, after] = [this.#uriOf(versions[left], left), this.#uriOf(versions[right], right)];
    if (before === undefined || after === undefined || left === right) return false;
    const title = vscode.l10n.t('Answers: version {0} ↔ version {1}', left + 1, right + 1);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
    return true;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (this.#turnOf(uri) === undefined) await this.#sessions.reopen?.(conversationOf(uri));
    const turn = this.#turnOf(uri);
    return turn === undefined
      ? vscode.l10n.t('This answer is no longer known: the window was closed since.')
      : `${answerOf(turn)}\n`;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #turnOf(uri: vscode.Uri): Turn | undefined {
    const named = new URLSearchParams(uri.query).get('turn');
    const session = this.#sessions.find(conversationOf(uri));
    return session?.conversation.turns.find(({ id }) => id === named);
  }

  #uriOf(
    version:
      { readonly conversation: string; readonly turn: string; readonly model: Turn['model'] } | undefined,
    index: number,
  ): vscode.Uri | undefined {
    if (version === undefined) return undefined;
    const { conversation, turn, model } = version;
    const name = vscode.l10n.t('Version {0}', index + 1);
    return vscode.Uri.from({
      scheme: this.#scheme,
      path: `/${name} (${modelRow(model)?.label ?? model}).md`,
      query: new URLSearchParams({ conversation, turn }).toString(),
    });
  }
}

function conversationOf({ query }: vscode.Uri): string {
  return new URLSearchParams(query).get('conversation') ?? '';
}

/** What it says, and what it proposes. */
function answerOf({ parts }: Turn): string {
  return parts
    .flatMap((part) => {
      if (part.kind === 'answer') return part.sections.filter((section) => section.trim() !== '');
      return part.kind === 'tool' && part.name === 'apply_patch' ? [part.input.trimEnd()] : [];
    })
    .join('\n\n');
}
