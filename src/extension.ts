/** Builds the objects and connects them: a table of contents of the product. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';

import * as vscode from 'vscode';

import { applyPatchTool } from './core/tools/applyPatch.ts';
import { readingTools } from './core/tools/readingTools.ts';
import { runCommandTool } from './core/tools/runCommand.ts';
import { AnswerDocuments } from './host/chat/answerDocuments.ts';
import { ApprovalNotice } from './host/chat/approvalNotice.ts';
import { ChatEditors } from './host/chat/chatEditors.ts';
import { ChatPanels } from './host/chat/chatPanels.ts';
import { ChatView } from './host/chat/chatView.ts';
import { CodeProposals } from './host/chat/codeProposals.ts';
import { chatCommands } from './host/chat/commands.ts';
import { composerFolder, ComposerStore } from './host/composer/composerStore.ts';
import { CopiedText } from './host/composer/copiedText.ts';
import { Draft } from './host/composer/draft.ts';
import { exportConversation } from './host/history/exportConversation.ts';
import { importConversation } from './host/history/importConversation.ts';
import { KeptSessions } from './host/sessions/keptSessions.ts';
import { keyFreeText } from './host/chat/keyFreeText.ts';
import { offeredTools } from './host/sessions/offeredTools.ts';
import { OrphanedPatches } from './host/sessions/orphanedPatches.ts';
import { PanelSessions } from './host/sessions/panelSessions.ts';
import { PastedTexts } from './host/chat/pastedTexts.ts';
import { Queue } from './host/chat/queue.ts';
import { registerHistory } from './host/history/registerHistory.ts';
import { Sending } from './host/chat/send.ts';
import { servePanel, type WindowParts } from './host/chat/servePanel.ts';
import { Sessions } from './host/sessions/sessions.ts';
import { Summaries } from './host/chat/summaries.ts';
import { tellLater } from './host/chat/tellLater.ts';
import { Titles } from './host/sessions/titles.ts';
import { WorkspaceIndex } from './host/completion/workspaceIndex.ts';
import { ChangedFiles } from './host/context/changedFiles.ts';
import { contextCommands } from './host/context/contextCommands.ts';
import { registerProblemActions } from './host/context/problemActions.ts';
import { SentTexts } from './host/context/sentTexts.ts';
import { TerminalExits } from './host/context/terminalExits.ts';
import { ContextSources } from './host/context/sources.ts';
import { registerCost, type Cost } from './host/cost/registerCost.ts';
import { DisposableStore } from './host/disposables.ts';
import { registerReview } from './host/edits/review/registerReview.ts';
import { registerForeignTools } from './host/foreignTools/registerForeignTools.ts';
import { withoutKeys, withoutKeysInJson } from './host/keyFilter.ts';
import { KimiClient } from './host/kimiClient.ts';
import { Log } from './host/log.ts';
import { Network } from './host/network.ts';
import { networkSettings } from './host/networkSettings.ts';
import { OwnStorage } from './host/ownStorage.ts';
import { HandOver } from './host/problems/handOver.ts';
import { PatchProblems } from './host/problems/patchProblems.ts';
import { toolGuard } from './host/secretGuard/guardedTool.ts';
import { QuestionGuard } from './host/secretGuard/questionGuard.ts';
import { SecretGuard } from './host/secretGuard/secretGuard.ts';
import { ApiKeys } from './host/secrets.ts';
import { Settings } from './host/settings.ts';
import { smallMemento } from './host/smallMemento.ts';
import { AllowedCommands } from './host/terminal/allowedCommands.ts';
import { commandRunner, shellText } from './host/terminal/commandRunner.ts';
import { Terminals } from './host/terminal/terminals.ts';
import { workspaceReader } from './host/tools/workspaceReader.ts';
import { folderOfAllWindows } from './host/workspaceFolder.ts';

export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const log = store.add(new Log());
  const settings = store.add(new Settings());
  const keys = store.add(new ApiKeys(context.secrets));
  // A key that was typed in the wrong place is written nowhere.
  const clean = (text: string): string => withoutKeys(text, keys.known);
  const cleanLine = (line: string): string => withoutKeysInJson(line, keys.known);
  const composerStore = store.add(
    new ComposerStore(new OwnStorage(ownFolder(context, composerFolder), log, { clean })),
  );
  const draft = store.add(new Draft(composerStore));
  const orphans = store.add(new OrphanedPatches());

  const model = new KimiClient({
    address: () => settings.address,
    otherAddress: () => settings.otherAddress,
    key: (origin) => keys.get(origin),
    knownKeys: () => keys.known,
    silenceSeconds: () => settings.silenceSeconds,
    network: new Network(networkSettings),
    userAgent: userAgent(context.extension),
    log,
  });
  const review = store.add(
    registerReview({
      log,
      settings,
      ...(context.storageUri?.scheme === 'file' && { storage: context.storageUri.fsPath }),
    }),
  );
  const problems = store.add(new PatchProblems({ board: review.board, log }));
  const code = store.add(new CodeProposals({ board: review.board, newId: randomUUID, log }));
  const applyPatch = applyPatchTool(review.files, review.review);
  const worker = vscode.Uri.joinPath(context.extensionUri, 'dist', 'searchWorker.cjs').fsPath;
  const reading = readingTools(workspaceReader({ worker, programs: () => process.env['PATH'] }));
  const state = smallMemento(context.workspaceState);
  const allowed = new AllowedCommands(state);
  const terminals = store.add(new Terminals());
  const runCommand = runCommandTool(commandRunner({ settings, allowed, terminals }), shellText());

  const foreign = store.add(registerForeignTools(state));

  const guard = new SecretGuard({ isOn: () => settings.secretGuard, ownKeys: () => keys.known });
  const tools = {
    ...{ applyPatch, reading, runCommand, settings },
    foreign: foreign.tools,
    guarded: toolGuard(guard),
  };
  const cost: Cost = store.add(
    registerCost({
      settings,
      log,
      newId: randomUUID,
      findSession: (id) => sessions.find(id),
      reopenSession: async (id) => await kept?.open(id),
      paidRequests: (id) => sessions.paidRequests(id),
      withoutKeys: (text) => model.withoutKeys(text),
      ...(context.globalStorageUri.scheme === 'file' && { storage: context.globalStorageUri.fsPath }),
    }),
  );

  const changes = new ChangedFiles({ accepted: review.accepted });
  const ownConversations = ownFolder(context, 'conversations');
  const folder =
    ownConversations === undefined
      ? undefined
      : join(folderOfAllWindows(dirname(ownConversations)), 'conversations');
  const kept =
    folder === undefined
      ? undefined
      : store.add(
          new KeptSessions({
            ...{ folder, clock: Date.now, newId: randomUUID, log, clean: cleanLine },
            own: new OwnStorage(ownFolder(context, 'window'), log, { clean }),
          }),
        );
  const sessions = store.add(
    new Sessions({
      model,
      tools: () => offeredTools(tools),
      webSearch: () => settings.webSearch,
      notes: () => orphans.takeReports().map((text) => guard.masked(text)),
      changes: (session, turn) => changes.take(session, turn),
      clock: Date.now,
      newId: randomUUID,
      admit: (request, session) => cost.gate.admit(request, session),
      clean: (events) => keyFreeText(events, () => keys.known),
      ...(kept !== undefined && { keeper: kept }),
      log,
    }),
  );
  if (kept !== undefined) {
    const { store: journals } = kept;
    store.add(
      new Titles({
        ...{ sessions, store: journals, settings, gate: cost.gate, model, log },
        clock: Date.now,
        newId: randomUUID,
      }),
    );
  }
  const shown = store.add(new PanelSessions(sessions));
  const restored = kept?.restore(shown, review.board);
  store.add(
    review.board.onDidChangeLater(({ proposal, report }) => {
      const masked = report === undefined ? {} : { report: guard.masked(report) };
      // What waits again may be told before its conversation is there.
      void Promise.resolve(restored?.whenAll)
        .then(() => history.reopenFor(proposal))
        .then(() => tellLater({ proposal, ...masked }, { code, sessions, orphans }));
    }),
  );
  // The path of such a document says nothing to a person or to a model.
  const nameOf = (document: vscode.Uri): string | undefined => {
    const shown = review.board.find(document);
    return shown && vscode.l10n.t('{0} (proposed)', shown.file.edit.path.display);
  };
  const sources = new ContextSources({
    newId: randomUUID,
    worker,
    nameOf,
    exits: store.add(new TerminalExits()),
  });
  store.add(sessions.onDidReview((proposal) => changes.note(proposal)));
  const queue = store.add(new Queue(composerStore, shown, async (id) => await kept?.open(id)));
  const exporting = {
    ...{ sessions, settings, log, clock: Date.now },
    withoutKeys: (text: string) => clean(model.withoutKeys(text)),
    ...(kept !== undefined && { store: kept.store }),
  };
  const history = store.add(
    registerHistory({
      ...{ sessions, queue, settings, log, clock: Date.now },
      panel: () => panels.inFront,
      forgetAsked: () => {
        for (const panel of [panels.side, ...panels.tabs]) panel.draft.forgetAsked();
      },
      openInEditor: (id) => editors.open(id),
      exportConversation: (id) => exportConversation(id, exporting),
      ...(kept !== undefined && { kept }),
      ...(folder !== undefined && { folder }),
      ...(context.globalStorageUri.scheme === 'file' && {
        workspaces: join(context.globalStorageUri.fsPath, 'workspaces'),
      }),
    }),
  );
  const window: WindowParts = {
    ...{
      keys,
      settings,
      review,
      orphans,
      problems,
      code,
      cost,
      queue,
      changes,
      sources,
      worker,
      nameOf,
      log,
    },
    extensionUri: context.extensionUri,
    recent: history.recent,
    history: history.shown,
    handOver: store.add(new HandOver({ problems, sessions, queue, settings, newId: randomUUID, log })),
    summaries: store.add(new Summaries(randomUUID)),
    answers: store.add(
      new AnswerDocuments({
        find: (id) => sessions.find(id),
        onDidChangeVersions: sessions.onDidChangeVersions,
        reopen: async (id) => await kept?.open(id),
      }),
    ),
    copied: store.add(new CopiedText()),
    pasted: store.add(new PastedTexts({ newId: randomUUID, draft, queue })),
    sentTexts: store.add(new SentTexts()),
    secrets: new QuestionGuard(guard, randomUUID),
    ...(kept !== undefined && { copyOfFollowed: (session) => kept.copyOfFollowed(session) }),
    sending: new Sending(),
    index: store.add(new WorkspaceIndex({ worker, log })),
    memories: new WeakMap(),
    onDidChangeTools: foreign.tools.onDidChange,
    newId: randomUUID,
  };
  const side = store.add(
    servePanel(window, { sessions: shown, draft, makeView: (parts) => new ChatView(parts) }),
  );
  const panels = new ChatPanels(side);
  const composing = ownFolder(context, composerFolder);
  const editors = store.add(
    new ChatEditors({
      ...{ panels, sessions, log, newId: randomUUID, extensionUri: context.extensionUri },
      serve: (own) => servePanel(window, own),
      peek: async (id) => await kept?.store.peek(id),
      open: async (id) => await kept?.open(id),
      titleOf: (id) => kept?.store.titleOf(id)?.text,
      onDidChangeTitles: (listener) => kept?.store.onDidChange(listener),
      ...(composing !== undefined && { drafts: join(composing, 'tabs') }),
      storage: { clean },
    }),
  );

  const { board } = review;
  const asks = store.add(new ApprovalNotice(sessions, panels));
  store.add(registerProblemActions());
  const commands = {
    ...chatCommands({ keys, settings, panels, board, asks, log }),
    ...contextCommands({ newId: randomUUID, sources, panel: () => panels.inFront }),
    ...history.commands,
    ...review.commands,
    ...cost.commands,
    ...foreign.commands,
    'kimiChat.allowedCommands': () => allowed.choose(),
    'kimiChat.exportConversation': () =>
      exportConversation(panels.inFront.sessions.current.conversation.id, exporting),
    'kimiChat.importConversation': () =>
      importConversation({
        ...{ log, newId: randomUUID, clock: Date.now, panel: () => panels.inFront },
        ...(kept !== undefined && { kept }),
      }),
    'kimiChat.openInEditor': () => editors.show(panels.inFront.sessions.current),
    'kimiChat.newChatInEditor': () => editors.show(),
  };
  for (const [id, handler] of Object.entries(commands)) {
    store.add(vscode.commands.registerCommand(id, handler));
  }
  // Let go of first: what the end of the window stops is not what a person stops.
  store.add({ dispose: () => review.board.keepWaiting() });
  store.add({ dispose: () => kept?.closeNow() });
  void side.facts.readKey();
}

/** Windows without a folder have none of their own, and share one. */
function ownFolder(
  { storageUri, globalStorageUri }: vscode.ExtensionContext,
  name: string,
): string | undefined {
  const place = storageUri ?? globalStorageUri;
  return place.scheme === 'file' ? join(place.fsPath, name) : undefined;
}

function userAgent(extension: vscode.Extension<unknown>): string {
  const { version } = extension.packageJSON as { readonly version: string };
  return `kimi-chat/${version} vscode/${vscode.version}`;
}
