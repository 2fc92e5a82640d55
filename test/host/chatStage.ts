/** The chat's objects as `extension.ts` builds them, over a simulator of the test's own, and what VS Code gives an extension. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import type { ModelPort } from '../../src/core/conversation/modelPort.ts';
import type { Turn } from '../../src/core/conversation/conversation.ts';
import { familiesOf } from '../../src/core/conversation/families.ts';
import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { defaultBaseUrl, readAddress } from '../../src/host/address.ts';
import { AnswerDocuments } from '../../src/host/chat/answerDocuments.ts';
import { ChatPanels } from '../../src/host/chat/chatPanels.ts';
import { ChatView } from '../../src/host/chat/chatView.ts';
import { ApprovalNotice } from '../../src/host/chat/approvalNotice.ts';
import { chatCommands } from '../../src/host/chat/commands.ts';
import { CodeProposals } from '../../src/host/chat/codeProposals.ts';
import { CostFacts } from '../../src/host/chat/costFacts.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import { CopiedText } from '../../src/host/composer/copiedText.ts';
import { Draft } from '../../src/host/composer/draft.ts';
import { editorInFront } from '../../src/host/chat/editorInFront.ts';
import { intentHandler } from '../../src/host/chat/intents.ts';
import { OrphanedPatches } from '../../src/host/sessions/orphanedPatches.ts';
import { PanelFacts } from '../../src/host/chat/panelFacts.ts';
import { PastedTexts } from '../../src/host/chat/pastedTexts.ts';
import { Queue } from '../../src/host/chat/queue.ts';
import { registerCompletion, type Completion } from '../../src/host/completion/registerCompletion.ts';
import { SentTexts } from '../../src/host/context/sentTexts.ts';
import { ChangedFiles } from '../../src/host/context/changedFiles.ts';
import { ContextSources } from '../../src/host/context/sources.ts';
import { registerCost, type Cost } from '../../src/host/cost/registerCost.ts';
import type { ChatSession, SessionPorts } from '../../src/host/sessions/session.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { registerHistory, type History } from '../../src/host/history/registerHistory.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import { Summaries } from '../../src/host/chat/summaries.ts';
import { tellLater } from '../../src/host/chat/tellLater.ts';
import { turnTools } from '../../src/host/sessions/turnTools.ts';
import { webSearchFacts } from '../../src/host/sessions/webSearch.ts';
import { DisposableStore } from '../../src/host/disposables.ts';
import { registerReview, type Review } from '../../src/host/edits/review/registerReview.ts';
import { KimiClient } from '../../src/host/kimiClient.ts';
import { Log } from '../../src/host/log.ts';
import { Network } from '../../src/host/network.ts';
import { networkSettings } from '../../src/host/networkSettings.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import type { Along } from '../../src/host/prompts/along.ts';
import type { Prompts } from '../../src/host/prompts/prompts.ts';
import { registerPrompts } from '../../src/host/prompts/registerPrompts.ts';
import { QuestionGuard } from '../../src/host/secretGuard/questionGuard.ts';
import { SecretGuard } from '../../src/host/secretGuard/secretGuard.ts';
import { HandOver } from '../../src/host/problems/handOver.ts';
import { PatchProblems } from '../../src/host/problems/patchProblems.ts';
import { ApiKeys } from '../../src/host/secrets.ts';
import { Settings } from '../../src/host/settings.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator/main.ts';
import { PanelDouble } from './chatPanelDouble.ts';
import { reviewSettings } from './editsStage.ts';

/** What VS Code handed to the extension in `context/`: real storage, and nobody else's. */
export async function hostContext(): Promise<vscode.ExtensionContext> {
  const extension = vscode.extensions.getExtension<vscode.ExtensionContext>('kimi-chat-tests.context');
  assert.ok(extension, 'the extension of the host tests is not installed');
  return extension.activate();
}

export function clientAt(url: string, keys: Pick<ApiKeys, 'get'>, log: Log): ModelPort {
  return new KimiClient({
    address: () => readAddress(url),
    key: (origin) => keys.get(origin),
    silenceSeconds: () => 60,
    network: new Network(networkSettings),
    userAgent: 'kimi-chat/test',
    log,
  });
}

export const noKeys: Pick<ApiKeys, 'get'> = { get: () => Promise.resolve(undefined) };

