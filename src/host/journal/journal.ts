/** What is kept of one open conversation: takes note of what happens, and has it written soon, at once where it matters. */
import type { TurnEvent } from '../../core/conversation/turnEvent.ts';
import { EventKeeper } from '../../core/journal/keepEvents.ts';
import { encodeRecord, type JournalRecord } from '../../core/journal/record.ts';
import type { RequestBody } from '../../core/responses/wire.ts';
import type { JournalFile } from './journalFile.ts';

/** Milliseconds that streamed text may wait for more. With the time that writing takes, no more than half a second is lost with the window. */
export const restTime = 200;

/** UTF-16 units that are written at a time. */
const mostAtOnce = 2 ** 20;

export type JournalChange =
  { readonly kind: 'event'; readonly event: TurnEvent } | Exclude<JournalRecord, { kind: 'event' }>;

export interface JournalParts {
  readonly id: string;
  readonly file: JournalFile;
  /** Of the request that was kept last, when the conversation goes on. */
  readonly head?: Omit<RequestBody, 'input'> | undefined;
  /** A line of JSON as it may be written. As it is by default. */
  readonly clean?: ((line: string) => string) | undefined;
  /** Called when what a list shows of it may be another, and all of that is in the file. */
  readonly onDidKeep: () => void;
}

export class Journal {
  readonly #parts: JournalParts;
  readonly #keeper: EventKeeper;
  #pending: JournalChange[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isNews = false;
  #isClosed = false;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#keeper = new EventKeeper(parts.head);
  }

  get id(): string {
    return this.#parts.id;
  }

  /** Bytes that are known to be in its file. */
  get size(): number {
    return this.#parts.file.size;
  }

  /** Somebody else wrote to it: it is theirs. */
  get isTaken(): boolean {
    return this.#parts.file.failure?.kind === 'taken';
  }

  /** Everything so far is in the file. */
  get isKept(): boolean {
    return this.#pending.length === 0 && this.#parts.file.isWritten;
  }

  /** Streamed text is written within `restTime`, everything else at once. Nothing is, after it was closed. */
  note(...changes: readonly JournalChange[]): void {
    this.noteAll(changes);
  }

  /** `note`, of however many. */
  noteAll(changes: readonly JournalChange[]): void {
    if (this.#isClosed || changes.length === 0) return;
    for (const change of changes) this.#pending.push(change);
    if (changes.some(isNews)) this.#isNews = true;
    if (changes.some(isUrgent)) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), restTime);
  }

  /** Resolves when everything so far is in the file, or could not be written. Never rejects. */
  async flush(): Promise<void> {
    // Something else can be done while a piece of it is written.
    do {
      this.#drain(mostAtOnce);
      await this.#parts.file.flush();
    } while (this.#pending.length > 0 && !this.#isClosed && this.#parts.file.failure?.kind !== 'failing');
    if (!this.#isNews || this.#isClosed || !this.isKept) return;
    this.#isNews = false;
    this.#parts.onDidKeep();
  }

  /** As `flush`, done when it returns: for the end of the window, which waits for nobody. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#drain();
    this.#isClosed = true;
    this.#parts.file.closeNow();
  }

  /** Writes what is pending and lets go of the file. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.flush();
    this.#drain();
    this.#isClosed = true;
    await this.#parts.file.close();
  }

  /** @param most UTF-16 units after which the rest stays for another time */
  #drain(most = Infinity): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { file, clean } = this.#parts;
    let taken = 0;
    let length = 0;
    while (taken < this.#pending.length && length < most) {
      const lines = this.#linesAt(taken);
      taken += lines.taken;
      for (const line of lines.all) length += line.length;
      file.append(clean === undefined ? lines.all : lines.all.map(clean));
    }
    this.#pending.splice(0, taken);
  }

  /** Of what is pending there: of events as many as come one after the other, for their texts are joined. */
  #linesAt(start: number): { readonly all: readonly string[]; readonly taken: number } {
    const events: TurnEvent[] = [];
    for (let at = start; at < this.#pending.length; at++) {
      const change = this.#pending[at];
      if (change?.kind !== 'event') break;
      events.push(change.event);
    }
    const first = this.#pending[start];
    if (first === undefined || first.kind === 'event')
      return { all: this.#keeper.records(events).map(encodeRecord), taken: events.length };
    return { all: [encodeRecord(first)], taken: 1 };
  }
}

/** Text that streams in, and what only frames it. */
function isUrgent(change: JournalChange): boolean {
  if (change.kind !== 'event') return true;
  switch (change.event.kind) {
    case 'textAdded':
    case 'toolInputAdded':
    case 'toolProgressed':
    case 'partOpened':
    case 'partClosed':
    case 'toolOpened':
    case 'searchTold':
    case 'citationsAdded':
      return false;
    default:
      return true;
  }
}

/** Of what `factsOf` tells. */
function isNews(change: JournalChange): boolean {
  switch (change.kind) {
    case 'conversation':
    case 'title':
    case 'pinned':
      return true;
    case 'seeded':
    case 'removedReviewed':
    case 'reports':
    case 'webSearch':
    case 'ruleChosen':
      return false;
    case 'event':
      switch (change.event.kind) {
        case 'turnStarted':
        case 'turnResumed':
        case 'turnEnded':
        case 'turnRemoved':
        case 'turnRestored':
        case 'toolReviewed':
        case 'namingEnded':
          return true;
        default:
          return false;
      }
  }
}
