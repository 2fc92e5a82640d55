/**
 * Finds which files are no longer as the model has seen them, so that its next request says so once. What it saw is read from the
 * conversation, and how its own patches left them, from what is kept of those; kept here is only how files were after the patches of this
 * window, with what saving made of them, and what was told with which turn. Texts are kept as hashes.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';

import type {
  AttachmentSummary,
  Conversation,
  ProposalSummary,
  ProposedFile,
} from '../../core/conversation/conversation.ts';
import {
  changedNote,
  covers,
  isSeenIn,
  seenOfChip,
  seenTexts,
  withoutLastEnd,
  type ChangedFile,
  type SeenText,
} from '../../core/conversation/seenFiles.ts';
import { proposalsIn } from '../../core/conversation/waiting.ts';
import { findSecrets } from '../../core/secrets/findSecrets.ts';
import { maskSecrets } from '../../core/secrets/maskSecrets.ts';
import { resolvePath } from '../../core/workspacePath.ts';
import type { ChatSession } from '../sessions/session.ts';
import { fewAtOnce } from '../edits/files/fewAtOnce.ts';
import type { AcceptedFile, AcceptedPatch } from '../edits/files/journal.ts';
import { fileAt, rootsOf } from '../edits/files/workspaceFiles.ts';
import { within } from '../within.ts';
import { linesOf, textNow } from './textNow.ts';

/** How long a question waits for that at most, in milliseconds: files may lie far away. */
const longestLook = 5_000;

/** Most files that are looked at before a question is asked, the newest ones. */
const mostLookedAt = 200;

