/** What can be attached by a word of its own: the selection, problems, changes, what a terminal shows. */
import * as vscode from 'vscode';

import type { CompletionKind } from '../../protocol/completion.ts';
import type { Attached, ContextSources } from '../context/sources.ts';
import { attachFrom } from '../composer/attachments.ts';
import { editorInFront } from '../chat/editorInFront.ts';

export interface Fixed {
  readonly kind: CompletionKind;
  /** What is typed behind the `@`; the same in every language, for the model reads it too. */
  readonly word: string;
  readonly detail: string;
  /** Worth showing before anything is typed. */
  readonly isLikely: boolean;
  readonly attached: () => Attached;
}

export interface FixedParts {
  readonly sources: Pick<ContextSources, 'problems' | 'diff' | 'terminalSelection' | 'lastCommand'>;
  readonly newId: () => string;
}

/** In lower case; `fixedCandidates` gives no other. */
const words = ['selection', 'problems', 'diff', 'staged', 'terminal', 'terminal-selection'];

/** Those that begin with what is typed; only for these is anything counted, for it is asked at each key. */
export function fixedCandidates(parts: FixedParts, query: string): readonly Fixed[] {
  if (!words.some((word) => word.startsWith(query))) return [];
  return allFixed(parts, query).filter(({ word }) => word.startsWith(query));
}

function allFixed({ sources, newId }: FixedParts, query: string): readonly Fixed[] {
  const { l10n } = vscode;
  const editor = editorInFront();
  const uri = editor?.document.uri;
  const name = uri?.path.slice(uri.path.lastIndexOf('/') + 1) ?? '';
  const isOfProblems = 'problems'.startsWith(query);
  const here = uri === undefined || !isOfProblems ? 0 : vscode.languages.getDiagnostics(uri).length;
  const all = isOfProblems ? countProblems() : 0;
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const hasTerminal = vscode.window.activeTerminal !== undefined;
  return [
    ...(editor !== undefined && editor.selections.some((selection) => !selection.isEmpty)
      ? [
          {
            ...{ kind: 'selection' as const, word: 'selection', isLikely: true },
            detail: l10n.t('What is selected in {0}', name),
            attached: () => Promise.resolve(attachFrom(editor, { newId })),
          },
        ]
      : []),
    ...(uri !== undefined && here > 0
      ? [
          {
            ...{ kind: 'problems' as const, word: 'problems', isLikely: true },
            detail: l10n.t('In {0}: {1}', name, here),
            attached: () => sources.problems(uri),
          },
        ]
      : []),
    {
      ...{ kind: 'problems', word: 'problems', isLikely: all > 0 && all > here },
      detail: all === 0 ? l10n.t('In the workspace: none') : l10n.t('In the workspace: {0}', all),
      attached: () => sources.problems(),
    },
    {
      ...{ kind: 'diff', word: 'diff', isLikely: hasFolder },
      detail: l10n.t('Changes that are not staged'),
      attached: () => sources.diff('working'),
    },
    {
      ...{ kind: 'diff', word: 'staged', isLikely: hasFolder },
      detail: l10n.t('Changes that are staged'),
      attached: () => sources.diff('staged'),
    },
    {
      ...{ kind: 'terminal', word: 'terminal', isLikely: hasTerminal },
      detail: l10n.t('The last command and its output'),
      attached: () => sources.lastCommand(),
    },
    {
      ...{ kind: 'terminal', word: 'terminal-selection', isLikely: hasTerminal },
      detail: l10n.t('What is selected in the terminal'),
      attached: () => sources.terminalSelection(),
    },
  ];
}

/** Hints are such as “never read”: not what one asks about a workspace. */
function countProblems(): number {
  let count = 0;
  for (const [, diagnostics] of vscode.languages.getDiagnostics()) {
    for (const { severity } of diagnostics) if (severity <= vscode.DiagnosticSeverity.Information) count += 1;
  }
  return count;
}
