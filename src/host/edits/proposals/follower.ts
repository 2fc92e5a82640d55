/**
 * Lets proposals that wait follow their files: looks at a file again when something happened to it and brings the proposal over to
 * what it has become. Reads only; decides nothing but that there is nothing left to decide.
 */
import * as vscode from 'vscode';

import { followLive } from '../../../core/patch/follow.ts';
import { DisposableStore } from '../../disposables.ts';
import type { Log } from '../../log.ts';
import { conflictReason } from './conflictReason.ts';
import { isCutOnDisk } from '../files/diskBytes.ts';
import { DiskGlances } from './diskGlances.ts';
import { openDocument, openText, presentText, withLineEnds } from '../files/documentText.ts';
import { findPlace, isSameButCase } from '../files/filePlace.ts';
import {
  followedOf,
  isOpen,
  settleAsSeen,
  titleOf,
  type PendingFile,
  type Shown,
} from './pendingProposal.ts';
import { prepare } from '../files/prepare.ts';
import type { ProposedDocuments } from './proposedDocuments.ts';
import { changedSince, gone, goneOrRenamed, taken, type Reason } from '../files/sentences.ts';
import { undermined } from './stackSentences.ts';
import { leftOf, type Standing, type WaitingProposals } from './waitingProposals.ts';

/** Quiet after something happened before a file is looked at again, in milliseconds. Comparing takes time in large files. */
const quietTime = 80;
const quietTimeOfLarge = 600;

/** From this length a text counts as large, in UTF-16 units. */
const large = 1_000_000;

export interface FollowerParts {
  readonly documents: ProposedDocuments;
  readonly log: Log;
  readonly waiting: WaitingProposals;
}

/** What was found where a file should be. */
type Sight =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The editor has it and the disk has not, or not all of it. */
      readonly isUnsaved?: boolean;
    }
  | { readonly kind: 'conflict'; readonly reason: Reason }
  | { readonly kind: 'there' }
  /** Nothing to say: whatever is in the way is told when it is to be written. */
  | { readonly kind: 'unclear' };

