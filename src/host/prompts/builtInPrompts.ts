/** The slash commands that come with the chat: what each is called, and what code it is about. */
import * as vscode from 'vscode';

import { commandPrompts } from '../../core/conversation/commandPrompts.ts';

export interface BuiltInPrompt {
  readonly name: string;
  /** For people, translated. */
  readonly description: string;
  /** For the model. */
  readonly body: string;
}

/** What a command brings along when the person attached nothing. */
export type CodeWanted =
  /** What is selected in front, else the file there; `problems` with what VS Code shows of it. */
  | { readonly kind: 'front'; readonly problems?: true }
  /** What is selected in front, else all that git knows as changed, else the file in front. */
  | { readonly kind: 'changes' }
  /** What will be committed. */
  | { readonly kind: 'commit' };

export function codeWanted(name: string): CodeWanted | undefined {
  switch (name) {
    case 'explain':
    case 'tests':
    case 'doc':
      return { kind: 'front' };
    case 'fix':
      return { kind: 'front', problems: true };
    case 'review':
      return { kind: 'changes' };
    case 'commit':
      return { kind: 'commit' };
    default:
      return undefined;
  }
}

export function builtInPrompts(): readonly BuiltInPrompt[] {
  const { l10n } = vscode;
  return [
    { name: 'explain', description: l10n.t('Explain the code'), body: commandPrompts.explain },
    { name: 'fix', description: l10n.t('Find what is wrong and fix it'), body: commandPrompts.fix },
    { name: 'tests', description: l10n.t('Write tests for the code'), body: commandPrompts.tests },
    { name: 'doc', description: l10n.t('Write or mend doc comments'), body: commandPrompts.doc },
    {
      name: 'review',
      description: l10n.t('Review the changes, or the selected code'),
      body: commandPrompts.review,
    },
    { name: 'commit', description: l10n.t('Write a message for the commit'), body: commandPrompts.commit },
  ];
}
