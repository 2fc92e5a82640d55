/**
 * The usage history on the disk: lines of JSON, one file a month, in a folder that all windows of this machine share. Only ever adds
 * to the end. Knows nothing of conversations. A disk that fails is told once and stops nobody: then this window's own is all there is.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readUsageLine, type UsageRecord } from '../../core/cost/usageRecord.ts';
import { dayOf, sumUsage, type UsageSum } from '../../core/cost/usageSums.ts';
import type { Log } from '../log.ts';

export interface LedgerParts {
  /** May be missing on the disk. Undefined when there is no place to keep anything. */
  readonly folder: string | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called once, when something could not be kept for the first time. */
  readonly onFailure: () => void;
  readonly log: Pick<Log, 'warn'>;
}

/** Of a disk that is full; what is older is given up. */
const mostWaiting = 10_000;

const monthFile = /^usage-\d{4}-\d{2}\.jsonl$/;

export class Ledger {
  readonly #parts: LedgerParts;
  /** Of this window: whatever the disk does, they count. By id. */
  readonly #own = new Map<string, UsageRecord>();
  /** Lines that are not on the disk yet, by the file they belong to. */
  #waiting: { readonly file: string; readonly line: string }[] = [];
  #writing: Promise<void> = Promise.resolve();
  #failed = false;
  #told = false;
  #month: MonthReader | undefined;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** False when there is no place for it, or when the last lines could not be written. */
  get keeps(): boolean {
    return this.#parts.folder !== undefined && !this.#failed;
  }

  /** Takes in what is known of a request now. Never throws, and never waits for the disk. */
  add(record: UsageRecord): void {
    this.#own.set(record.id, record);
    if (this.#parts.folder === undefined) return;
    // A line end in front, too: a line that somebody left unfinished then does no harm to this one.
    const line = `\n${JSON.stringify(record)}\n`;
    this.#waiting.push({ file: fileOf(record.at), line });
    if (this.#waiting.length > mostWaiting) this.#waiting.shift();
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** What was spent since midnight in local time, by all windows. Reads only what was added since the last time. */
  today(): UsageSum {
    const now = this.#parts.clock();
    const midnight = new Date(now).setHours(0, 0, 0, 0);
    const records = new Map<string, UsageRecord>();
    // Asked at each key that is pressed: of a busy month only today is copied.
    for (const [id, record] of this.#readMonth(fileOf(now)))
      if (record.at >= midnight) records.set(id, record);
    for (const [id, record] of this.#own) if (record.at >= midnight) records.set(id, record);
    return sumUsage(records.values());
  }

  /** Everything that was ever kept, and all of this window, in no order. What can't be read is left out. Never rejects. */
  async all(): Promise<readonly UsageRecord[]> {
    await this.#writing;
    const records = new Map<string, UsageRecord>();
    const { folder } = this.#parts;
    if (folder !== undefined) {
      for (const name of await filesIn(folder)) {
        try {
          addLines(records, await readFile(join(folder, name), 'utf8'));
        } catch (error) {
          this.#parts.log.warn('A file of the usage history could not be read', error);
        }
      }
    }
    for (const [id, record] of this.#own) records.set(id, record);
    return [...records.values()];
  }

  /** Resolves when everything so far is on the disk or could not be written. */
  async whenKept(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { folder } = this.#parts;
    const waiting = this.#waiting;
    const first = waiting[0];
    if (folder === undefined || first === undefined) return;
    const ofFile = waiting.filter(({ file }) => file === first.file);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // One piece, added by the system at the end: windows that write at the same time don't mix.
      await appendFile(join(folder, first.file), ofFile.map(({ line }) => line).join(''), { mode: 0o600 });
    } catch (error) {
      this.#fail('The usage history could not be written', error);
      return;
    }
    this.#failed = false;
    const written = new Set(ofFile);
    this.#waiting = this.#waiting.filter((one) => !written.has(one));
    if (this.#waiting.length > 0) await this.#write();
  }

  #readMonth(file: string): ReadonlyMap<string, UsageRecord> {
    const { folder } = this.#parts;
    if (folder === undefined) return new Map();
    if (this.#month?.file !== file) this.#month = new MonthReader(folder, file);
    try {
      this.#month.readOn();
    } catch (error) {
      this.#fail('The usage history could not be read', error);
    }
    return this.#month.records;
  }

  #fail(what: string, error: unknown): void {
    this.#failed = true;
    if (this.#told) return;
    this.#told = true;
    this.#parts.log.warn(what, error);
    this.#parts.onFailure();
  }
}

/** Follows one file while windows add to it. */
class MonthReader {
  readonly file: string;
  readonly #path: string;
  readonly #records = new Map<string, UsageRecord>();
  #read = 0;
  /** Of the last line, as long as it has no end. */
  #rest = '';

  constructor(folder: string, file: string) {
    this.file = file;
    this.#path = join(folder, file);
  }

  get records(): ReadonlyMap<string, UsageRecord> {
    return this.#records;
  }

  readOn(): void {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        this.#forget();
        return;
      }
      throw error;
    }
    try {
      const { size } = fstatSync(file);
      // Somebody has deleted it or made it shorter.
      if (size < this.#read) this.#forget();
      const bytes = new Uint8Array(size - this.#read);
      const length = readSync(file, bytes, 0, bytes.length, this.#read);
      this.#read += length;
      const text = this.#rest + Buffer.from(bytes.buffer, 0, length).toString('utf8');
      const end = text.lastIndexOf('\n') + 1;
      this.#rest = text.slice(end);
      addLines(this.#records, text.slice(0, end));
    } finally {
      closeSync(file);
    }
  }

  #forget(): void {
    this.#records.clear();
    this.#read = 0;
    this.#rest = '';
  }
}

/** The last line of an id is the one that counts. */
function addLines(records: Map<string, UsageRecord>, text: string): void {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const record = readUsageLine(line);
    if (record !== undefined) records.set(record.id, record);
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => monthFile.test(name)).toSorted();
  } catch {
    // Nothing was ever kept.
    return [];
  }
}

/** `usage-2026-11.jsonl`: the local month in which the request was sent. */
function fileOf(at: number): string {
  return `usage-${dayOf(at).slice(0, 7)}.jsonl`;
}
