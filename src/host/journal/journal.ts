/** What is kept of one open conversation: takes note of what happens, and has it written soon, at once where it matters. */
import type { TurnEvent } from '../../core/conversation/turnEvent.ts';
import { EventKeeper } from '../../core/journal/keepEvents.ts';
import { encodeRecord, type JournalRecord } from '../../core/journal/record.ts';
import type { RequestBody } from '../../core/responses/wire.ts';
import type { JournalFile } from './journalFile.ts';

/** Milliseconds that streamed text may wait for more. With the time that writing takes, no more than half a second is lost with the window. */
export const restTime = 200;

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

  /** Everything so far is in the file. */
  get isKept(): boolean {
    return this.#pending.length === 0 && this.#parts.file.isWritten;
  }

  /** Streamed text is written within `restTime`, everything else at once. Nothing is, after it was closed. */
  note(...changes: readonly JournalChange[]): void {
    if (this.#isClosed || changes.length === 0) return;
    this.#pending.push(...changes);
    if (changes.some(isNews)) this.#isNews = true;
    if (changes.some(isUrgent)) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), restTime);
  }

  /** Resolves when everything so far is in the file, or could not be written. Never rejects. */
  async flush(): Promise<void> {
    this.#drain();
    await this.#parts.file.flush();
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

  #drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const lines: string[] = [];
    let events: TurnEvent[] = [];
    const keep = (): void => {
      lines.push(...this.#keeper.records(events).map(encodeRecord));
      events = [];
    };
    for (const change of pending) {
      if (change.kind === 'event') events.push(change.event);
      else {
        keep();
        lines.push(encodeRecord(change));
      }
    }
    keep();
    const { file, clean } = this.#parts;
    file.append(clean === undefined ? lines : lines.map(clean));
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
