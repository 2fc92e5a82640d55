/** Commands that the person said need not be asked about: each exactly as it was, in its folder, in this workspace alone. */
import * as vscode from 'vscode';

import type { Command } from '../../core/tools/runCommand.ts';
import { plainLabel } from '../plainLabel.ts';

const key = 'allowedCommands';

interface Allowed {
  readonly command: string;
  readonly folder: string;
}

export class AllowedCommands {
  readonly #state: vscode.Memento;

  /** `state` belongs to the workspace and lies outside of it, so that a folder can't bring allowances along. */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly Allowed[] {
    const kept = this.#state.get<unknown>(key);
    return Array.isArray(kept) ? kept.filter(isAllowed) : [];
  }

  has({ command, folder }: Command): boolean {
    return this.all.some((each) => each.command === command && each.folder === folder.uri);
  }

  async add(command: Command): Promise<void> {
    if (this.has(command)) return;
    await this.#keep([...this.all, { command: command.command, folder: command.folder.uri }]);
  }

  /** Shows them; those that are unticked are forgotten. */
  async choose(): Promise<void> {
    const before = this.all;
    if (before.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('No command is allowed without asking in this workspace.'),
      );
      return;
    }
    const items = before.map((allowed) => ({
      label: plainLabel(allowed.command),
      description: folderText(allowed.folder),
      picked: true,
      allowed,
    }));
    const kept = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t('Commands that run without asking in this workspace'),
      placeHolder: vscode.l10n.t('Untick a command to be asked about it again'),
      matchOnDescription: true,
    });
    if (kept === undefined) return;
    const still = new Set(kept.map(({ allowed }) => allowed));
    const forgotten = before.filter((allowed) => !still.has(allowed));
    // Others may have come meanwhile.
    await this.#keep(
      this.all.filter(
        (each) =>
          !forgotten.some(({ command, folder }) => command === each.command && folder === each.folder),
      ),
    );
  }

  async #keep(all: readonly Allowed[]): Promise<void> {
    await this.#state.update(key, all.length === 0 ? undefined : all);
  }
}

function isAllowed(value: unknown): value is Allowed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'command' in value &&
    typeof value.command === 'string' &&
    'folder' in value &&
    typeof value.folder === 'string'
  );
}

function folderText(folder: string): string {
  try {
    return vscode.workspace.asRelativePath(vscode.Uri.parse(folder, true), true);
  } catch {
    return folder;
  }
}
