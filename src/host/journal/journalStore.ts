/**
 * The conversations that are kept in one folder: lists, reads, continues, deletes them. One journal each, one writer each. Knows nothing of
 * VS Code and of what is shown; whoever has a conversation open notes its changes in its `Journal`.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Parent } from '../../core/conversation/branch.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { familiesOf } from '../../core/conversation/families.ts';
import { factsOf, type ConversationFacts, type ConversationTitle } from '../../core/journal/facts.ts';
import { lastTurns } from '../../core/journal/lastTurns.ts';
import { JournalReader, type ReadJournal } from '../../core/journal/readJournal.ts';
import { beginning, decodeRecord, type JournalSeed } from '../../core/journal/record.ts';
import type { JournalState } from '../../core/journal/state.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { fewAtOnce } from '../edits/files/fewAtOnce.ts';
import { FollowedJournal, type FollowPorts } from './followJournal.ts';
import { Journal, type JournalParts } from './journal.ts';
import { JournalFile, type JournalFailure } from './journalFile.ts';
import { JournalIndex } from './journalIndex.ts';
import { journalEnding, JournalsAside, type AsideTimes } from './journalsAside.ts';
import { heartbeat, Lease } from './lease.ts';
import { readLastLines } from './lastLines.ts';
import { readLines, type LineTaker } from './lines.ts';

export interface JournalStorePorts {
  /** Where it keeps everything; it need not be there yet. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A line of JSON as it may be written. As it is by default. */
  readonly clean?: ((line: string) => string) | undefined;
  /** A conversation can't be written any more. Told once for each, and again only after it could be in between. */
  readonly onDidFail: (id: string, failure: JournalFailure) => void;
  /** It can be written again, and everything of it is. */
  readonly onDidRecover: (id: string) => void;
}

/** What a list shows. */
export interface ListedConversation extends ConversationFacts {
  /** Of its journal, in bytes. */
  readonly size: number;
}

/** What a conversation begins with. */
export interface JournalBeginning {
  readonly id: string;
  readonly createdAt: number;
  readonly parent?: Parent;
  readonly seed?: JournalSeed;
}

/** A conversation as it was read. */
export interface LoadedJournal extends ReadJournal {
  /** When it was written to last. Milliseconds since the epoch, never later than now. */
  readonly written: number;
}

export type OpenedJournal =
  /** This window is the one that writes to it, until `close`. */
  | {
      readonly kind: 'open';
      readonly state: JournalState;
      readonly journal: Journal;
      readonly damaged: number;
      /** When it was written to last before. Milliseconds since the epoch, never later than now. */
      readonly written: number;
    }
  /**
   * Not to be written to: a later version wrote some of it, another window has it open, or nothing can be written there. What goes on
   * from it must be another conversation.
   */
  | {
      readonly kind: 'readOnly';
      readonly state: JournalState;
      readonly why: 'newer' | 'busy' | 'failing';
      readonly damaged: number;
      /** As above. */
      readonly written: number;
      /** Where in its journal the first line begins that is not part of `state`, in bytes: see `readOn`. */
      readonly next: number;
    }
  /** There is no such journal, or its beginning is lost. */
  | { readonly kind: 'missing' };

/** Why something can't be done with a conversation. */
export type JournalProblem = 'missing' | 'busy' | 'newer' | 'failing';

export interface DeletedAll {
  readonly conversations: number;
  /** Bytes on the disk. */
  readonly size: number;
  /** Ids of those that another window has open, or that could not be deleted. */
  readonly left: readonly string[];
}

interface OpenEntry extends Pick<JournalBeginning, 'createdAt' | 'parent'> {
  readonly journal: Journal;
  lease: Lease | undefined;
  /** Settles when it has its lease, or could not have it now. */
  leasing?: Promise<void> | undefined;
  title?: ConversationTitle | undefined;
  pinned?: boolean | undefined;
  /** As it is now. */
  conversation: () => Conversation;
}

/** Before this nothing was written: a clock that said so had forgotten the time, and tells nothing of how old something is. */
const earliest = Date.UTC(2026, 0, 1);
/** Bytes from which a journal is long: to read less takes no longer than a blink. */
const longFrom = 4 * 2 ** 20;
/** Bytes of its end that are looked at first, and at most: until a turn begins in them. */
const firstLook = 2 ** 19;
const longestLook = 2 ** 23;
/** Milliseconds after which it is looked again whether somebody has closed what they had open. */
const closingInterval = 100;

