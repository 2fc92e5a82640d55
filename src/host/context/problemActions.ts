/** Offers to ask about a problem where VS Code offers to mend it. */
import * as vscode from 'vscode';

import { isFileItself } from '../composer/placeOf.ts';

export const problemActions: vscode.CodeActionProvider = {
  provideCodeActions(document, _, { diagnostics }) {
    const [first, ...others] = diagnostics;
    if (first === undefined || !isFileItself(document)) return [];
    const range = others.reduce((all, diagnostic) => all.union(diagnostic.range), first.range);
    const title =
      others.length === 0
        ? vscode.l10n.t('Ask Kimi about this problem')
        : vscode.l10n.t('Ask Kimi about these problems');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command: 'kimiChat.askAboutProblem', arguments: [document.uri, range] };
    action.diagnostics = [...diagnostics];
    return [action];
  },
};

/** All kinds of documents: which languages have problems nobody knows beforehand. */
export function registerProblemActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider('*', problemActions, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
