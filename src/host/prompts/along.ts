/**
 * What goes along with a question without being attached: standing instructions, and what a slash command brings. Shows it before, as far
 * as it is known then, and finds it anew at the moment of sending. Knows no panel.
 */
import * as vscode from 'vscode';

import { exchanged, type AskedQuestion } from '../../core/conversation/branch.ts';
import type { AttachmentSummary, Conversation, Question } from '../../core/conversation/conversation.ts';
import { dueRules, toldRules, type DueRules, type RuleChoice } from '../../core/conversation/rules.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import { summaryOf, type Attachment } from '../../core/conversation/userMessage.ts';
import type { AlongFacts } from '../../protocol/toWebview.ts';
import type { KeptQuestion } from '../composer/composerStore.ts';
import type { Draft } from '../composer/draft.ts';
import { isFileItself } from '../composer/placeOf.ts';
import { editorInFront } from '../chat/editorInFront.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import { DisposableStore, MutableDisposable } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { commandParts, type CommandSources } from './commandParts.ts';
import { invocationOf } from './promptFile.ts';
import {
  gone,
  inPlaceOfEarlier,
  isGone,
  skippedText,
  standingRules,
  type Near,
  type Rules,
  type SkippedRules,
  type StandingParts,
} from './standing.ts';

export interface AlongParts {
  readonly sessions: Pick<PanelSessions, 'current' | 'find' | 'onDidChangeCurrent'>;
  readonly draft: Draft;
  readonly settings: Pick<Settings, 'ownInstructions' | 'onDidChange'>;
  readonly sources: CommandSources;
  /** What is remembered of conversations, shared by all panels that may show them. */
  readonly memories?: AlongMemories;
  readonly log: Log;
  /** As the window has them by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  readonly trusted?: () => boolean;
}

/** What becomes of a question before it is asked. */
export type Prepared<T> =
  | { readonly kind: 'ready'; readonly question: T }
  /** A sentence for people. */
  | { readonly kind: 'problem'; readonly text: string }
  /** The person thought better of it. */
  | { readonly kind: 'cancelled' };

export interface EditedFrom {
  readonly from: ChatSession;
  readonly before: Question;
  readonly branch: Conversation;
  /** It is not asked yet: the person is not asked for what its prompt wants to know, which stays as it is written. */
  readonly onlyWeighed?: true;
}

/** What is known of a conversation that it does not tell itself. */
interface Memory {
  /** Paths of instructions that are not sent, which the person was told with an earlier question. */
  readonly skipped: Set<string>;
}

export type AlongMemories = WeakMap<ChatSession, Memory>;

interface Due extends DueRules<Rules> {
  readonly skipped: readonly SkippedRules[];
  /** All that hold now, and what is to be said of those that no longer do. */
  readonly held: readonly Rules[];
}

interface Preview extends Omit<Due, 'held'> {
  readonly command: readonly Attachment[];
  readonly note?: string;
}

const noPreview: Preview = { goes: [], left: [], skipped: [], command: [] };

/** Instructions that are not sent, of which a person is told at a time. */
const mostSkipped = 3;

/** Milliseconds: what happens at once is looked into once. */
const restTime = 60;
/** The same for a cursor that moves: all prompts are read again, and git is asked what changed. */
const cursorRestTime = 300;

export class Along implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: AlongParts;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #session = this.#store.add(new MutableDisposable());
  readonly #memories: AlongMemories;
  /** What of a command the person took off the question that is being written. */
  readonly #dropped = new Set<string>();
  #preview = noPreview;
  #command = '';
  /** Of the next look. */
  #timer: { readonly due: number; readonly handle: NodeJS.Timeout } | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** A look waits for the end of the one before. */
  #waits = false;
  /** What the person was asked for a text that is not on its way yet: it is not asked again when that is sent again, as when it is dear. */
  #answers: { readonly text: string; readonly values: ReadonlyMap<string, string> } | undefined;