export class JournalStore {
  readonly #ports: JournalStorePorts;
  readonly #index: JournalIndex;
  readonly #aside: JournalsAside;
  readonly #open = new Map<string, OpenEntry>();
  /** Those that are being read to be continued, which takes a while when they are long. */
  readonly #opening = new Map<string, Promise<unknown>>();
  /** Those that a later version wrote to, as they were listed. */
  readonly #newer = new Map<string, ListedConversation>();
  /** Those of which nothing can be made, by the size that they had: they may be long, and are not read for each list. */
  readonly #lost = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(ports: JournalStorePorts) {
    this.#ports = ports;
    this.#index = new JournalIndex(join(ports.folder, 'index.jsonl'), ports.clean);
    this.#aside = new JournalsAside({
      ...{ folder: ports.folder, clock: ports.clock, index: this.#index },
      pathOf: (id) => this.#pathOf(id),
      onDidChange: () => this.#changed(),
    });
  }

  /** Called when the list may be another. Returns the way to call it off. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * All conversations, the one that changed last first. Reads the index, and only those journals of which that knows nothing or not the
   * latest. Never rejects; what can't be read is left out.
   */
  async list(): Promise<readonly ListedConversation[]> {
    await this.#index.read();
    const ids = await this.#ids();
    const found = await fewAtOnce(ids, async (id) => {
      const entry = this.#open.get(id);
      if (entry !== undefined && entry.journal.size > 0) {
        return { listed: { ...factsNow(entry), size: entry.journal.size }, isNews: false };
      }
      const size = await stat(this.#pathOf(id)).then(
        (file) => file.size,
        () => undefined,
      );
      const known = this.#index.entries.get(id);
      if (size === undefined) return undefined;
      if (known?.size === size) return { listed: { ...known.facts, size }, isNews: false };
      const newer = this.#newer.get(id);
      if (newer?.size === size) return { listed: newer, isNews: false };
      if (this.#lost.get(id) === size) return undefined;
      const read = await this.#read(id);
      if (read?.state === undefined) {
        if (read?.size === size) this.#lost.set(id, size);
        return undefined;
      }
      const listed = { ...factsOf(read.state), size: read.size };
      // What this version makes of it is not what the version that wrote it should find in the index.
      if (read.isNewer) this.#newer.set(id, listed);
      return { listed, isNews: !read.isNewer };
    });
    const all = found.filter((one) => one !== undefined);
    const news = all.flatMap(({ listed: { size, ...facts }, isNews }) => (isNews ? [{ facts, size }] : []));
    void this.#index.set(news);
    return all.map(({ listed }) => listed).toSorted((a, b) => b.changedAt - a.changedAt);
  }

  /** The conversation that was shown last in this folder, as far as is known. */
  async lastShown(): Promise<string | undefined> {
    await this.#index.read();
    return this.#index.shown;
  }

  noteShown(id: string): void {
    void this.#index.show(id);
  }

  /**
   * A new conversation, of which the first line is noted.
   * @param conversation as it is whenever that is asked, for the list
   */
  begin({ id, createdAt, parent, seed }: JournalBeginning, conversation: () => Conversation): Journal {
    const journal = this.#journal(id, undefined, undefined);
    const entry: OpenEntry = {
      ...{ journal, lease: undefined, createdAt, conversation },
      ...(parent !== undefined && { parent }),
    };
    this.#open.set(id, entry);
    // Nobody else knows it yet: nothing waits for that.
    this.#lease(id, entry);
    this.#keepAlive();
    journal.noteAll(
      beginning({
        ...{ id, at: createdAt },
        ...(parent !== undefined && { parent }),
        ...(seed !== undefined && { seed }),
      }),
    );
    return journal;
  }

  /** Reads a conversation without continuing it. Never rejects. */
  async load(id: string): Promise<LoadedJournal | undefined> {
    const open = this.#open.get(id);
    await open?.journal.flush();
    return await this.#read(id);
  }

  /**
   * The last turns of a conversation that takes a while to read, as they stand in the file, for a first look. Undefined when it is soon read
   * whole, and when it can't be read. Never rejects.
   */
  async peek(id: string): Promise<Conversation | undefined> {
    if (!isId(id)) return undefined;
    const path = this.#pathOf(id);
    try {
      const file = await stat(path);
      if (file.size < longFrom) return undefined;
      for (let length = firstLook; length <= longestLook; length *= 4) {
        const lines = await readLastLines(path, length);
        const conversation = lastTurns(lines, id, this.#written(file));
        if (conversation.turns.length > 0) return conversation;
      }
    } catch {
      // Then nobody sees anything before the whole of it is read, or could not be.
    }
    return undefined;
  }

  /** Gives each ended line of a journal, for a search or a copy. Resolves with false when it can't be read. */
  async lines(id: string, taker: LineTaker): Promise<boolean> {
    try {
      await readLines(this.#pathOf(id), taker);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Continues a conversation. Who does tells with `follow` where it is to be seen as it is from then on. It is not to be opened again before
   * it was closed: that would be busy. Never rejects.
   * @param until milliseconds since the epoch until which it waits for another window to close it
   */
  async open(id: string, until = 0): Promise<OpenedJournal> {
    const work = this.#openNow(id, until);
    this.#opening.set(id, work);
    try {
      return await work;
    } finally {
      if (this.#opening.get(id) === work) this.#opening.delete(id);
    }
  }

  async #openNow(id: string, until: number): Promise<OpenedJournal> {
    if (this.#isClosed || !isId(id)) return { kind: 'missing' };
    const path = this.#pathOf(id);
    if ((await stat(path).catch(() => undefined)) === undefined) return { kind: 'missing' };
    let lease: Lease | undefined;
    let hindrance: 'busy' | 'failing' = 'busy';
    try {
      lease = this.#open.has(id) ? undefined : await this.#takeLease(id, until);
    } catch {
      hindrance = 'failing';
    }
    const read = await this.#read(id);
    if (read?.state === undefined) {
      await lease?.release();
      return { kind: 'missing' };
    }
    const { state, damaged, isNewer, isTorn, size, next, written } = read;
    if (lease === undefined || isNewer || this.#isClosed) {
      await lease?.release();
      return { kind: 'readOnly', state, damaged, next, written, why: isNewer ? 'newer' : hindrance };
    }
    const journal = this.#journal(id, { size, isTorn }, state.requests.requests.at(-1)?.head);
    const { createdAt, parent, title, pinned, conversation } = state;
    this.#open.set(id, {
      ...{ journal, lease, createdAt, title, pinned },
      ...(parent !== undefined && { parent }),
      conversation: () => conversation,
    });
    this.#keepAlive();
    return { kind: 'open', state, journal, damaged, written };
  }

  /** Nobody writes to it. Never rejects. */
  async isFree(id: string): Promise<boolean> {
    return isId(id) && (await Lease.isFree(this.#leaseOf(id)));
  }

  /**
   * Reads on in a conversation that another window writes to, until that is disposed of.
   * @param next as `open` told it
   */
  readOn(id: string, next: number, ports: FollowPorts): FollowedJournal {
    return new FollowedJournal(this.#pathOf(id), next, ports);
  }

  /** From now on an open conversation is to be seen here, for the list. */
  follow(id: string, conversation: () => Conversation): void {
    const entry = this.#open.get(id);
    if (entry !== undefined) entry.conversation = conversation;
  }

  /** Another window, or the next one, may continue it. */
  async close(id: string): Promise<void> {
    const entry = this.#open.get(id);
    if (entry === undefined) return;
    await Promise.all([entry.journal.close(), entry.leasing]);
    this.#open.delete(id);
    const facts = factsNow(entry);
    if (entry.journal.size > 0) await this.#index.set([{ facts, size: entry.journal.size }]);
    await entry.lease?.release();
  }

  /** Of one that is open here; undefined also when it has none. */
  titleOf(id: string): ConversationTitle | undefined {
    return this.#open.get(id)?.title;
  }

  /** Whether it is open here or nowhere. The last title counts. */
  async setTitle(id: string, title: ConversationTitle): Promise<Result<void, JournalProblem>> {
    return await this.#amend(id, (entry) => {
      entry.title = title;
      entry.journal.note({ kind: 'title', title: title.text, by: title.by });
    });
  }

  /** As `setTitle`. */
  async setPinned(id: string, pinned: boolean): Promise<Result<void, JournalProblem>> {
    return await this.#amend(id, (entry) => {
      entry.pinned = pinned;
      entry.journal.note({ kind: 'pinned', pinned });
    });
  }

  /** Puts a conversation aside, from where `restore` has it back. One that is open here must be closed first. */
  async delete(id: string): Promise<Result<void, JournalProblem>> {
    return await this.#alone(id, async () => {
      await this.#aside.put('trash', id);
    });
  }

  /** Deletes for good what nobody is to have back. As `delete`. */
  async discard(id: string): Promise<Result<void, JournalProblem>> {
    return await this.#alone(id, async () => {
      await rm(this.#pathOf(id));
      await this.#index.remove([id]);
      await this.#index.renew();
    });
  }

  /** Takes a deletion back. */
  async restore(id: string): Promise<Result<void, JournalProblem>> {
    return isId(id) ? await this.#aside.takeBack(id) : err('missing');
  }

  /** Deletes for good what was deleted before this. Never rejects. */
  async emptyTrash(before: number): Promise<void> {
    await this.#aside.emptyTrash(before);
  }

  /**
   * Puts aside as old what changed last before this, whole families of versions, but for what is pinned, has a patch that waits, was written
   * by a later version, or is open anywhere. `clearOld` deletes it for good, or has it back.
   * @returns how many
   */
  async retire(before: number): Promise<number> {
    const all = await this.list();
    const isDue = ({ changedAt, pinned, waiting }: ConversationFacts): boolean =>
      changedAt < before && changedAt >= earliest && pinned !== true && waiting === undefined;
    let count = 0;
    // Versions of the same turns go together: who keeps one has the others with it.
    const members = all.map((one) => ({ conversation: one, parent: one.parent }));
    for (const family of familiesOf(members).map((some) => some.map(({ conversation }) => conversation))) {
      if (!family.every((one) => isDue(one) && !this.#open.has(one.id))) continue;
      // Imported, named or copied later than it was answered.
      const times = await Promise.all(family.map(({ id }) => stat(this.#pathOf(id)).catch(() => undefined)));
      if (!times.every((file) => file !== undefined && file.mtimeMs < before)) continue;
      for (const { id } of family) {
        const done = await this.#alone(id, async () => {
          // Lists tell of a moment that is over, and by an index.
          const read = await this.#read(id);
          if (read?.state === undefined || read.isNewer || !isDue(factsOf(read.state))) return false;
          await this.#aside.put('old', id);
          return true;
        });
        if (done.ok && done.value) count += 1;
      }
    }
    return count;
  }

  /** Of what was put aside as old, see `JournalsAside`. Never rejects. */
  async clearOld(times: AsideTimes): Promise<void> {
    await this.#aside.clearOld(times);
  }

  /** There is nothing to delete, not even what was put aside. */
  async isEmpty(): Promise<boolean> {
    return (await this.#ids()).length === 0 && (await this.#aside.isEmpty());
  }

  /**
   * Deletes everything for good: what was put aside included, and what can't be read. What is open here must be closed first.
   */
  async deleteAll(): Promise<DeletedAll> {
    const all = await this.list();
    const ids = await this.#ids();
    const left: string[] = [];
    let conversations = 0;
    let size = 0;
    for (const id of ids) {
      const remove = (): Promise<void> => rm(this.#pathOf(id));
      // What bears no name of ours nobody has open.
      const isDone = isId(id)
        ? (await this.#alone(id, remove)).ok
        : await remove().then(
            () => true,
            () => false,
          );
      const listed = all.find((one) => one.id === id);
      if (!isDone) left.push(id);
      else if (listed !== undefined) {
        conversations += 1;
        size += listed.size;
      }
    }
    await this.#index.remove([...this.#index.entries.keys()].filter((id) => !left.includes(id)));
    await this.#aside.empty();
    if (left.length === 0) this.#index.forgetShown();
    await this.#index.renew();
    return { conversations, size, left };
  }

  /** Writes everything and lets go. For the end of the window, which waits for nobody: done when it returns. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    const kept: { facts: ConversationFacts; size: number }[] = [];
    for (const entry of this.#open.values()) {
      const { journal, lease } = entry;
      journal.closeNow();
      if (journal.size > 0) kept.push({ facts: factsNow(entry), size: journal.size });
      lease?.releaseNow();
    }
    this.#index.setNow(kept);
    this.#open.clear();
    this.#listeners.clear();
  }

  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#journals).catch(() => []);
    return names.flatMap((name) =>
      name.endsWith(journalEnding) ? [name.slice(0, -journalEnding.length)] : [],
    );
  }

  get #journals(): string {
    return join(this.#ports.folder, 'journals');
  }

  #pathOf(id: string): string {
    return join(this.#journals, `${id}${journalEnding}`);
  }

  #leaseOf(id: string): string {
    return join(this.#journals, `${id}.lease`);
  }

  async #takeLease(id: string, until: number): Promise<Lease | undefined> {
    // Looked at once: a clock that goes back meanwhile must not have it wait for hours.
    for (let left = until - this.#ports.clock(); ; left -= closingInterval) {
      const lease = await Lease.take(this.#leaseOf(id));
      if (lease !== undefined || this.#isClosed || left <= 0) return lease;
      await new Promise((resolve) => setTimeout(resolve, closingInterval));
    }
  }

  #journal(
    id: string,
    read: { readonly size: number; readonly isTorn: boolean } | undefined,
    head: JournalParts['head'],
  ): Journal {
    const { onDidFail, onDidRecover } = this.#ports;
    const ports = {
      onDidFail: (failure: JournalFailure) => onDidFail(id, failure),
      onDidRecover: () => onDidRecover(id),
    };
    const file = new JournalFile(this.#pathOf(id), ports, read);
    return new Journal({ id, file, head, clean: this.#ports.clean, onDidKeep: () => this.#kept(id) });
  }

  #kept(id: string): void {
    const entry = this.#open.get(id);
    if (entry === undefined || this.#isClosed) return;
    void this.#index.set([{ facts: factsNow(entry), size: entry.journal.size }]);
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #read(
    id: string,
  ): Promise<(LoadedJournal & { readonly size: number; readonly next: number }) | undefined> {
    if (!isId(id)) return undefined;
    const reader = new JournalReader();
    try {
      const written = this.#written(await stat(this.#pathOf(id)));
      const { rest, size, ended } = await readLines(this.#pathOf(id), reader);
      const read = reader.end(rest);
      const { state } = read;
      // One that somebody copied goes by the name of its file.
      // What lacks nothing but its end was taken.
      const next = decodeRecord(rest).kind === 'damaged' ? ended : size;
      return {
        ...read,
        size,
        next,
        written,
        state: state && { ...state, conversation: { ...state.conversation, id } },
      };
    } catch {
      return undefined;
    }
  }

  /** A clock that was set back leaves files of the future. */
  #written({ mtimeMs }: { readonly mtimeMs: number }): number {
    return Math.min(Math.round(mtimeMs), this.#ports.clock());
  }

  async #amend(id: string, note: (entry: OpenEntry) => void): Promise<Result<void, JournalProblem>> {
    await this.#opening.get(id);
    const open = this.#open.get(id);
    if (open !== undefined) {
      note(open);
      return ok(undefined);
    }
    const opened = await this.open(id);
    if (opened.kind === 'missing') return err('missing');
    if (opened.kind === 'readOnly') return err(opened.why);
    const entry = this.#open.get(id);
    if (entry !== undefined) note(entry);
    await opened.journal.flush();
    const { isKept } = opened.journal;
    await this.close(id);
    this.#changed();
    return isKept ? ok(undefined) : err('failing');
  }

  /** While nobody else can open it. */
  async #alone<T>(id: string, act: () => Promise<T>): Promise<Result<T, JournalProblem>> {
    if (!isId(id)) return err('missing');
    if (this.#open.has(id)) return err('busy');
    if ((await stat(this.#pathOf(id)).catch(() => undefined)) === undefined) return err('missing');
    let lease: Lease | undefined;
    try {
      lease = await Lease.take(this.#leaseOf(id));
      if (lease === undefined) return err('busy');
      const done = await act();
      this.#changed();
      return ok(done);
    } catch {
      return err('failing');
    } finally {
      await lease?.release();
    }
  }

  /** Signs of life for what is open here. What could not have its lease, for the disk was full, has it as soon as it can. */
  #keepAlive(): void {
    this.#timer ??= setInterval(() => {
      for (const [id, entry] of this.#open) {
        if (entry.lease !== undefined) void entry.lease.beat();
        else if (entry.leasing === undefined && !entry.journal.isTaken) this.#lease(id, entry);
      }
    }, heartbeat).unref();
  }

  #lease(id: string, entry: OpenEntry): void {
    entry.leasing = Lease.take(this.#leaseOf(id))
      .then((lease) => {
        if (this.#isClosed || this.#open.get(id) !== entry) lease?.releaseNow();
        else entry.lease = lease;
      })
      .catch(() => undefined)
      .finally(() => {
        entry.leasing = undefined;
      });
  }
}

/** As they are made here: what else there may be in a name leads nowhere. */
function isId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

function factsNow({ conversation, createdAt, parent, title, pinned }: OpenEntry): ConversationFacts {
  return factsOf({ conversation: conversation(), createdAt, parent, title, pinned });
}
