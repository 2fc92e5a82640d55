/** What `run_command` needs, over the workspace that is open: which folder, what is allowed, and the terminal it runs in. */
import * as vscode from 'vscode';

import { err, ok } from '../../core/result.ts';
import type { CommandPorts } from '../../core/tools/runCommand.ts';
import type { Settings } from '../settings.ts';
import { Places } from '../tools/places.ts';
import type { AllowedCommands } from './allowedCommands.ts';
import { shellName } from './shells.ts';
import type { Terminals } from './terminals.ts';

export interface CommandRunnerParts {
  readonly settings: Pick<Settings, 'runCommands'>;
  readonly allowed: Pick<AllowedCommands, 'has' | 'add'>;
  readonly terminals: Pick<Terminals, 'run'>;
}

export function commandRunner({ settings, allowed, terminals }: CommandRunnerParts): CommandPorts {
  return {
    isOn: () => settings.runCommands && canRunCommands(),
    async locate(path) {
      const folders = vscode.workspace.workspaceFolders ?? [];
      // Where something is ignored, it is not read; that a command runs there, the person decides.
      const places = new Places(
        ({ why }) => Promise.resolve(why === 'ignored' ? { kind: 'allow' } : undefined),
        folders,
      );
      const first = folders.length > 1 ? onDisk()[0]?.uri.fsPath : undefined;
      const found = await places.locate(path ?? first ?? '.', 'any');
      if (!found.ok) return found;
      const { uri, type, display } = found.value;
      if (uri.scheme !== 'file') return err({ kind: 'unreadable', path: display });
      return type === 'folder'
        ? ok({ uri: uri.toString(), path: uri.fsPath })
        : err({ kind: 'notFolder', path: display });
    },
    isAllowed: (command) => allowed.has(command),
    allow: (command) => allowed.add(command),
    run: (command, seconds, signal) => terminals.run(command, seconds, signal),
  };
}

/** A command needs a folder that programs can see, in a workspace that the person trusts. */
export function canRunCommands(): boolean {
  return vscode.workspace.isTrusted && onDisk().length > 0;
}

/** Such as `bash on linux`. */
export function shellText(): string {
  const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'macOS', win32: 'Windows' };
  return `${shellName(vscode.env.shell) || 'the default shell'} on ${systems[process.platform] ?? process.platform}`;
}

function onDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}
