/** Puts the message of an answer into the input box of the source control. Commits nothing. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import type { Turn } from '../../core/conversation/conversation.ts';
import { asksForCommit } from '../../protocol/commitPrompt.ts';
import { gitRepositories, type GitRepository } from '../gitExtension.ts';
import { commitText } from './commitText.ts';

/** Returns what hindered it, in a sentence; undefined also when the person thought better of it. */
export async function useCommitMessage(turn: Turn): Promise<string | undefined> {
  const { l10n } = vscode;
  if (!asksForCommit(turn.question.attachments)) return undefined;
  const message = commitText(turn);
  if (message === '') return l10n.t('This answer holds no message.');
  const repositories = (await gitRepositories()) ?? [];
  if (repositories.length === 0) return l10n.t('No folder that is open here is in a Git repository.');
  const repository = await choose(repositories);
  if (repository === undefined) return undefined;
  const { inputBox } = repository;
  const before = inputBox.value.trim();
  if (before !== '' && before !== message && !(await replaces())) return undefined;
  inputBox.value = message;
  await vscode.commands.executeCommand('workbench.view.scm');
  return undefined;
}

/** The only one in which there is something to commit, else the one that the person picks. */
async function choose(repositories: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const staged = repositories.filter(({ state }) => state.indexChanges.length > 0);
  const changed = repositories.filter(
    ({ state: { workingTreeChanges, untrackedChanges = [] } }) =>
      workingTreeChanges.length + untrackedChanges.length > 0,
  );
  const offered = [staged, changed, repositories].find((some) => some.length > 0) ?? [];
  if (offered.length === 1) return offered[0];
  const items = offered.map((repository) => ({
    label: basename(repository.rootUri.path),
    description: vscode.workspace.asRelativePath(repository.rootUri),
    repository,
  }));
  const placeHolder = vscode.l10n.t('Repository whose message this is');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.repository;
}

/** What somebody typed there is not thrown away unasked. */
async function replaces(): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Replace the commit message that is there?'),
    { modal: true, detail: vscode.l10n.t('The source control already has a message that was typed.') },
    replace,
  );
  return answer === replace;
}