  /** `current` is another. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: AlongParts) {
    this.#parts = parts;
    this.#memories = parts.memories ?? new WeakMap();
    const { sessions, draft, settings } = parts;
    const stale = (): void => this.#refresh();
    const { workspace, window } = vscode;
    this.#store.add(draft.onDidChangeAttachments(stale));
    this.#store.add(settings.onDidChange(stale));
    this.#store.add(window.onDidChangeActiveTextEditor(stale));
    this.#store.add(window.tabGroups.onDidChangeTabs(stale));
    this.#store.add(
      window.onDidChangeTextEditorSelection(() => {
        if (this.#command !== '') this.#refresh(cursorRestTime);
      }),
    );
    this.#store.add(workspace.onDidChangeWorkspaceFolders(stale));
    this.#store.add(workspace.onDidGrantWorkspaceTrust(stale));
    for (const glob of watched) {
      const watcher = this.#store.add(workspace.createFileSystemWatcher(glob));
      this.#store.add(watcher.onDidChange(stale));
      this.#store.add(watcher.onDidCreate(stale));
      this.#store.add(watcher.onDidDelete(stale));
    }
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (isWatched(document.uri)) stale();
      }),
    );
    const follow = (): void => {
      this.#session.value = sessions.current.onDidHappen((event) => {
        if (concerns(event)) stale();
      });
      stale();
    };
    this.#store.add(sessions.onDidChangeCurrent(follow));
    void draft.whenRead.then(() => this.#readAgain());
    follow();
  }

  /** For the panel. */
  get current(): AlongFacts {
    const { left, note, skipped } = this.#preview;
    const told = this.#memoryOf(this.#parts.sessions.current).skipped;
    const news = skipped.filter(({ path }) => !told.has(path)).slice(0, mostSkipped);
    return {
      chips: this.attachments.map(summaryOf),
      left: left.map(summaryOf),
      ...(note !== undefined && { note }),
      ...(news.length > 0 && { skipped: news.map(skippedText) }),
    };
  }