export class Follower implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: FollowerParts;
  readonly #timers = new Map<PendingFile, NodeJS.Timeout>();
  readonly #looking = new Map<PendingFile, Promise<void>>();
  readonly #followed = this.#store.add(new vscode.EventEmitter<Shown>());
  /** How a file stands has changed; when nothing is left to decide its outcome is set. */
  readonly onDidFollow = this.#followed.event;
  readonly #turned = this.#store.add(new vscode.EventEmitter<Shown>());
  /** The diff of a file has another left-hand side: the file was renamed, or what it builds on was decided. */
  readonly onDidTurn = this.#turned.event;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    const { workspace } = vscode;
    const happened = (uri: vscode.Uri): void => this.#happened(uri);
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) happened(document.uri);
      }),
    );
    this.#store.add(workspace.onDidSaveTextDocument(({ uri }) => happened(uri)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => happened(uri)));
    this.#store.add(workspace.onDidCreateFiles(({ files }) => files.forEach(happened)));
    this.#store.add(workspace.onDidDeleteFiles(({ files }) => files.forEach(happened)));
    this.#store.add(workspace.onDidRenameFiles(({ files }) => files.forEach((each) => this.#moved(each))));
    const watcher = this.#store.add(workspace.createFileSystemWatcher('**/*'));
    this.#store.add(watcher.onDidCreate(happened));
    this.#store.add(watcher.onDidChange(happened));
    this.#store.add(watcher.onDidDelete(happened));
    this.#store.add(new DiskGlances(parts.waiting, (shown) => this.look(shown)));
  }

  /** Resolves when a file has been looked at from now on. */
  async look(shown: Shown): Promise<void> {
    clearTimeout(this.#timers.get(shown.file));
    this.#timers.delete(shown.file);
    const before = this.#looking.get(shown.file);
    const looking = (async (): Promise<void> => {
      await before;
      await this.#look(shown);
    })();
    this.#looking.set(shown.file, looking);
    await looking;
    if (this.#looking.get(shown.file) === looking) this.#looking.delete(shown.file);
  }

  dispose(): void {
    this.#store.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #happened(uri: vscode.Uri): void {
    for (const shown of this.#parts.waiting.open()) {
      const { file } = shown;
      if (isAtOrIn(file.at.uri, uri) || (file.to !== undefined && isAtOrIn(file.to.uri, uri))) {
        this.lookSoon(shown);
      }
    }
  }

  /** As if something had happened to the file. */
  lookSoon(shown: Shown): void {
    const { file } = shown;
    clearTimeout(this.#timers.get(file));
    const quiet = file.document.text.length < large ? quietTime : quietTimeOfLarge;
    this.#timers.set(
      file,
      setTimeout(() => void this.look(shown), quiet),
    );
  }

  #moved({ oldUri, newUri }: { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }): void {
    for (const shown of this.#parts.waiting.open()) {
      const { file } = shown;
      const root = vscode.workspace.getWorkspaceFolder(newUri)?.uri;
      // An added file has a place that the patch has chosen.
      if (root === undefined || file.edit.kind === 'add') continue;
      if (!isAtOrIn(file.at.uri, oldUri)) continue;
      const uri = newUri.with({ path: `${newUri.path}${file.at.uri.path.slice(oldUri.path.length)}` });
      file.at = { root, uri };
      // The person has moved it to where the patch wants it.
      if (file.to?.uri.toString() === uri.toString()) {
        delete file.to;
        file.moved = true;
      }
      this.#turn(shown);
    }
    this.#happened(oldUri);
    this.#happened(newUri);
  }

  /** Files that build on this one are looked at again: it has changed, or is decided. */
  lookAbove(file: PendingFile): void {
    for (const shown of this.#parts.waiting.above(file)) this.lookSoon(shown);
  }

  #turn(shown: Shown): void {
    const { file } = shown;
    if (file.edit.kind === 'add') return;
    const left = leftOf(file.at.uri, this.#parts.waiting.below(file));
    if (file.diff.left.toString() === left.toString()) return;
    file.diff = { ...file.diff, left, title: titleOf(file.edit, file.at.uri) };
    this.#turned.fire(shown);
  }

  async #look(shown: Shown): Promise<void> {
    const { file } = shown;
    if (!isOpen(file)) return;
    let sight: Sight;
    try {
      sight = await lookAt(file, this.#parts.waiting);
    } catch (error) {
      this.#parts.log.warn('A file with a waiting patch could not be looked at', error);
      return;
    }
    // Decided, or being written, in the meantime.
    if (!isOpen(file)) return;
    const before = file.document.text;
    file.isStacked = this.#parts.waiting.buildsOnOther(file);
    this.#take(file, sight);
    this.#turn(shown);
    this.#followed.fire(shown);
    if (before !== file.document.text) this.lookAbove(file);
  }

  #take(file: PendingFile, sight: Sight): void {
    if (file.reason?.waits === true && file.isStacked !== true) {
      file.state = 'pending';
      delete file.reason;
    }
    switch (sight.kind) {
      case 'unclear':
        return;
      case 'there':
        file.state = 'there';
        delete file.reason;
        file.outcome = { kind: 'accepted', already: true };
        return;
      case 'conflict':
        oppose(file, file.isUndermined === true ? undermined(sight.reason) : sight.reason);
        return;
      case 'text': {
        const before = followedOf(file);
        if (before === undefined) return clear(file);
        const followed = before.live === sight.text ? before : followLive(before, sight.text);
        file.followed = followed;
        this.#parts.documents.replace(file.document, followed.text);
        const conflict = conflictReason(followed, file.isUndermined === true);
        if (conflict === undefined) {
          clear(file);
          // Where the person has taken every hunk out, they may still put something in.
          const isThere = followed.text === followed.live && followed.proposal !== followed.origin;
          // What is only proposed is not there yet.
          const isReal = file.isStacked !== true && file.to === undefined;
          // What is not on the disk may still be taken back with one key, as what was put back can be had again.
          if (isThere && isReal && sight.isUnsaved !== true) settleAsSeen(file);
          return;
        }
        oppose(file, conflict);
      }
    }
  }
}

