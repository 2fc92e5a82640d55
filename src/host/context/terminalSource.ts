/**
 * Chips of what a terminal shows. VS Code tells extensions neither what is selected there nor what a command wrote before they listened;
 * its own commands put both onto the clipboard, which gets back what it held.
 */
import * as vscode from 'vscode';

import { commandHeading, selectionHeading } from '../../core/conversation/contextTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { borrowClipboard } from './borrowedClipboard.ts';
import { attachedScheme, withLineFeeds, type SourceParts } from './describe.ts';
import type { TerminalExits } from './terminalExits.ts';
import { maxLength, type AttachProblem } from './problem.ts';

/** Longest command that names a chip, in characters. */
const maxName = 60;

export async function attachTerminalSelection(
  parts: SourceParts,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return err('noTerminal');
  const text = await borrowClipboard(() =>
    vscode.commands.executeCommand('workbench.action.terminal.copySelection'),
  );
  if (!text.ok) return text;
  if (text.value === undefined || text.value.trim() === '') return err('noTerminalSelection');
  return chipOf(text.value, parts, {
    path: vscode.l10n.t('Terminal: {0}', terminal.name),
    heading: selectionHeading(terminal.name),
  });
}

export async function attachLastCommand(
  parts: SourceParts,
  exits: Pick<TerminalExits, 'exitCodeOf'> | undefined,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return err('noTerminal');
  const text = await borrowClipboard(() =>
    vscode.commands.executeCommand('workbench.action.terminal.copyLastCommandAndLastCommandOutput'),
  );
  if (!text.ok) return text;
  if (text.value === undefined || text.value.trim() === '') return err('noCommandOutput');
  const [command = ''] = text.value.trimStart().split('\n', 1);
  const letters = Array.from(command.trim());
  const name = letters.length > maxName ? `${letters.slice(0, maxName).join('')}…` : letters.join('');
  return chipOf(text.value, parts, {
    path: vscode.l10n.t('Terminal: {0}', name),
    heading: commandHeading(terminal.name, exits?.exitCodeOf(terminal, command)),
  });
}

function chipOf(
  copied: string,
  { newId }: SourceParts,
  named: Pick<Attachment, 'path'> & { readonly heading: string },
): Result<readonly Attachment[], AttachProblem> {
  const text = withLineFeeds(copied).trimEnd();
  if (text.length > maxLength) return err('tooLong');
  const id = newId();
  const uri = vscode.Uri.from({ scheme: attachedScheme, path: '/terminal', query: id }).toString();
  return ok([{ id, kind: 'terminal', ...named, uri, languageId: 'plaintext', text }]);
}