  /** What goes along with the question that is being written, as far as is known. */
  get attachments(): readonly Attachment[] {
    return [...this.#preview.goes, ...this.#preview.command];
  }

  find(id: string): Attachment | undefined {
    const { goes, left, command } = this.#preview;
    return [...goes, ...command, ...left].find((one) => one.id === id);
  }

  /** The text of the question that is being written is another. */
  questionChanged(): void {
    if (this.#commandChanged()) this.#refresh();
  }

  /** Takes something off: instructions for this conversation, else for this question. False when nothing of this name goes along. */
  remove(id: string): boolean {
    const attachment = this.attachments.find((one) => one.id === id);
    if (attachment === undefined) return false;
    if (attachment.kind === 'instructions') this.#choose(attachment.uri, 'leave');
    else this.#dropped.add(targetOf(attachment));
    this.#refresh(0);
    return true;
  }

  /** Takes instructions in again that were left out of this conversation. */
  putBack(id: string): void {
    const rules = this.#preview.left.find((one) => one.id === id);
    if (rules === undefined) return;
    this.#choose(rules.uri, 'send');
    this.#refresh(0);
  }

  /** With what its slash command brings. What counts is the moment of sending: what stands in front then. */
  async withCommand(question: KeptQuestion): Promise<Prepared<KeptQuestion>> {
    this.questionChanged();
    const { text } = question;
    const { sources } = this.#parts;
    const attached = question.attachments.filter(({ kind }) => kind !== 'prompt');
    const dropped = new Set(this.#dropped);
    const known = this.#answers?.text === text ? this.#answers.values : new Map<string, string>();
    const values = new Map<string, string>();
    const ask: CommandSources['ask'] = async (prompt, input) => {
      const value = known.get(input.name) ?? (await sources.ask(prompt, input));
      if (value !== undefined) values.set(input.name, value);
      return value;
    };
    const parts = await commandParts({ text, attached }, { ...sources, ask }, true);
    if (parts.kind !== 'ready') return parts;
    this.#answers = { text, values };
    return {
      kind: 'ready',
      question: { ...question, attachments: [...attached, ...staying(parts, dropped)] },
    };
  }

  /** The question from the composer was taken: what was taken off it is over. */
  asked(): void {
    this.#answers = undefined;
    this.#dropped.clear();
    const { note: _, ...preview } = this.#preview;
    this.#show({ ...preview, command: [] });
    this.questionChanged();
  }

  /** The instructions that a conversation is to be told with a question about these. */
  async rulesFor(
    session: ChatSession,
    attached: readonly AttachmentSummary[],
  ): Promise<readonly Attachment[]> {
    const { goes } = await this.#due(session.conversation, attached, session.ruleChoices);
    return goes;
  }

  /** `rulesFor`, once the question is on its way. */
  told(session: ChatSession, rules: readonly Attachment[]): void {
    const { skipped } = this.#memoryOf(session);
    for (const { uri } of rules)
      if (session.ruleChoices.get(uri) === 'send') session.chooseRule(uri, undefined);
    if (session !== this.#parts.sessions.current) return;
    this.#parts.draft.rules = [];
    for (const { path } of this.#preview.skipped) skipped.add(path);
    const goes = this.#preview.goes.filter(({ uri }) => !rules.some((one) => one.uri === uri));
    this.#show({ ...this.#preview, goes });
  }

  /**
   * A question that is asked anew with another text: its command is looked at again when that is another, and its instructions are as they
   * are now. What the person took off stays off.
   * @param from the conversation in which it was asked
   * @param before the question as it was asked
   * @param branch the conversation that it begins with now
   */
  async edited(
    asked: AskedQuestion,
    { from, before, branch, onlyWeighed }: EditedFrom,
  ): Promise<Prepared<AskedQuestion>> {
    const { text, attachments } = asked.question;
    const drop = new Set<string>();
    const prompts = attachments.filter(({ kind }) => kind === 'prompt');
    let after: readonly Attachment[] = [];
    const had = before.attachments.some(({ kind }) => kind === 'prompt');
    if (commandOf(text) !== commandOf(before.text) || !had) {
      for (const { id } of prompts) drop.add(id);
      const attached = attachments.filter(({ kind }) => kind !== 'prompt');
      const parts = await commandParts({ text, attached }, this.#parts.sources, onlyWeighed !== true);
      if (parts.kind !== 'ready') return parts;
      after = staying(parts, new Set());
    }
    const taken = new Map(from.ruleChoices);
    for (const { kind, uri, id } of before.attachments) {
      if (kind === 'instructions' && !attachments.some((one) => one.id === id)) taken.set(uri, 'leave');
    }
    const { goes, left, held } = await this.#due(branch, attachments, taken);
    const kept = attachments.filter(({ kind }) => kind === 'instructions');
    for (const { id, uri, digest } of kept) {
      if (left.some((one) => one.uri === uri)) continue;
      const now = held.find((one) => one.uri === uri);
      if (now === undefined ? await this.#isGone(uri) : now.digest !== digest) drop.add(id);
    }
    const news = goes.filter(({ uri }) => !kept.some((one) => one.uri === uri && !drop.has(one.id)));
    return { kind: 'ready', question: exchanged(asked, { drop, before: news, after }) };
  }

  /** What the person took off when they asked anew stays off in the branch. */
  branched(branch: ChatSession, before: Question, now: Question): void {
    for (const { kind, uri } of before.attachments) {
      if (kind === 'instructions' && !now.attachments.some((one) => one.uri === uri))
        branch.chooseRule(uri, 'leave');
    }
  }

  /** Resolves when what is shown is true, as far as everything that happened until now goes. For tests. */
  async whenShown(): Promise<void> {
    if (this.#timer !== undefined) this.#look();
    await this.#looking;
  }

  dispose(): void {
    clearTimeout(this.#timer?.handle);
    this.#store.dispose();
  }

  /** What was taken off was of the command before. */
  #commandChanged(): boolean {
    const command = invocationOf(this.#parts.draft.text)?.name ?? '';
    if (command === this.#command) return false;
    this.#command = command;
    this.#dropped.clear();
    return true;
  }

  #refresh(after = restTime): void {
    const due = performance.now() + after;
    if (this.#store.isDisposed || (this.#timer !== undefined && this.#timer.due <= due)) return;
    clearTimeout(this.#timer?.handle);
    this.#timer = { due, handle: setTimeout(() => this.#look(), after) };
  }

  #look(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
    // One after the other: a later one is never overtaken. One that waits sees all that happened until it begins.
    if (this.#waits) return;
    this.#waits = true;
    this.#looking = this.#looking.then(() => {
      this.#waits = false;
      return this.#lookOnce();
    });
  }

  async #lookOnce(): Promise<void> {
    const { sessions, draft, sources, log } = this.#parts;
    const session = sessions.current;
    this.#commandChanged();
    try {
      const attached = draft.attachments.filter(({ kind }) => kind !== 'prompt');
      const parts = await commandParts({ text: draft.text, attached }, sources, false);
      const ready = parts.kind === 'ready' ? parts : undefined;
      const brought = ready === undefined ? [] : staying(ready, this.#dropped);
      // Chips keep their names as long as they say the same: somebody may be about to press one.
      const command = brought.map((one) => this.#preview.command.find((old) => isSame(old, one)) ?? one);
      const due = await this.#due(session.conversation, [...attached, ...command], session.ruleChoices);
      if (this.#store.isDisposed || session !== sessions.current) return;
      const note = command.length > 0 ? ready?.note : undefined;
      this.#show({ ...due, command, ...(note !== undefined && { note }) });
    } catch (error) {
      log.bug('what goes along', error);
      this.#show(noPreview);
    }
  }

  #show(preview: Preview): void {
    this.#preview = preview;
    this.#changed.fire();
  }

  async #due(
    conversation: Conversation,
    attached: readonly AttachmentSummary[],
    choices: ReadonlyMap<string, RuleChoice>,
  ): Promise<Due> {
    const standing = this.#standing();
    const told = toldRules(conversation);
    const { rules: found, skipped } = await standingRules(nearTo(attached), standing);
    const rules = [...found];
    for (const summary of conversation.turns.flatMap(({ question }) => question.attachments)) {
      const { kind, uri } = summary;
      if (kind !== 'instructions' || rules.some((one) => one.uri === uri)) continue;
      if (told.has(uri) && (await this.#isGone(uri))) rules.push(gone(summary));
    }
    const { goes, left } = dueRules(told, rules, choices);
    return { goes: goes.map(inPlaceOfEarlier), left, skipped, held: rules };
  }

  async #isGone(uri: string): Promise<boolean> {
    const place = parsed(uri);
    return place !== undefined && (await isGone(place, this.#standing()));
  }

  #standing(): StandingParts {
    const { settings, folders, trusted } = this.#parts;
    return {
      own: settings.ownInstructions,
      folders: folders?.() ?? vscode.workspace.workspaceFolders ?? [],
      trusted: trusted?.() ?? vscode.workspace.isTrusted,
    };
  }

  /** What was said for the first question, before the window was loaded anew. */
  #readAgain(): void {
    const { draft, sessions } = this.#parts;
    const { current: session } = sessions;
    if (session.conversation.turns.length === 0)
      for (const { uri, choice } of draft.rules) session.chooseRule(uri, choice);
    this.questionChanged();
    if (draft.rules.length > 0) this.#refresh(0);
  }

  #choose(uri: string, choice: RuleChoice): void {
    const { sessions, draft } = this.#parts;
    const session = sessions.current;
    session.chooseRule(uri, choice);
    if (session.conversation.turns.length === 0)
      draft.rules = [...session.ruleChoices].map(([of, said]) => ({ uri: of, choice: said }));
  }

  /** A branch begins with that of the conversation that it branched off from. */
  #memoryOf(session: ChatSession): Memory {
    const known = this.#memories.get(session);
    if (known !== undefined) return known;
    const made: Memory = { skipped: new Set() };
    // Before it is asked where it came from: a file that somebody renamed may have it come from itself.
    this.#memories.set(session, made);
    const from = session.parent && this.#parts.sessions.find(session.parent.conversation);
    if (from === undefined) return made;
    for (const path of this.#memoryOf(from).skipped) made.skipped.add(path);
    return made;
  }
}

const watched = ['**/AGENTS.md', '**/.github/copilot-instructions.md', '**/.github/prompts/*.prompt.md'];

function isWatched({ path }: vscode.Uri): boolean {
  return /\/(?:AGENTS\.md|\.github\/copilot-instructions\.md)$/.test(path);
}

interface Brought {
  readonly prompt?: Attachment;
  readonly code: readonly Attachment[];
}

/** Without its prompt a command brings nothing. */
function staying({ prompt, code }: Brought, dropped: ReadonlySet<string>): readonly Attachment[] {
  if (prompt === undefined || dropped.has(targetOf(prompt))) return [];
  return [...code.filter((one) => !dropped.has(targetOf(one))), prompt];
}

/** What it is about, whenever it was read. */
function targetOf({ kind, uri, range }: AttachmentSummary): string {
  return `${kind} ${uri} ${range?.from ?? ''}`;
}

/** But for the id, which is another each time that something is read. */
function isSame(one: Attachment, other: Attachment): boolean {
  const rest = (attachment: Attachment): string => JSON.stringify({ ...summaryOf(attachment), id: '' });
  return (
    one.text === other.text &&
    one.image === other.image &&
    one.heading === other.heading &&
    rest(one) === rest(other)
  );
}

/** With what is typed behind it. */
function commandOf(text: string): string {
  const invocation = invocationOf(text);
  return invocation === undefined ? '' : `${invocation.name} ${invocation.argument}`;
}

function nearTo(attached: readonly AttachmentSummary[]): readonly Near[] {
  const named = attached.flatMap(({ uri, kind }): readonly Near[] => {
    const place = parsed(uri);
    return place === undefined ? [] : [{ uri: place, isFolder: kind === 'folder' }];
  });
  const document = editorInFront()?.document;
  return document !== undefined && isFileItself(document)
    ? [...named, { uri: document.uri, isFolder: false }]
    : named;
}

function parsed(uri: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(uri, true);
  } catch {
    return undefined;
  }
}

/** What changes what the model sees of earlier turns; text that streams in does not. */
function concerns({ kind }: ShownEvent): boolean {
  switch (kind) {
    case 'turnStarted':
    case 'contextCut':
    case 'turnRemoved':
    case 'turnRestored':
      return true;
    default:
      return false;
  }
}
