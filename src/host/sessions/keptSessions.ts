/**
 * Has the conversations of this window outlive it: writes down what happens in them, and brings back those that earlier windows had. Shows
 * nothing itself.
 */
import * as vscode from 'vscode';

import { relativesOf } from '../../core/conversation/families.ts';
import { elsewhereReport, fromElsewhere, turnFromElsewhere } from '../../core/conversation/fromElsewhere.ts';
import { DisposableStore } from '../disposables.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalFailure } from '../journal/journalFile.ts';
import { JournalStore, type OpenedJournal } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import type { OwnStorage } from '../ownStorage.ts';
import { within } from '../within.ts';
import { FollowedSessions } from './followedSessions.ts';
import { copyOf, ended, seedOf } from './keptStates.ts';
import { showWhileRead } from './firstLook.ts';
import type { ChatSession, SessionKeeper } from './session.ts';
import type { SessionChange, SessionSeed } from './sessionSeed.ts';
import type { PanelSessions } from './panelSessions.ts';
import type { Sessions } from './sessions.ts';
import { settleProposals, type ProposalsPort } from './settleProposals.ts';
import { ShownLast } from './shownLast.ts';

/** Milliseconds that a question waits to be written down before it is sent: a disk may lie far away. */
const longestWrite = 1_000;
/** Milliseconds that the panel waits for the conversation that it is to show. */
const longestRead = 5_000;
/** Milliseconds in which the window before this one may still be closing. */
const longestClosing = 3_000;

export interface KeptSessionsParts {
  /** The folder of its own; it need not be there yet. */
  readonly folder: string;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Of this window alone, unlike the folder. Nothing is kept for it when absent. */
  readonly own?: OwnStorage;
  readonly log: Log;
  /** A line of JSON as it may be written. As it is by default. */
  readonly clean?: (line: string) => string;
  /** Shows a person what they should know. Only tests give another. */
  readonly tell?: (message: string) => void;
}

/** What is to be written when the first thing happens. */
interface Unwritten {
  readonly seed: SessionSeed | undefined;
  readonly changes: SessionChange[];
}

/** What becomes of a conversation that another window has open: it is followed, or left alone. */
type Opening = 'follow' | 'onlyFree';