export function sessionPorts(model: ModelPort, log: Log, tools: readonly Tool[] = []): SessionPorts {
  return {
    model,
    tools: () => turnTools({ trusted: true, folders: ['corner-shop'] }, tools),
    webSearch: () => ({ on: false, scope: undefined }),
    notes: () => [],
    changes: () => undefined,
    clock: Date.now,
    newId: randomUUID,
    admit: () => ({ kind: 'go' }),
    clean: (events) => events,
    log,
  };
}

export const choice = { model: 'kimi-k3.1-pro', effort: 'high' } as const;

/** The conversations of a window that have a question, those that show versions of the same turns together. */
export function familiesAsked({ window }: PanelSessions): readonly (readonly ChatSession[])[] {
  return familiesOf(window.all)
    .map((family) => family.filter(({ conversation }) => conversation.turns.length > 0))
    .filter((family) => family.length > 0);
}

export function lastTurn(session: ChatSession): Turn {
  const turn = session.conversation.turns.at(-1);
  assert.ok(turn, 'nothing was asked');
  return turn;
}

/** A chip for a file of one line. */
export const chip = (id: string): Attachment => ({
  id,
  kind: 'file',
  path: `${id}.ts`,
  uri: `file:///${id}.ts`,
  languageId: 'typescript',
  text: `const ${id} = 1;\n`,
});

/** What a turn shows, in short: `reasoning: …`, `answer: …`, `tool apply_patch`. */
export function parts(turn: Turn): readonly string[] {
  return turn.parts.map((part) => {
    if (part.kind === 'tool') return `tool ${part.name}`;
    return part.kind === 'search' ? part.kind : `${part.kind}: ${part.sections.join('|')}`;
  });
}

/** With a name of its own: VS Code closes a channel some time after it was disposed of, and a new one must not have its name. */
export function newLog(): Log {
  return new Log(`Kimi Chat ${randomUUID()}`);
}

/** Writes settings of the person, and puts them back. */
export class SettingsOfTest {
  readonly #before = new Map<string, unknown>();

