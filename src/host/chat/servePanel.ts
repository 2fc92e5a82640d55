/**
 * Builds what each panel has of its own, over what the window has: what goes along with its question, what is told around it, what answers
 * it. Which panels there are is for others.
 */
import type * as vscode from 'vscode';

import { registerCompletion } from '../completion/registerCompletion.ts';
import type { WorkspaceIndex } from '../completion/workspaceIndex.ts';
import type { ContextSources } from '../context/sources.ts';
import { DisposableStore } from '../disposables.ts';
import type { AlongMemories } from '../prompts/along.ts';
import { registerPrompts } from '../prompts/registerPrompts.ts';
import type { ApiKeys } from '../secrets.ts';
import type { ChatPageParts } from './chatPage.ts';
import type { ChatPanel } from './chatPanels.ts';
import { CostFacts } from './costFacts.ts';
import type { Draft } from '../composer/draft.ts';
import { intentHandler, type IntentParts } from './intents.ts';
import type { OrphanedPatches } from '../sessions/orphanedPatches.ts';
import { PanelFacts, type PanelFactsSources } from './panelFacts.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import { webSearchFacts } from '../sessions/webSearch.ts';

type OfPanel = 'sessions' | 'draft' | 'along' | 'facts' | 'view' | 'completion';

/** What all panels of a window share. */
export interface WindowParts extends Omit<IntentParts, OfPanel> {
  readonly extensionUri: vscode.Uri;
  readonly keys: ApiKeys;
  readonly orphans: OrphanedPatches;
  readonly recent: PanelFactsSources['recent'];
  readonly sources: ContextSources;
  /** The compiled `searchWorker.ts`. */
  readonly worker: string;
  readonly index: WorkspaceIndex;
  readonly memories: AlongMemories;
  /** See `SourceParts.nameOf`. */
  readonly nameOf: (document: vscode.Uri) => string | undefined;
  /** The tools that a question is offered are others. */
  readonly onDidChangeTools: vscode.Event<unknown>;
  readonly newId: () => string;
}

export interface OwnParts<View> extends Pick<IntentParts, 'leavesQueue'> {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly makeView: (parts: ChatPageParts) => View;
}

type PanelView = ChatPanel['view'] & Pick<IntentSource, 'onDidIntend'> & vscode.Disposable;

interface IntentSource {
  readonly onDidIntend: vscode.Event<Parameters<ReturnType<typeof intentHandler>>[0]>;
}

export interface ServedPanel<View extends PanelView> extends ChatPanel, vscode.Disposable {
  readonly view: View;
  readonly facts: PanelFacts;
}

/** Serves a panel until it is disposed of. What it shows and what was typed into it are owned by whoever made them. */
export function servePanel<View extends PanelView>(
  window: WindowParts,
  { makeView, ...own }: OwnParts<View>,
): ServedPanel<View> {
  const store = new DisposableStore();
  const { sessions, draft } = own;
  const { settings, cost, queue, pasted, log, newId } = window;
  const { prompts, along } = store.add(registerPrompts({ ...window, sessions, draft }));
  const costFacts = store.add(new CostFacts({ sessions, draft, along, settings, gate: cost.gate, log }));
  store.add(window.onDidChangeTools(() => costFacts.refresh()));
  const facts = store.add(
    new PanelFacts({
      ...window,
      draft,
      along,
      cost: costFacts,
      webSearch: () => webSearchFacts(sessions.current, settings.webSearch),
      elsewhere: () => {
        const { previewed, current } = sessions;
        if (previewed !== undefined || !current.elsewhere) return undefined;
        return current.deletedElsewhere ? 'deleted' : 'open';
      },
    }),
  );
  const { extensionUri } = window;
  const view = store.add(makeView({ extensionUri, sessions, facts, draft, queue, log }));
  store.add(pasted.follow(draft));
  const completion = store.add(registerCompletion({ ...window, view, draft, slash: prompts, newId }));
  const intend = intentHandler({ ...window, ...own, along, facts, view, completion });
  store.add(view.onDidIntend((intent) => void intend(intent)));
  return { sessions, draft, view, facts, dispose: () => store.dispose() };
}