export class KeptSessions implements SessionKeeper, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: KeptSessionsParts;
  readonly #journals = new Map<ChatSession, Journal>();
  readonly #unwritten = new Map<ChatSession, Unwritten>();
  /** Those that can't be written now. */
  readonly #failing = new Set<string>();
  /** Those that are just being closed: they can't be opened before that is done. */
  readonly #letGo = new Map<string, Promise<void>>();
  readonly #opening = new Map<
    string,
    { readonly work: Promise<ChatSession | undefined>; readonly how: Opening }
  >();
  /** What goes on in the place of those that can't be written to, by their ids. */
  readonly #copies = new Map<string, ChatSession>();
  #sessions: Sessions | undefined;
  #followed: FollowedSessions | undefined;
  /** What the side bar shows: the conversation that comes back by itself. */
  #shown: PanelSessions | undefined;
  #proposals: ProposalsPort | undefined;
  /** Milliseconds since the epoch until which what is open elsewhere may be of the window before this one, which is closing. */
  #closingUntil = 0;
  #isClosed = false;

  /** For lists, searches, titles and exports. What is open is known here by the id of its conversation. */
  readonly store: JournalStore;
  readonly #shownLast: ShownLast;

  constructor(parts: KeptSessionsParts) {
    this.#parts = parts;
    this.store = new JournalStore({
      folder: parts.folder,
      clock: parts.clock,
      clean: parts.clean,
      onDidFail: (id, failure) => this.#failed(id, failure),
      onDidRecover: (id) => void this.#failing.delete(id),
    });
    this.#shownLast = new ShownLast(this.store, parts.own);
  }

  begun(session: ChatSession, seed: SessionSeed | undefined): void {
    this.#unwritten.set(session, { seed, changes: [] });
  }

  note(session: ChatSession, change: SessionChange): void {
    if (this.#isClosed) return;
    const journal = this.#journals.get(session);
    if (journal !== undefined) {
      journal.note(change);
      return;
    }
    const unwritten = this.#unwritten.get(session);
    if (unwritten === undefined) return;
    unwritten.changes.push(change);
    // A conversation in which nothing was asked is none yet.
    if (change.kind === 'event') this.#begin(session, unwritten);
  }

  async whenKept(session: ChatSession): Promise<void> {
    const journal = this.#journals.get(session);
    if (journal !== undefined) await within(journal.flush(), longestWrite, undefined);
  }

  /**
   * Brings back what the window before this one showed last, with the other versions of it and all in which a patch waits. Resolves when that
   * is shown, or when it takes too long; `whenAll` when the others are there. Neither rejects.
   */
  restore(panel: PanelSessions, proposals?: ProposalsPort): { readonly whenAll: Promise<void> } {
    const sessions = panel.window;
    this.#shown = panel;
    this.#sessions = sessions;
    this.#proposals = proposals;
    this.#followed = this.#store.add(
      new FollowedSessions({
        ...{ store: this.store, sessions, log: this.#parts.log },
        takeOver: (session, opened) => this.#takeOver(session, opened),
      }),
    );
    this.#closingUntil = this.#parts.clock() + longestClosing;
    this.#store.add(panel.onDidChangeCurrent((session) => this.#noteShown(session)));
    const shown = this.#restoreShown(panel).catch((error: unknown) => {
      this.#parts.log.bug('restoring', error);
      return undefined;
    });
    const whenShown = shown.then(() => undefined);
    // Where the end of it is to be seen already, there is no hurry.
    sessions.whenRestored = within(whenShown, longestRead, undefined).then(() =>
      panel.previewed === undefined ? undefined : whenShown,
    );
    const whenAll = shown
      .then((session) => this.#restoreOthers(session))
      .catch((error: unknown) => this.#parts.log.bug('restoring', error));
    return { whenAll };
  }

  /** The conversation of this id, read again where it is not open yet, with the other versions of it. Undefined when there is none. */
  async open(id: string): Promise<ChatSession | undefined> {
    const session = await this.#open(id);
    if (session === undefined) return undefined;
    const how = session.elsewhere ? 'follow' : 'onlyFree';
    await this.#openAll(relativesOf(id, await this.store.list()), how);
    return session;
  }

  /** Resolves when none of these is being opened any more. Never rejects. */
  async whenOpened(ids: readonly string[]): Promise<void> {
    await Promise.allSettled(ids.map(async (id) => await this.#opening.get(id)?.work));
  }

  /** A copy of a conversation that another window writes to, as it is now. It is not shown. Undefined for any other. */
  copyOfFollowed(session: ChatSession): ChatSession | undefined {
    const { clock, newId } = this.#parts;
    const state = this.#followed?.stateOf(session);
    if (state === undefined || this.#isClosed) return undefined;
    return this.#sessions?.branch(copyOf(ended(state, clock()).state, newId()));
  }

  /** A copy of a conversation of another workspace: that one stays as it is. It is not shown. Undefined when it can't be read. */
  async copy(from: Pick<JournalStore, 'load'>, id: string): Promise<ChatSession | undefined> {
    const { newId } = this.#parts;
    const read = await from.load(id);
    if (read?.state === undefined || this.#isClosed) return undefined;
    const { conversation, removed, reports, ...seed } = copyOf(
      ended(read.state, read.written).state,
      newId(),
    );
    return this.#sessions?.branch({
      ...seed,
      conversation: fromElsewhere(conversation),
      removed: removed.map(turnFromElsewhere),
      reports: [...reports, elsewhereReport],
    });
  }

  /**
   * Lets go of these conversations, all or none, as soon as everything of them is written: `open` brings them back. False when that can't be
   * written, or when `canClose` says otherwise of one by then.
   * @param unwritten what becomes of those in which nothing was asked since they branched off: they are nowhere else
   */
  async close(
    family: readonly ChatSession[],
    canClose: (session: ChatSession) => boolean = () => true,
    unwritten: 'stay' | 'go' = 'stay',
  ): Promise<boolean> {
    const sessions = this.#sessions;
    await Promise.all(family.map(async (session) => await this.#journals.get(session)?.flush()));
    const isWritten = (session: ChatSession): boolean =>
      this.#journals.get(session)?.isKept ?? (unwritten === 'go' && this.#unwritten.has(session));
    if (sessions === undefined || this.#isClosed) return false;
    if (!family.every((session) => isWritten(session) && canClose(session))) return false;
    await Promise.all(
      family.map(async (session) => {
        const { id } = session.conversation;
        sessions.close(session);
        this.#journals.delete(session);
        this.#unwritten.delete(session);
        const closing = this.store.close(id).finally(() => this.#letGo.delete(id));
        this.#letGo.set(id, closing);
        await closing;
      }),
    );
    return true;
  }

  /** Writes everything and lets go: what happens from now on is not what a person did. Done when it returns. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.store.closeNow();
    this.#journals.clear();
    this.#unwritten.clear();
  }

  dispose(): void {
    this.closeNow();
    this.#store.dispose();
  }

  #begin(session: ChatSession, { seed, changes }: Unwritten): void {
    this.#unwritten.delete(session);
    const { id } = session.conversation;
    const { parent, begunWith: _begunWith, ...rest } = seed ?? {};
    const journal = this.store.begin(
      {
        id,
        createdAt: this.#parts.clock(),
        ...(parent !== undefined && { parent }),
        ...(isSeed(rest) && { seed: rest }),
      },
      () => session.conversation,
    );
    this.#journals.set(session, journal);
    journal.note(...changes);
    if (this.#shown?.current === session) this.#shownLast.note(id);
  }

  #noteShown(session: ChatSession): void {
    if (this.#journals.has(session)) this.#shownLast.note(session.conversation.id);
    else if (session.conversation.turns.length === 0) this.#shownLast.note(undefined);
  }

  async #restoreShown(sessions: PanelSessions): Promise<ChatSession | undefined> {
    const before = sessions.current;
    const last = await this.#shownLast.read();
    if (last === undefined) return undefined;
    const { id, isOwn } = last;
    return await showWhileRead(sessions, {
      peek: () => this.store.peek(id),
      open: () => this.#open(id, isOwn ? 'follow' : 'onlyFree'),
      // Who asked something meanwhile stays there.
      isWanted: () => before.conversation.turns.length === 0 && !before.running,
    });
  }

  async #restoreOthers(shown: ChatSession | undefined): Promise<void> {
    const all = await this.store.list();
    const family = shown === undefined ? [] : relativesOf(shown.conversation.id, all);
    const waiting = all.filter((one) => one.waiting !== undefined).map(({ id }) => id);
    await this.#openAll(family, shown?.elsewhere === true ? 'follow' : 'onlyFree');
    await this.#openAll(waiting);
  }

  async #openAll(ids: readonly string[], how: Opening = 'onlyFree'): Promise<void> {
    for (const id of ids) await this.#open(id, how);
  }

  async #open(id: string, how: Opening = 'follow'): Promise<ChatSession | undefined> {
    const known = this.#sessions?.find(id);
    if (known !== undefined) return known;
    const copy = this.#copies.get(id);
    // As long as nothing was asked in it, it says the same.
    if (copy !== undefined && this.#unwritten.has(copy)) return copy;
    const opening = this.#opening.get(id);
    if (opening !== undefined) {
      const session = await opening.work;
      if (session !== undefined || how === 'onlyFree' || opening.how === 'follow') return session;
      // Who wanted it only if it was free has left it alone.
      return await this.#open(id, how);
    }
    const work = this.#read(id, how).finally(() => this.#opening.delete(id));
    this.#opening.set(id, { work, how });
    return await work;
  }

  async #read(id: string, how: Opening): Promise<ChatSession | undefined> {
    const { newId, log } = this.#parts;
    await this.#letGo.get(id);
    const opened = await this.store.open(id, this.#closingUntil);
    const sessions = this.#sessions;
    if (opened.kind === 'missing' || this.#isClosed || sessions === undefined) return undefined;
    if (opened.damaged > 0) log.warn(`${opened.damaged} lines of a conversation could not be read`);
    if (opened.kind === 'readOnly') {
      if (opened.why === 'busy') return how === 'follow' ? this.#followed?.follow(opened) : undefined;
      const { state } = ended(opened.state, opened.written);
      const session = sessions.branch(copyOf(state, newId()));
      this.#copies.set(id, session);
      this.#tell(readOnlyText(opened.why));
      return session;
    }
    const { state, changes } = ended(opened.state, opened.written);
    const session = sessions.restore(seedOf(state), state.createdAt);
    this.#write(session, opened, changes);
    return session;
  }

  /** The window that wrote it has let go of it. */
  #takeOver(session: ChatSession, opened: Extract<OpenedJournal, { kind: 'open' }>): void {
    const { state, changes } = ended(opened.state, opened.written);
    session.takeOver(seedOf(state));
    this.#write(session, opened, changes);
    if (this.#shown?.current === session) this.#noteShown(session);
  }

  #write(
    session: ChatSession,
    { journal }: Extract<OpenedJournal, { kind: 'open' }>,
    changes: readonly SessionChange[],
  ): void {
    journal.note(...changes);
    this.#journals.set(session, journal);
    this.store.follow(session.conversation.id, () => session.conversation);
    if (this.#proposals === undefined) return;
    settleProposals(session, this.#proposals).catch((error: unknown) =>
      this.#parts.log.bug('settling patches', error),
    );
  }

  #failed(id: string, failure: JournalFailure): void {
    this.#parts.log.warn(`A conversation could not be written (${failure.kind})`);
    const isFirst = this.#failing.size === 0;
    this.#failing.add(id);
    if (isFirst && !this.#isClosed) this.#tell(failureText(failure));
  }

  #tell(message: string): void {
    if (this.#parts.tell === undefined) void vscode.window.showWarningMessage(message);
    else this.#parts.tell(message);
  }
}

function isSeed(rest: Partial<SessionSeed>): rest is Omit<SessionSeed, 'parent' | 'begunWith'> {
  return rest.conversation !== undefined;
}

function failureText(failure: JournalFailure): string {
  if (failure.kind === 'taken')
    return vscode.l10n.t(
      'This conversation was written to by another program. It goes on here, and what follows is not kept when the window is closed.',
    );
  return vscode.l10n.t(
    'Conversations can’t be saved now ({0}). They go on, and are saved as soon as that works again; until then, closing the window would lose what is new.',
    failure.code,
  );
}

function readOnlyText(why: 'newer' | 'failing'): string {
  switch (why) {
    case 'newer':
      return vscode.l10n.t(
        'A newer version of Kimi Chat has written to this conversation. You see what this version understands of it; what you ask now goes on in a copy.',
      );
    case 'failing':
      return vscode.l10n.t(
        'The folder of this conversation can’t be written to. You see it as it is; what you ask now goes on in a copy.',
      );
  }
}