  async set(name: string, value: unknown): Promise<void> {
    this.remember(name);
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** For what somebody else is going to write. */
  remember(name: string): void {
    if (this.#before.has(name)) return;
    this.#before.set(name, vscode.workspace.getConfiguration().inspect(name)?.globalValue);
  }

  async restore(): Promise<void> {
    for (const [name, value] of [...this.#before].reverse()) {
      const now = vscode.workspace.getConfiguration().inspect(name)?.globalValue;
      // Each writing takes VS Code a good part of a second.
      if (JSON.stringify(now) === JSON.stringify(value)) continue;
      await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
    }
    this.#before.clear();
  }
}

/**
 * The person's own, and where they name no service, the one that the test names. To write it there and to take it back would take each
 * test a second.
 */
class SettingsOfStage extends Settings {
  service: string | undefined;

  override get baseUrl(): string {
    const set = super.baseUrl;
    return set === defaultBaseUrl ? (this.service ?? set) : set;
  }
}

export interface ChatStageOptions {
  readonly simulator?: SimulatorOptions;
  /** The person's own by default. */
  readonly secrets?: (real: vscode.SecretStorage) => vscode.SecretStorage;
  /** Where draft and queue are kept; nowhere by default. */
  readonly composerFolder?: string;
  /** Where the usage history is kept; nowhere by default. */
  readonly usageFolder?: string;
  /** A view that has a real panel; by default the stand-in is the panel. */
  readonly viewId?: string;
}

/** The whole chat. The stand-in for the panel is not open at first. */
export class ChatStage {
  readonly simulator: Simulator;
  readonly store = new DisposableStore();
  readonly log: Log;
  readonly settings: SettingsOfStage;
  readonly keys: ApiKeys;
  readonly composerStore: ComposerStore;
  readonly draft: Draft;
  readonly queue: Queue;
  readonly prompts: Prompts;
  readonly along: Along;
  readonly sentTexts: SentTexts;
  readonly guard: SecretGuard;
  readonly secrets: QuestionGuard;
  readonly changes = new ChangedFiles();
  readonly sources: ContextSources;
  readonly copied: CopiedText;
  readonly pasted: PastedTexts;
  readonly completion: Completion;
  readonly orphans = this.store.add(new OrphanedPatches());
  readonly history: History;
  readonly facts: PanelFacts;
  /** All of the window. */
  readonly allSessions: Sessions;
  /** What the panel shows of them. */
  readonly sessions: PanelSessions;
  readonly view: ChatView;
  readonly review: Review;
  readonly cost: Cost;
  readonly summaries: Summaries;
  readonly code: CodeProposals;
  readonly problems: PatchProblems;
  readonly handOver: HandOver;
  readonly answers: AnswerDocuments;
  readonly schemes: { readonly proposal: string; readonly empty: string; readonly accepted: string };
  readonly panel: PanelDouble;
  readonly commands: Readonly<Record<string, () => unknown>>;
  /** Every intent, and when it has been dealt with. */
  readonly intents: { readonly kind: string; readonly done: Promise<void> }[] = [];
  readonly written = new SettingsOfTest();
  /** Of questions that nobody could see. */
  readonly notified: string[] = [];

  static async open(options: ChatStageOptions = {}): Promise<ChatStage> {
    const context = await hostContext();
    const simulator = await startSimulator({ auth: 'optional', ...options.simulator });
    const stage = new ChatStage(simulator, context, options);
    // Panels that come earlier wait for it.
    await Promise.all([stage.draft.whenRead, stage.queue.whenRead]);
    return stage;
  }

  private constructor(
    simulator: Simulator,
    context: vscode.ExtensionContext,
    { secrets = (real) => real, composerFolder, usageFolder, viewId }: ChatStageOptions,
  ) {
    this.simulator = simulator;
    const { store } = this;
    const log = store.add(newLog());
    this.log = log;
    this.settings = store.add(new SettingsOfStage());
    this.keys = store.add(new ApiKeys(secrets(context.secrets)));
    this.composerStore = store.add(new ComposerStore(new OwnStorage(composerFolder, log)));
    this.draft = store.add(new Draft(this.composerStore));
    const model = new KimiClient({
      address: () => this.settings.address,
      key: (origin) => this.keys.get(origin),
      silenceSeconds: () => this.settings.silenceSeconds,
      network: new Network(networkSettings),
      userAgent: 'kimi-chat/test',
      log,
    });
    const scheme = `kimi-test-${randomUUID()}`;
    this.schemes = { proposal: scheme, empty: `${scheme}-empty`, accepted: `${scheme}-accepted` };
    this.review = store.add(registerReview({ log, settings: reviewSettings, schemes: this.schemes }));
    this.problems = store.add(new PatchProblems({ board: this.review.board, log }));
    this.code = store.add(new CodeProposals({ board: this.review.board, newId: randomUUID, log }));
    const ports = sessionPorts(model, log);
    this.cost = store.add(
      registerCost({
        settings: this.settings,
        log,
        ...(usageFolder !== undefined && { storage: usageFolder }),
        newId: randomUUID,
        findSession: (id) => this.sessions.find(id),
        paidRequests: (id) => this.sessions.paidRequests(id),
        withoutKeys: (text) => model.withoutKeys(text),
        schemes: { usage: `${scheme}-usage`, sent: `${scheme}-sent` },
      }),
    );
    this.allSessions = store.add(
      new Sessions({
        ...ports,
        webSearch: () => this.settings.webSearch,
        notes: () => this.orphans.takeReports(),
        changes: (session, turn) => this.changes.take(session, turn),
        admit: (request, session) => this.cost.gate.admit(request, session),
      }),
    );
    this.sessions = store.add(new PanelSessions(this.allSessions));
    store.add(this.allSessions.onDidReview((proposal) => this.changes.note(proposal)));
    const later = { code: this.code, sessions: this.allSessions, orphans: this.orphans };
    store.add(this.review.board.onDidChangeLater((news) => tellLater(news, later)));
    const { extensionUri } = testedExtension();
    const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'searchWorker.cjs').fsPath;
    const sources = new ContextSources({ newId: randomUUID, worker });
    this.sources = sources;
    const { prompts, along } = store.add(
      registerPrompts({
        ...{ sessions: this.sessions, draft: this.draft, settings: this.settings, sources, log },
        newId: randomUUID,
      }),
    );
    this.prompts = prompts;
    this.along = along;
    const costFacts = store.add(
      new CostFacts({
        sessions: this.sessions,
        draft: this.draft,
        along,
        settings: this.settings,
        gate: this.cost.gate,
        log,
      }),
    );
    this.queue = store.add(new Queue(this.composerStore, this.sessions));
    this.history = store.add(
      registerHistory({
        sessions: this.allSessions,
        queue: this.queue,
        panel: () => ({ sessions: this.sessions, view: this.view }),
        settings: { keepConversations: 0 },
        forgetAsked: () => this.draft.forgetAsked(),
        clock: Date.now,
        log,
      }),
    );
    this.facts = store.add(
      new PanelFacts({
        problems: this.problems,
        recent: this.history.recent,
        settings: this.settings,
        keys: this.keys,
        draft: this.draft,
        along,
        orphans: this.orphans,
        code: this.code,
        cost: costFacts,
        webSearch: () => webSearchFacts(this.sessions.current, this.settings.webSearch),
        log,
      }),
    );
    this.summaries = store.add(new Summaries(randomUUID, `${scheme}-summary`));
    const { sessions, facts, draft, settings, keys, review, cost, summaries, code } = this;
    this.answers = store.add(new AnswerDocuments(this.allSessions, `${scheme}-answer`));
    const { answers } = this;
    const ownViewId = viewId ?? `kimiChatTests.${randomUUID()}`;
    const { queue } = this;
    this.handOver = store.add(
      new HandOver({
        ...{ problems: this.problems, sessions: this.allSessions, queue, settings, log },
        newId: randomUUID,
      }),
    );
    const copied = store.add(new CopiedText());
    this.copied = copied;
    this.pasted = store.add(new PastedTexts({ newId: randomUUID, draft, queue, scheme: `${scheme}-pasted` }));
    this.view = store.add(
      new ChatView({ viewId: ownViewId, extensionUri, sessions, facts, draft, queue, log }),
    );
    const { view, pasted } = this;
    this.completion = store.add(
      registerCompletion({
        ...{ view, sources, draft, pasted, worker, log },
        slash: prompts,
        newId: randomUUID,
      }),
    );
    this.sentTexts = store.add(new SentTexts(`${scheme}-attached`));
    this.guard = new SecretGuard({ isOn: () => settings.secretGuard, ownKeys: () => keys.known });
    this.secrets = new QuestionGuard(this.guard, randomUUID);
    const { changes, completion, sentTexts } = this;
    const intend = intentHandler({
      problems: this.problems,
      handOver: this.handOver,
      sessions,
      draft,
      along,
      sentTexts,
      secrets: this.secrets,
      history: this.history.shown,
      changes,
      queue,
      copied,
      pasted,
      facts,
      settings,
      view,
      review,
      completion,
      cost,
      summaries,
      code,
      answers,
      log,
    });
    store.add(
      view.onDidIntend((intent) => {
        this.intents.push({ kind: intent.kind, done: intend(intent) });
      }),
    );
    const panels = new ChatPanels({ sessions, draft, view });
    const asks = store.add(
      new ApprovalNotice(this.allSessions, panels, (message) => {
        this.notified.push(message);
        return Promise.resolve(undefined);
      }),
    );
    this.commands = chatCommands({ keys, settings, panels, board: review.board, asks, log });
    this.panel = new PanelDouble(view);
    if (viewId === undefined) {
      store.add(vscode.commands.registerCommand(`${ownViewId}.focus`, () => this.panel.show()));
    }
  }

  /** Has the settings point to the simulator, unless the person's point elsewhere. */
  async connect(): Promise<void> {
    this.settings.service = this.simulator.url;
    await this.facts.readKey();
  }

  /** Waits until everything that the panel asked for so far has been dealt with. */
  async dealtWith(): Promise<void> {
    await Promise.all(this.intents.map(({ done }) => done));
  }

  async close(): Promise<void> {
    this.store.dispose();
    await this.written.restore();
    await this.simulator.close();
  }
}

export function testedExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('kimi-chat-unofficial.kimi-chat');
  assert.ok(extension, 'the extension is not loaded');
  return extension;
}

/** Resolves when this is the editor in front: VS Code tells of editors and of their tabs apart. */
export async function inFront(editor: vscode.TextEditor): Promise<vscode.TextEditor> {
  await untilOpen(() => (editorInFront() === editor ? true : undefined));
  return editor;
}

/** Looks at each change of what is open until `find` finds something. */
export async function untilOpen<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      const listeners: vscode.Disposable[] = [];
      const go = (): void => {
        for (const listener of listeners) listener.dispose();
        resolve();
      };
      listeners.push(
        vscode.window.onDidChangeActiveTextEditor(go),
        vscode.window.onDidChangeVisibleTextEditors(go),
        vscode.window.tabGroups.onDidChangeTabs(go),
        vscode.window.onDidChangeActiveNotebookEditor(go),
      );
    });
  }
}
