/** What a turn is offered at this moment: our own tools, as the workspace and the settings have it, and those of others. */
import * as vscode from 'vscode';

import type { Tool } from '../../core/tools/tool.ts';
import type { ForeignTools } from '../foreignTools/foreignTools.ts';
import type { Settings } from '../settings.ts';
import { canRunCommands } from '../terminal/commandRunner.ts';
import { turnTools, type TurnTools } from './turnTools.ts';

export interface OfferedToolsParts {
  readonly applyPatch: Tool;
  readonly reading: readonly Tool[];
  readonly runCommand: Tool;
  readonly foreign: Pick<ForeignTools, 'tools' | 'isOff'>;
  readonly settings: Pick<Settings, 'runCommands'>;
  /** The same tool, of whose outcome the model gets what it may. */
  readonly guarded: (tool: Tool) => Tool;
}

export function offeredTools(parts: OfferedToolsParts): TurnTools {
  const { applyPatch, reading, runCommand, foreign, settings, guarded } = parts;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
  const running = settings.runCommands && canRunCommands() ? [runCommand] : [];
  const own = turnTools({ trusted: vscode.workspace.isTrusted, folders }, [applyPatch], reading, running);
  return {
    ...own,
    // Those of others need no folder, and come last: they change most often.
    tools: [...own.tools, ...foreign.tools].map(guarded),
    isOff: (tool) => foreign.isOff(tool),
  };
}
