/**
 * What lists need of every conversation of a folder, so that none of the journals has to be read for it. Append-only, and only ever a
 * shortcut: what is missing, damaged or out of date in it is read from the journals again.
 */
import { appendFileSync } from 'node:fs';
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import * as v from 'valibot';

import { factsShape, type ConversationFacts } from '../../core/journal/facts.ts';
import { removeLeftParts, replaceFile } from '../replaceFile.ts';
import { readLines } from './lines.ts';

export interface IndexEntry {
  readonly facts: ConversationFacts;
  /** Of the journal that they were taken from, in bytes: of another size it says something else. */
  readonly size: number;
}

const recordShape = v.variant('kind', [
  v.object({ v: v.literal(1), kind: v.literal('facts'), size: v.number(), facts: factsShape }),
  v.object({ v: v.literal(1), kind: v.literal('gone'), id: v.string() }),
  v.object({ v: v.literal(1), kind: v.literal('shown'), id: v.string() }),
]);

type IndexRecord = v.InferOutput<typeof recordShape>;

/** Lines beyond those that count after which it is written anew. */
const mostSpare = 5_000;

export class JournalIndex {
  readonly #path: string;
  readonly #clean: (line: string) => string;
  #entries = new Map<string, IndexEntry>();
  #shown: string | undefined;
  /** As it was said here. */
  #ownShown: string | undefined;
  #lines = 0;
  /** Something could not be written. */
  #isBehind = false;
  /** Of the file as it was read last. */
  #known: { readonly ino: number; readonly size: number } | undefined;
  /** One after the other. */
  #work: Promise<void> = Promise.resolve();

  /** @param clean a line of JSON as it may be written */
  constructor(path: string, clean: (line: string) => string = (line) => line) {
    this.#path = path;
    this.#clean = clean;
  }

  /** As read and changed so far, by id. */
  get entries(): ReadonlyMap<string, IndexEntry> {
    return this.#entries;
  }

  /** The conversation that was shown last. */
  get shown(): string | undefined {
    return this.#shown;
  }

  /** Reads what others wrote to it meanwhile. Never rejects. */
  read(): Promise<void> {
    return this.#inOrder(async () => {
      const now = await stat(this.#path).catch(() => undefined);
      // What is not in it any more is forgotten here, too: it would come back with the next list that is written anew.
      const entries = new Map(this.#isBehind ? this.#entries : []);
      if (now === undefined) {
        this.#entries = entries;
        this.#known = undefined;
        return;
      }
      if (now.ino === this.#known?.ino && now.size === this.#known.size) return;
      this.#lines = 0;
      const { rest } = await readLines(this.#path, { take: (line) => this.#take(line, entries) });
      this.#take(rest, entries);
      this.#entries = entries;
      this.#known = now;
    });
  }

  /** Never rejects: what can't be written is found out again. */
  set(entries: readonly IndexEntry[]): Promise<void> {
    return this.#append(entries.map(recordOf));
  }

  /** As `set` and `show`, for the end of the window: done when it returns. What was on its way is written again. */
  setNow(entries: readonly IndexEntry[]): void {
    const records = entries.map(recordOf);
    if (this.#ownShown !== undefined) records.push({ v: 1, kind: 'shown', id: this.#ownShown });
    for (const record of records) this.#fold(record);
    try {
      if (records.length > 0) appendFileSync(this.#path, this.#text(records), { mode: 0o600 });
    } catch {
      // It is found out again.
    }
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#append(ids.map((id) => ({ v: 1, kind: 'gone', id })));
  }

  /** Has nothing on the disk any more of what was removed: beginnings of questions are in it. Never rejects. */
  renew(): Promise<void> {
    return this.#inOrder(async () => {
      const folder = dirname(this.#path);
      const names = await readdir(folder);
      // Of windows that went while they wrote it.
      const parts = names.filter((name) => name.startsWith(basename(this.#path)) && name.endsWith('.part'));
      for (const name of parts) await rm(join(folder, name), { force: true });
      if (this.#entries.size > 0 || this.#shown !== undefined) await this.#writeAnew();
      else await rm(this.#path, { force: true });
    });
  }

  /** Nothing is there any more that could be shown. */
  forgetShown(): void {
    this.#shown = undefined;
    this.#ownShown = undefined;
  }

  show(id: string): Promise<void> {
    this.#ownShown = id;
    return this.#shown === id ? Promise.resolve() : this.#append([{ v: 1, kind: 'shown', id }]);
  }

  #append(records: readonly IndexRecord[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    for (const record of records) this.#fold(record);
    return this.#inOrder(async () => {
      const isLong = this.#lines > mostSpare + 2 * this.#entries.size;
      const wasBehind = this.#isBehind;
      this.#isBehind = true;
      await mkdir(dirname(this.#path), { recursive: true });
      if (isLong || wasBehind) await this.#writeAnew();
      else await appendFile(this.#path, this.#text(records), { mode: 0o600 });
      this.#isBehind = false;
    });
  }

  /** Without what later lines have replaced. What another window writes meanwhile may be lost, and is found out again. */
  async #writeAnew(): Promise<void> {
    const records = [...this.#entries.values()].map(recordOf);
    if (this.#shown !== undefined) records.push({ v: 1, kind: 'shown', id: this.#shown });
    const folder = dirname(this.#path);
    await removeLeftParts(folder, await readdir(folder));
    await replaceFile(this.#path, this.#text(records));
    this.#lines = records.length;
  }

  #text(records: readonly IndexRecord[]): string {
    return records.map((record) => `${this.#clean(JSON.stringify(record))}\n`).join('');
  }

  #take(line: string, entries: Map<string, IndexEntry>): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return;
    }
    const read = v.safeParse(recordShape, value);
    if (read.success) this.#fold(read.output, entries);
  }

  #fold(record: IndexRecord, entries = this.#entries): void {
    this.#lines += 1;
    switch (record.kind) {
      case 'facts':
        entries.set(record.facts.id, { facts: record.facts, size: record.size });
        return;
      case 'gone':
        entries.delete(record.id);
        return;
      case 'shown':
        this.#shown = record.id;
    }
  }

  async #inOrder(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch(() => undefined);
    await this.#work;
  }
}

function recordOf({ facts, size }: IndexEntry): IndexRecord {
  return { v: 1, kind: 'facts', facts, size };
}
