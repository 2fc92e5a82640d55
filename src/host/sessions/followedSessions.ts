/**
 * Conversations that another window writes to: kept up with here as they grow, and taken over when that window lets go of them. Nothing is
 * written to them before. Shows nothing itself.
 */
import { decodeRecord, type JournalRecord } from '../../core/journal/record.ts';
import { foldRecord, type JournalState } from '../../core/journal/state.ts';
import { isShown, type ShownEvent } from '../../core/conversation/turnEvent.ts';
import type { Disposable } from '../disposables.ts';
import type { JournalStore, OpenedJournal } from '../journal/journalStore.ts';
import type { Log } from '../log.ts';
import { seedOf } from './keptStates.ts';
import type { ChatSession } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Milliseconds after which it is looked again whether the other window has let go. */
const interval = 1_000;

/** A conversation as it stands in its journal, and where that goes on. */
type Found = Pick<Extract<OpenedJournal, { kind: 'readOnly' }>, 'state' | 'next'>;

export interface FollowedParts {
  readonly store: Pick<JournalStore, 'readOn' | 'open' | 'close' | 'isFree'>;
  readonly sessions: Sessions;
  /** It is written here from now on. */
  readonly takeOver: (session: ChatSession, opened: Extract<OpenedJournal, { kind: 'open' }>) => void;
  readonly log: Log;
}

interface Followed {
  readonly session: ChatSession;
  state: JournalState;
  journal: Disposable;
  readonly timer: NodeJS.Timeout;
  /** Whether it is free is being looked into. */
  isLooking: boolean;
  /** A panel shows it or a version of it, or did: nobody would find it otherwise. */
  wasShown: boolean;
}

export class FollowedSessions implements Disposable {
  readonly #parts: FollowedParts;
  readonly #followed = new Map<ChatSession, Followed>();
  readonly #showing: Disposable;

  constructor(parts: FollowedParts) {
    this.#parts = parts;
    const { sessions } = parts;
    this.#showing = sessions.onDidShow(() => {
      for (const followed of this.#followed.values())
        followed.wasShown ||= sessions.isFamilyShown(followed.session);
    });
  }

  /** Has the conversation here, as it stands in its journal and goes on there. It is not shown. */
  follow({ state, next }: Found): ChatSession {
    const session = this.#parts.sessions.restore({ ...seedOf(state), elsewhere: true }, state.createdAt);
    const followed: Followed = {
      ...{ session, state, isLooking: false, wasShown: false },
      journal: this.#readOn(session, next),
      timer: setInterval(() => this.#look(followed), interval).unref(),
    };
    this.#followed.set(session, followed);
    return session;
  }

  /** As it stands in the journal; undefined for one that is not followed. */
  stateOf(session: ChatSession): JournalState | undefined {
    return this.#followed.get(session)?.state;
  }

  /** Follows it no longer. */
  letGo(session: ChatSession): void {
    const followed = this.#followed.get(session);
    if (followed === undefined) return;
    this.#followed.delete(session);
    clearInterval(followed.timer);
    followed.journal.dispose();
  }

  dispose(): void {
    this.#showing.dispose();
    for (const session of [...this.#followed.keys()]) this.letGo(session);
  }

  #readOn(session: ChatSession, next: number): Disposable {
    return this.#parts.store.readOn(session.conversation.id, next, {
      onLines: (lines) => {
        for (const line of lines) this.#take(session, line);
      },
      // Somebody cut it or deleted it: what is left of it is read anew.
      onDidBreak: () => {
        const followed = this.#followed.get(session);
        if (followed !== undefined) void this.#openAnew(followed);
      },
    });
  }

  #take(session: ChatSession, line: string): void {
    const followed = this.#followed.get(session);
    if (followed === undefined || line.trim() === '') return;
    const read = decodeRecord(line);
    // What can't be read, or only by a later version, changes nothing that can be seen here.
    if (read.kind !== 'record') return;
    followed.state = foldRecord(followed.state, read.record);
    session.mirror(seedOf(followed.state), shownEventOf(read.record));
  }

  #look(followed: Followed): void {
    const { session, isLooking, wasShown } = followed;
    const { sessions } = this.#parts;
    if (wasShown && !sessions.isFamilyShown(session)) {
      this.letGo(session);
      sessions.close(session);
      return;
    }
    if (!isLooking) void this.#takeIfFree(followed);
  }

  async #takeIfFree(followed: Followed): Promise<void> {
    followed.isLooking = true;
    try {
      if (await this.#parts.store.isFree(followed.session.conversation.id)) await this.#openAnew(followed);
    } finally {
      followed.isLooking = false;
    }
  }

  /** To write it, or to read on when somebody else was first. */
  async #openAnew(followed: Followed): Promise<void> {
    const { session } = followed;
    const { store, takeOver, log } = this.#parts;
    try {
      const opened = await store.open(session.conversation.id);
      if (this.#followed.get(session) !== followed) {
        // Nobody is there for it any more: nor is it kept from others, who may have opened it again here.
        if (opened.kind === 'open') await store.close(session.conversation.id);
        return;
      }
      // It stays here as it was seen last.
      session.deletedElsewhere = opened.kind === 'missing';
      if (opened.kind === 'missing') return;
      if (opened.kind === 'open') {
        this.letGo(session);
        takeOver(session, opened);
        return;
      }
      followed.journal.dispose();
      followed.state = opened.state;
      session.mirrorAnew(seedOf(opened.state));
      followed.journal = this.#readOn(session, opened.next);
    } catch (error) {
      log.bug('following a conversation', error);
    }
  }
}

function shownEventOf(record: JournalRecord): ShownEvent | undefined {
  if (record.kind !== 'event' || record.event.kind === 'requestMade') return undefined;
  return isShown(record.event) ? record.event : undefined;
}
