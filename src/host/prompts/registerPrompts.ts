/** Builds slash commands and what goes along with questions, over the editor as it is. */
import * as vscode from 'vscode';

import { weighed } from '../context/attachmentTokens.ts';
import { err, ok } from '../../core/result.ts';
import { attachFrom } from '../composer/attachments.ts';
import type { Draft } from '../composer/draft.ts';
import { editorInFront } from '../chat/editorInFront.ts';
import { isFileItself, placeOf } from '../composer/placeOf.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { SourceParts } from '../context/describe.ts';
import type { ContextSources } from '../context/sources.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { Along, type AlongMemories } from './along.ts';
import type { CodeInFront } from './commandCode.ts';
import type { PromptInput, PromptSurroundings } from './promptFile.ts';
import { Prompts, type Prompt } from './prompts.ts';

export interface PromptsWiring extends SourceParts {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly settings: Settings;
  readonly sources: Pick<ContextSources, 'problems' | 'diff' | 'file'>;
  /** See `AlongParts.memories`. */
  readonly memories?: AlongMemories;
  readonly log: Log;
  /** As the window has them by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  readonly trusted?: () => boolean;
}

export interface PromptServices extends vscode.Disposable {
  readonly prompts: Prompts;
  readonly along: Along;
}

export function registerPrompts(wiring: PromptsWiring): PromptServices {
  const { sessions, draft, settings, sources, memories, log, folders, trusted } = wiring;
  const store = new DisposableStore();
  const window = { ...(folders !== undefined && { folders }), ...(trusted !== undefined && { trusted }) };
  const prompts = new Prompts({ settings, log, ...window });
  const along = store.add(
    new Along({
      sessions,
      draft,
      settings,
      log,
      ...window,
      ...(memories !== undefined && { memories }),
      sources: {
        prompts,
        inFront: () => codeInFront(wiring),
        problems: (uri, range) => sources.problems(uri, range),
        diff: (what) => sources.diff(what),
        file: (uri) => sources.file(uri),
        folders: folders ?? (() => vscode.workspace.workspaceFolders ?? []),
        surroundings,
        ask: askInput,
      },
    }),
  );
  return { prompts, along, dispose: () => store.dispose() };
}

function fileInFront(): vscode.TextEditor | undefined {
  const editor = editorInFront();
  return editor !== undefined && isFileItself(editor.document) ? editor : undefined;
}

function codeInFront(parts: SourceParts): CodeInFront | undefined {
  const editor = fileInFront();
  if (editor === undefined) return undefined;
  const selection = editor.selections.find((one) => !one.isEmpty);
  return {
    uri: editor.document.uri,
    ...(selection !== undefined && { selection }),
    attach: () => {
      const attached = attachFrom(editor, parts);
      return attached.ok ? ok(attached.value.map(weighed)) : err(attached.error);
    },
  };
}

function surroundings(): PromptSurroundings {
  const editor = fileInFront();
  const folder =
    (editor && vscode.workspace.getWorkspaceFolder(editor.document.uri)) ??
    vscode.workspace.workspaceFolders?.[0];
  const selection = editor?.document.getText(editor.selection) ?? '';
  return {
    ...(editor !== undefined && { file: placeOf(editor.document) }),
    ...(selection !== '' && { selection }),
    ...(folder !== undefined && { folder: folder.name }),
  };
}

function askInput({ name }: Prompt, input: PromptInput): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: `/${name}`,
    prompt: input.placeholder ?? input.name,
    placeHolder: input.name,
    ignoreFocusOut: true,
  });
}
