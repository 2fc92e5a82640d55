/** Connects the tools of others with what VS Code has of them, and with the command that chooses them. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import { chooseTools, tellOfChanged } from './chooseTools.ts';
import { ForeignTools } from './foreignTools.ts';

export interface ForeignParts extends vscode.Disposable {
  readonly tools: ForeignTools;
  readonly commands: Readonly<Record<string, () => unknown>>;
}

/** `storage` belongs to the workspace and lies outside of it, so that a folder can't bring chosen tools along. */
export function registerForeignTools(storage: vscode.Memento): ForeignParts {
  const store = new DisposableStore();
  const tools = store.add(
    new ForeignTools({
      storage,
      listed: () => ({ tools: vscode.lm.tools, extensions: vscode.extensions.all }),
      isTrusted: () => vscode.workspace.isTrusted,
      invoke: (name, input, token) =>
        vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token),
    }),
  );
  store.add(tools.onDidFindChanged((changed) => void tellOfChanged(changed, tools)));
  return {
    tools,
    commands: { 'kimiChat.chooseTools': () => chooseTools(tools) },
    dispose: () => store.dispose(),
  };
}