/** Why writing failed stays to be read until the person tries again. */
function oppose(file: PendingFile, reason: Reason): void {
  if (file.state === 'failed') return;
  file.state = 'conflict';
  file.reason = reason;
}

function clear(file: PendingFile): void {
  if (file.state !== 'conflict') return;
  file.state = 'pending';
  delete file.reason;
}

async function lookAt(file: PendingFile, waiting: WaitingProposals): Promise<Sight> {
  const { edit, at, to, document } = file;
  const below = waiting.below(file);
  if (below !== undefined) return lookBelow(file, below, waiting.belowTarget(file));
  if (edit.kind !== 'update') {
    const prepared = await prepare({ edit, at, text: document.text });
    switch (prepared.kind) {
      case 'ready':
        return { kind: 'text', text: '' };
      case 'there':
        return { kind: 'there' };
      case 'conflict':
        return { kind: 'conflict', reason: prepared.reason };
      case 'failed':
        return { kind: 'unclear' };
    }
  }
  const place = await findPlace(at.uri, at.root);
  if (place.kind === 'refused') return { kind: 'unclear' };
  if (place.kind === 'missing' && (openDocument(at.uri)?.isDirty !== true || to !== undefined)) {
    return { kind: 'conflict', reason: file.isUndermined === true ? gone() : goneOrRenamed() };
  }
  const occupied = await occupiedTarget(file, waiting.belowTarget(file));
  if (occupied !== undefined) return { kind: 'conflict', reason: occupied };
  const opened = openDocument(at.uri);
  if (opened !== undefined) {
    const text = withLineEnds(await presentText(opened), '\n');
    const isUnsaved = opened.isDirty || (text === document.text && (await isCutOnDisk(opened)));
    return { kind: 'text', text, isUnsaved };
  }
  const read = await openText(at.uri);
  return read.kind === 'text'
    ? { kind: 'text', text: withLineEnds(read.document.getText(), '\n') }
    : { kind: 'unclear' };
}

/** What a file builds on that is not there yet is taken as if it were. */
async function lookBelow(file: PendingFile, below: Standing, target: Standing | undefined): Promise<Sight> {
  const { edit } = file;
  const text = below.kind === 'text' ? below.file.document.text : undefined;
  switch (edit.kind) {
    case 'add':
      return text === undefined
        ? { kind: 'text', text: '' }
        : { kind: 'conflict', reason: taken(edit.path.display) };
    case 'delete':
      if (text === undefined) return { kind: 'unclear' };
      return text === withLineEnds(edit.before, '\n')
        ? { kind: 'text', text }
        : { kind: 'conflict', reason: changedSince() };
    case 'update': {
      if (text === undefined) return { kind: 'conflict', reason: gone() };
      const occupied = await occupiedTarget(file, target);
      return occupied === undefined ? { kind: 'text', text } : { kind: 'conflict', reason: occupied };
    }
  }
}

/** Why a file can't be moved to where it is to go. */
async function occupiedTarget(
  { edit, at, to }: PendingFile,
  target: Standing | undefined,
): Promise<Reason | undefined> {
  if (edit.kind !== 'update' || to === undefined || isSameButCase(at.uri, to.uri)) return undefined;
  if (target?.kind === 'gone') return undefined;
  const isThere = target !== undefined || (await findPlace(to.uri, to.root)).kind === 'file';
  return isThere ? taken(edit.to?.display ?? '') : undefined;
}

function isAtOrIn(uri: vscode.Uri, place: vscode.Uri): boolean {
  return (
    uri.scheme === place.scheme &&
    uri.authority === place.authority &&
    (uri.path === place.path || uri.path.startsWith(`${place.path}/`))
  );
}