interface Found {
  readonly note: string | undefined;
  /** How the files are that are told of, by address. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** A chip of the question that is about to be asked, with what it sends where that is a text. */
export interface Asked extends AttachmentSummary {
  readonly text?: string;
}

interface Written {
  readonly hash: string;
  readonly order: number;
}

type Seeing = Pick<ChatSession, 'conversation' | 'history'>;

/** What is kept of accepted patches over the end of a window. */
export interface AcceptedPatches {
  readonly ready: Promise<void>;
  get(proposal: string): AcceptedPatch | undefined;
}

export interface ChangedFilesOptions {
  /** In milliseconds; only tests give another. */
  readonly limit?: number;
  readonly accepted?: AcceptedPatches;
}

export class ChangedFiles {
  /** By proposal and address: the file as it was when it had been written, or taken back. */
  readonly #patched = new Map<string, ReadonlyMap<string, Written>>();
  /** By proposal and file: what had been written of it when it was looked at last. */
  readonly #steps = new Map<string, string>();
  /** Grows by one with each file that is remembered. */
  #order = 0;
  /** By turn: how the files were that were told of with it. Branches share their turns. */
  readonly #told = new Map<string, ReadonlyMap<string, string>>();
  readonly #found = new WeakMap<Seeing, Found>();
  readonly #limit: number;
  readonly #accepted: AcceptedPatches | undefined;
  /** What is being read of files that were just patched. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor({ limit = longestLook, accepted }: ChangedFilesOptions = {}) {
    this.#limit = limit;
    this.#accepted = accepted;
  }

  /**
   * Looks at the files before something is asked in a conversation, with these chips. What takes too long is left for the next time.
   */
  async look(session: Seeing, asked: readonly Asked[] = []): Promise<void> {
    this.#found.delete(session);
    const found = await within(this.#look(session, asked), this.#limit, undefined);
    if (found !== undefined) this.#found.set(session, found);
  }

  async #look({ conversation, history }: Seeing, asked: readonly Asked[]): Promise<Found> {
    await Promise.all([this.#reading, this.#accepted?.ready]);
    const told = this.#toldIn(conversation);
    const patched = this.#patchedIn(conversation);
    const attached = asked.filter(({ kind, range }) => kind === 'file' || range !== undefined);
    const seen = seenTexts(conversation, history).filter(
      (one) => !attached.some((chip) => covers(chip, one)),
    );
    // Chips are as they were when they were attached, which may be long ago.
    const chips = asked.flatMap((chip) =>
      chip.text === undefined ? [] : (seenOfChip(chip, chip.text) ?? []),
    );
    const files = Map.groupBy([...seen.slice(-mostLookedAt), ...chips], ({ path, uri }) =>
      (uri === undefined ? placeOf(path) : parsed(uri))?.toString(),
    );
    const looked = await fewAtOnce([...files], async ([key, texts]) => {
      const [first] = texts;
      if (key === undefined || first === undefined) return undefined;
      const now = await textNow(vscode.Uri.parse(key));
      const differing = texts.filter((text) => now === undefined || !isSeenAs(now, text));
      if (differing.length === 0) return undefined;
      const hash = now === undefined ? gone : hashOf(now);
      const isAttached = differing.some((text) => chips.includes(text));
      // What was told of the file before does not hold for a chip that is attached now.
      if (!isAttached && (patched.get(key) === hash || told.get(key) === hash)) return undefined;
      const change: ChangedFile['change'] = now === undefined ? 'gone' : 'changed';
      return { key, hash, path: first.path, change, isAttached };
    });
    const changed = looked.filter((one) => one !== undefined);
    const hashes = new Map(changed.map(({ key, hash }) => [key, hash]));
    return { note: changedNote(changed), hashes };
  }

  /** What was found last is told with this turn. */
  take(session: Seeing, turn: string): string | undefined {
    const found = this.#found.get(session);
    if (found?.note === undefined) return undefined;
    this.#found.delete(session);
    // A turn that goes on is told of more.
    this.#told.set(turn, new Map([...(this.#told.get(turn) ?? []), ...found.hashes]));
    return found.note;
  }

  /**
   * Remembers the files that a patch was written to, or taken back from: the model that made it knows of that. It is told of a proposal
   * oftener than that happens, and what the person did to a file meanwhile is not the patch's.
   */
  note({ id, files }: ProposalSummary): void {
    const paths = files.flatMap((file) => {
      const key = `${id} ${file.index}`;
      const step = stepOf(file);
      if (step === undefined || this.#steps.get(key) === step) return [];
      this.#steps.set(key, step);
      return [file.path, ...(file.to === undefined ? [] : [file.to])];
    });
    if (paths.length > 0)
      this.#reading = Promise.allSettled([this.#reading.then(() => this.#remember(id, paths))]);
  }

  async #remember(proposal: string, paths: readonly string[]): Promise<void> {
    const written = new Map(this.#patched.get(proposal));
    for (const path of paths) {
      const place = placeOf(path);
      if (place === undefined) continue;
      const now = await textNow(place);
      this.#order += 1;
      written.set(place.toString(), { hash: now === undefined ? gone : hashOf(now), order: this.#order });
    }
    this.#patched.set(proposal, written);
  }

  /** By address, as the patches of this conversation left it: of those of others its model knows nothing. The newest counts. */
  #patchedIn({ turns }: Conversation): ReadonlyMap<string, string> {
    const ids = turns.flatMap((turn) => (turn.removed === true ? [] : proposalsIn(turn))).map(({ id }) => id);
    const kept = ids
      .flatMap((id) => this.#accepted?.get(id) ?? [])
      .toSorted((one, other) => one.order - other.order)
      .flatMap(({ files }) => files.flatMap(leftBy));
    const own = ids
      .flatMap((id) => [...(this.#patched.get(id) ?? [])])
      .toSorted(([, one], [, other]) => one.order - other.order)
      .map(([address, { hash }]) => [address, hash] as const);
    return new Map([...kept, ...own]);
  }

  /** The newest counts. */
  #toldIn({ turns }: Conversation): ReadonlyMap<string, string> {
    return new Map(
      turns.flatMap(({ id, removed }) => (removed === true ? [] : [...(this.#told.get(id) ?? [])])),
    );
  }
}

const gone = 'gone';

/** How a patch, or taking it back, left a file, and the place that it was moved from or to. */
function leftBy({ uri, to, change, takenBack }: AcceptedFile): readonly (readonly [string, string])[] {
  const before = change.kind === 'create' ? gone : hashOf(change.before);
  const after = change.kind === 'delete' ? gone : hashOf(change.after);
  if (to === undefined) return [[uri, takenBack ? before : after]];
  return takenBack
    ? [
        [to, gone],
        [uri, before],
      ]
    : [
        [uri, gone],
        [to, after],
      ];
}

/** How much of a proposal has been written to a file; undefined for nothing. */
function stepOf({ state, partly, hunks, note }: ProposedFile): string | undefined {
  const accepted = hunks?.accepted ?? 0;
  if (state !== 'accepted' && state !== 'takenBack' && accepted === 0) return undefined;
  return JSON.stringify([state, partly === true, accepted, note ?? '']);
}

function hashOf(text: string): string {
  return createHash('sha256').update(withoutLastEnd(text)).digest('base64');
}

/** By the path alone, for it may be gone. Undefined where it names none. */
function placeOf(path: string): vscode.Uri | undefined {
  const paths = resolvePath(path, rootsOf(vscode.workspace.workspaceFolders ?? []));
  // Only where several folders are open could it be one of several; then it begins with the name of one.
  if (paths.ok && paths.value.length === 1) return paths.value.map((one) => fileAt(one)?.uri)[0];
  return isAbsolute(path) ? vscode.Uri.file(path) : undefined;
}

/** As it was, or as it was with its secrets masked. */
function isSeenAs(now: string, seen: SeenText): boolean {
  const part = seen.range === undefined ? now : linesOf(now, seen.range);
  if (part === undefined) return false;
  const plain = withoutLastEnd(part);
  return isSeenIn(plain, seen) || isSeenIn(maskSecrets(plain, findSecrets(plain)), seen);
}

function parsed(uri: string): vscode.Uri | undefined {
  try {
    const place = vscode.Uri.parse(uri, true);
    // Others have no text but that of an editor, which the person may close.
    return vscode.workspace.fs.isWritableFileSystem(place.scheme) === undefined ||
      place.scheme.startsWith('kimi-')
      ? undefined
      : place;
  } catch {
    return undefined;
  }
}
