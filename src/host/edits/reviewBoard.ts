/**
 * Where proposals wait for the person: shows them, takes decisions, has accepted files written and keeps the promise that the tool
 * waits for. Every intent is safe in every state: what is unknown, decided or busy is left alone.
 */
import * as vscode from 'vscode';

import type { ProposalSummary, ProposedFile } from '../../core/conversation/conversation.ts';
import type { FileEdit } from '../../core/patch/editPlan.ts';
import {
  dropHunk,
  followLive,
  isPart,
  startFollowing,
  takeHunk,
  type Hunk,
} from '../../core/patch/follow.ts';
import { reportDecidedLater, reportTakenBack, type LaterFile } from '../../core/patch/reportLater.ts';
import type {
  FileOutcome,
  Proposal,
  ReviewContext,
  ReviewOutcome,
  ReviewPort,
} from '../../core/tools/applyPatchPorts.ts';
import type { PatchMode } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import type { AcceptedDiffs } from './acceptedDiffs.ts';
import type { Log } from '../log.ts';
import type { Amendments } from './amendments.ts';
import { applySteps, type Applied, type AppliedFile } from './apply.ts';
import type { Attention } from './attention.ts';
import type { Diff, Diffs } from './diffs.ts';
import { openDocument, withLineEnds } from './documentText.ts';
import { Follower } from './follower.ts';
import { changeOf, type Journal } from './journal.ts';
import {
  followedOf,
  hidesBlanks,
  isAmended,
  isOpen,
  openHunks,
  PendingProposal,
  settleAsSeen,
  titleOf,
  type PendingFile,
  type Shown,
} from './pendingProposal.ts';
import { prepare, type Prepared, type Wanted } from './prepare.ts';
import type { KeptFile, PendingStore } from './pendingStore.ts';
import { protectedText, whyProtected } from './protectedFiles.ts';
import type { ProposedDocument, ProposedDocuments } from './proposedDocuments.ts';
import {
  buildsOnOther,
  changedOnSave,
  halfWritten,
  keptChanging,
  refusal,
  unsaved,
  type Reason,
} from './sentences.ts';
import { changeBy, forgotten, reported, takeBackFiles, withChange, type FileChange } from './takeBack.ts';
import { fileAt, type FileAt } from './workspaceFiles.ts';

export interface ReviewParts {
  readonly documents: ProposedDocuments;
  readonly amendments: Amendments;
  readonly diffs: Diffs;
  readonly attention: Attention;
  readonly journal: Journal;
  readonly store: PendingStore;
  readonly accepted: AcceptedDiffs;
  readonly settings: ReviewSettings;
  /** Of the empty left-hand side of an added file. */
  readonly emptyScheme: string;
  readonly log: Log;
}

export interface ReviewSettings {
  readonly patchMode: PatchMode;
  /** Whether accepted files that had no unsaved changes are saved. */
  readonly saveAfterAccept: boolean;
}

/** What became of a proposal after the call that made it was answered. */
export interface Later {
  readonly proposal: ProposalSummary;
  /** For the model, when there is anything that it does not know. */
  readonly report?: string;
}

interface Decided {
  /** Where its files are. */
  readonly places: readonly vscode.Uri[];
  readonly summary: ProposalSummary;
}

/** `none` when no hunk was named that can be decided. */
export type HunkDecision = 'done' | 'none' | 'conflict';

/** How often files that change in the very moment of writing are looked at again. */
const attempts = 3;

/** How long a card may lag behind what is typed into a diff, in milliseconds: counting lines at every key is dear in large files. */
const tellDelay = 100;

/** How many decided proposals can still be clicked on. */
const remembered = 200;

export class ReviewBoard implements vscode.Disposable {
  /** What the tool sees. */
  readonly port: ReviewPort = { review: (proposal, context) => this.#review(proposal, context) };

  readonly #store = new DisposableStore();
  readonly #parts: ReviewParts;
  readonly #proposals = new Map<string, PendingProposal>();
  /** So that a click on a row still leads somewhere, and what is taken back is told of the whole patch. */
  readonly #decided = new Map<string, Decided>();
  readonly #later = this.#store.add(new vscode.EventEmitter<Later>());
  readonly onDidChangeLater = this.#later.event;
  readonly #amended = new Map<PendingProposal, NodeJS.Timeout>();
  /** Writing goes one after the other: each must see what the one before has written. */
  #writing: Promise<void> = Promise.resolve();
  readonly #follower: Follower;
  #count = 0;
  /** Proposals of an earlier window may still come: their documents have addresses of their own. */
  #isRestoring: boolean;
  /** The window closes: what waits is left as it is kept. */
  #isClosing = false;

  /** Settles when the proposals that waited when the window was closed wait again. Never rejects. */
  readonly ready: Promise<void>;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
    const { documents, log } = parts;
    this.#isRestoring = parts.store.keeps;
    this.ready = this.#restore();
    documents.awaitRestored(this.ready);
    this.#follower = this.#store.add(
      new Follower({ documents, log, waiting: () => this.#open(), below: (file) => this.#below(file) }),
    );
    this.#store.add(this.#follower.onDidFollow((shown) => this.#noteFollowed(shown)));
    this.#store.add(this.#follower.onDidTurn((shown) => void this.#reopen(shown)));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('diffEditor')) for (const each of this.waiting) each.tell();
      }),
    );
    this.#store.add(
      parts.amendments.onDidAmend((document) => {
        const shown = this.find(document.uri);
        // What was typed may settle a conflict.
        if (shown?.file.followed !== undefined) this.#follower.lookSoon(shown);
        if (shown !== undefined) this.#follower.lookAbove(shown.file);
        this.#tellSoon(document);
      }),
    );
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#noteSeen()));
  }

  /** What a file will be once all that waits for it is accepted, with LF ends; undefined when nothing does. */
  waitingText(uri: vscode.Uri): string | undefined {
    return this.#topAt(uri)?.document.text;
  }

  /** Proposals that wait, oldest first. */
  get waiting(): readonly PendingProposal[] {
    return [...this.#proposals.values()];
  }

  /**
   * Opens the diff of one file, or of the first undecided one; for an accepted file, what that did to it; for any other decided file,
   * the file itself.
   */
  async review(proposal: string, file?: number): Promise<void> {
    const pending = this.#proposals.get(proposal);
    if (pending === undefined) {
      if (await this.#parts.accepted.open(proposal, file ?? 0)) return;
      const uri = this.#decided.get(proposal)?.places[file ?? 0];
      if (uri === undefined) this.#ignored('review', proposal);
      else await showFile(uri);
      return;
    }
    const one = file === undefined ? (pending.open()[0] ?? pending.files[0]) : pending.files[file];
    if (one === undefined) this.#ignored('review', proposal);
    else if (isOpen(one)) await this.show({ proposal: pending, file: one }, true);
    else if (!(await this.#parts.accepted.open(proposal, one.index))) await showFile(placeOf(one));
  }

  /** Writes one file, or all that are undecided: all of them or none. Resolves when that is done or has been refused. */
  async accept(proposal: string, file?: number): Promise<void> {
    const pending = this.#proposals.get(proposal);
    const files = pending?.open(file) ?? [];
    if (pending === undefined || files.length === 0) return this.#ignored('accept', proposal);
    const before = files.map(({ state }) => state);
    for (const each of files) each.state = 'applying';
    pending.tell();
    const write = async (): Promise<void> => {
      try {
        await this.#write(proposal, files);
      } catch (error) {
        this.#parts.log.bug('accepting a patch', error);
      }
      for (const [index, each] of files.entries()) {
        if (each.state === 'applying') each.state = before[index] ?? 'pending';
      }
    };
    this.#writing = this.#writing.then(write);
    await this.#writing;
    await this.#conclude(pending, files);
    for (const each of files) if (isOpen(each)) await this.#follower.look({ proposal: pending, file: each });
  }

  /**
   * Writes one hunk; the others stay as they are. Of a file without hunks, the whole.
   * @param pick names the hunk among those that can be decided
   */
  async acceptHunk(shown: Shown, pick: (hunks: readonly Hunk[]) => Hunk | undefined): Promise<HunkDecision> {
    const { proposal, file } = shown;
    if (followedOf(file) === undefined) {
      await this.accept(proposal.id, file.index);
      return 'done';
    }
    await this.#follower.look(shown);
    if (!isOpen(file)) return 'none';
    const followed = followedOf(file);
    const hunk = pick(openHunks(file));
    if (followed === undefined || hunk === undefined) return 'none';
    if (hunk.state === 'conflicting') return 'conflict';
    const { state } = file;
    file.state = 'applying';
    proposal.tell();
    const write = async (): Promise<void> => {
      try {
        const next = takeHunk(followed, hunk);
        const { edit, at } = file;
        const { documents } = this.#parts;
        if (
          await this.#writeText(shown, { edit: withoutMove(edit), at, text: next.live, base: followed.live })
        ) {
          file.taken.accepted += 1;
          // What this builds on is not in the file yet.
          const isReal = this.#below(file) === undefined;
          const live = (isReal ? openDocument(at.uri)?.getText() : undefined) ?? next.live;
          file.followed = followLive(next, withLineEnds(live, '\n'));
          documents.replace(file.document, file.followed.text);
        }
      } catch (error) {
        this.#parts.log.bug('accepting a hunk', error);
      }
      if (file.state === 'applying') file.state = state === 'failed' ? 'pending' : state;
    };
    this.#writing = this.#writing.then(write);
    await this.#writing;
    await this.#finish(shown);
    return 'done';
  }

  /** Takes one hunk out of the proposal, as VS Code's own button does. Of a file without hunks, turns down the whole. */
  async rejectHunk(shown: Shown, pick: (hunks: readonly Hunk[]) => Hunk | undefined): Promise<HunkDecision> {
    const { proposal, file } = shown;
    const followed = followedOf(file);
    if (followed === undefined) {
      await this.reject(proposal.id, file.index);
      return 'done';
    }
    const hunk = pick(openHunks(file));
    if (!isOpen(file) || hunk === undefined) return 'none';
    file.taken.rejected += 1;
    this.#parts.documents.replace(file.document, dropHunk(followed, hunk));
    await this.#follower.look(shown);
    await this.#finish(shown);
    return 'done';
  }

  /**
   * Opens the first diff with lines that differ in blanks only, and has diffs show such lines: by the same setting as the button in
   * the diff editor's own title, where the person can switch it back.
   */
  async showHidden(proposal: string): Promise<void> {
    const pending = this.#proposals.get(proposal);
    const file = pending?.open().find((each) => openHunks(each).some(({ hidden }) => hidden));
    if (pending === undefined || file === undefined) return this.#ignored('showHidden', proposal);
    await this.show({ proposal: pending, file }, true);
    if (!hidesBlanks(file)) return;
    await vscode.commands.executeCommand('toggle.diff.ignoreTrimWhitespace');
  }

  /** Opens all files that can still be decided in one editor. */
  async viewAll(proposal: string): Promise<void> {
    const pending = this.#proposals.get(proposal);
    const files = pending?.open() ?? [];
    if (pending === undefined || files.length === 0) return this.#ignored('viewAll', proposal);
    await this.#parts.diffs.openAll(
      vscode.l10n.t('Proposed changes'),
      files.map(({ diff }) => diff),
    );
    for (const file of files) file.seen = true;
    pending.tell();
  }

  /** Turns down one file, or all that are undecided. */
  async reject(proposal: string, file?: number, reason?: string): Promise<void> {
    const pending = this.#proposals.get(proposal);
    const files = pending?.open(file) ?? [];
    if (pending === undefined || files.length === 0) return this.#ignored('reject', proposal);
    for (const each of files) {
      if (each.taken.accepted > 0) {
        settleAsSeen(each);
        continue;
      }
      each.outcome = rejection(each, reason?.trim() ?? '');
      each.state = 'rejected';
    }
    await this.#conclude(pending, files);
  }

  /** The question was taken back: undecided files stay as they are. A file that is being written is still written. */
  async cancel(proposal: string): Promise<void> {
    const pending = this.#proposals.get(proposal);
    const files = pending?.open() ?? [];
    if (pending === undefined || files.length === 0) return;
    for (const each of files) {
      if (each.taken.accepted > 0) {
        settleAsSeen(each);
        continue;
      }
      each.outcome = { kind: 'cancelled' };
      each.state = 'cancelled';
    }
    await this.#conclude(pending, files);
  }

  /** Undoes what was accepted, of one file or of all of a patch. Resolves with how many files are as before it, and how many not. */
  async takeBack(proposal: string, file?: number): Promise<{ readonly done: number; readonly left: number }> {
    const { journal, settings, log } = this.#parts;
    await journal.ready;
    const changes = new Map<number, FileChange>();
    const reports: LaterFile[] = [];
    const write = async (): Promise<void> => {
      const kept = journal.get(proposal)?.files ?? [];
      const meant = kept.filter((each) => !each.takenBack && (file === undefined || file === each.index));
      try {
        const results = await takeBackFiles(meant, { save: settings.saveAfterAccept });
        log.info('A patch was to be taken back', { files: meant.length });
        for (const [index, accepted] of meant.entries()) {
          const result = results[index];
          if (result === undefined) continue;
          if (result.kind === 'takenBack') journal.takenBack(proposal, accepted.index);
          changes.set(accepted.index, changeBy(result));
          reports.push({ path: accepted.toPath ?? accepted.path, result: reported(result) });
        }
      } catch (error) {
        log.bug('taking back a patch', error);
      }
    };
    this.#writing = this.#writing.then(write);
    await this.#writing;
    this.#tellTakenBack(proposal, changes, reports, file);
    const done = reports.filter(({ result }) => result.kind === 'takenBack').length;
    return { done, left: reports.length - done };
  }

  /** The patch accepted last, over all conversations. Undefined when there is none to take back. */
  async takeBackLast(): Promise<{ readonly done: number; readonly left: number } | undefined> {
    const { journal } = this.#parts;
    await journal.ready;
    await this.#writing;
    return journal.last === undefined ? undefined : this.takeBack(journal.last.id);
  }

  /** The file that a document of ours shows. */
  find(document: vscode.Uri): Shown | undefined {
    const key = document.toString();
    for (const proposal of this.#proposals.values()) {
      const file = proposal.files.find((each) => each.document.uri.toString() === key);
      if (file !== undefined) return { proposal, file };
    }
    return undefined;
  }

  /** @param focus see `Diffs.open` */
  async show({ proposal, file }: Shown, focus: boolean): Promise<void> {
    try {
      await this.#parts.diffs.open(file.diff, focus);
    } catch (error) {
      this.#parts.log.warn('A diff could not be opened', error);
      return;
    }
    // Decided while it opened: it came too late to be closed with the rest.
    if (file.outcome !== undefined) await this.#close(file);
    if (file.seen || proposal.isSettled) return;
    file.seen = true;
    proposal.tell();
  }

  /** From now on nothing that is stopped is forgotten: it is to wait again in the next window. */
  keepWaiting(): void {
    this.#isClosing = true;
  }

  dispose(): void {
    this.keepWaiting();
    this.#store.dispose();
    for (const timer of this.#amended.values()) clearTimeout(timer);
    for (const id of this.#proposals.keys()) void this.cancel(id);
  }

  async #review(proposal: Proposal, context: ReviewContext): Promise<ReviewOutcome> {
    const { log, attention } = this.#parts;
    void this.cancel(proposal.id);
    if (this.#isRestoring) await this.ready;
    const files = this.#makeFiles(proposal);
    // The plan was made for folders that have been removed from the workspace since.
    if (files === undefined) {
      const { detail } = refusal('outsideWorkspace');
      return { files: proposal.plan.files.map(() => ({ kind: 'failed', detail })) };
    }
    const pending = new PendingProposal(proposal.id, files, {
      ...context,
      proposal: (summary) => {
        context.proposal(summary);
        this.#keep(pending);
        if (pending.isLeft) this.#later.fire({ proposal: summary });
      },
    });
    this.#proposals.set(proposal.id, pending);
    const cancel = (): void => void this.cancel(proposal.id);
    const leave = (): void => pending.leave();
    context.signal.addEventListener('abort', cancel, { once: true });
    context.later?.addEventListener('abort', leave, { once: true });
    try {
      log.info('A patch waits for a decision', { proposal: proposal.id, files: files.length });
      pending.tell();
      if (context.signal.aborted) cancel();
      if (context.later?.aborted === true) leave();
      await this.#acceptUnasked(pending);
      const first = files[0];
      if (first !== undefined && isOpen(first) && attention.mayOpen) {
        void this.show({ proposal: pending, file: first }, false);
      }
      return await pending.outcome;
    } finally {
      context.signal.removeEventListener('abort', cancel);
      context.later?.removeEventListener('abort', leave);
      if (pending.isLeft) void this.#waitOn(pending, proposal);
      else this.#forget(pending);
    }
  }

  /** For the decision on a patch whose call was answered before there was one. */
  async #waitOn(pending: PendingProposal, { plan }: Proposal): Promise<void> {
    const outcome = await pending.decided;
    this.#forget(pending);
    this.#later.fire({ proposal: pending.summary, report: reportDecidedLater(plan, outcome) });
  }

  /** Where the person wants it so, and nothing in the patch is to be asked about in every mode. */
  async #acceptUnasked(pending: PendingProposal): Promise<void> {
    if (this.#parts.settings.patchMode !== 'acceptAutomatically' || pending.isSettled) return;
    const files = pending.open();
    const reasons = await Promise.all(files.map((file) => whyProtected(file, file.document.text)));
    for (const [index, file] of files.entries()) {
      const why = reasons[index];
      if (why !== undefined) file.caution = protectedText(why);
    }
    if (reasons.every((why) => why === undefined)) await this.accept(pending.id);
    else pending.tell();
  }

  #keep(pending: PendingProposal): void {
    if (!this.#isClosing) this.#parts.store.keep(pending);
  }

  /** Who asked for them is gone with the window: they are decided in their diffs. */
  async #restore(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      for (const kept of await store.read()) {
        const files = kept.files.flatMap((file, index) => this.#restoreFile(file, index) ?? []);
        if (this.#store.isDisposed) return;
        if (files.length === 0) {
          store.forget(kept.id);
          continue;
        }
        // Its files are counted anew, so it is another one to the journal.
        const id = `${kept.id.replace(/ \(\d+\)$/, '')} (${kept.order})`;
        const pending = new PendingProposal(id, files, {
          signal: new AbortController().signal,
          proposal: () => this.#keep(pending),
        });
        this.#proposals.set(id, pending);
        pending.leave();
        pending.tell();
        if (id !== kept.id) store.forget(kept.id);
        void this.#waitOn(pending, { id, plan: { files: files.map((file) => file.edit), notes: [] } });
        for (const file of files) this.#follower.lookSoon({ proposal: pending, file });
      }
      log.info('Patches wait again', { patches: this.#proposals.size });
    } catch (error) {
      log.bug('bringing back patches that wait', error);
    } finally {
      this.#isRestoring = false;
    }
  }

  /** Nothing when its folder is no longer in the workspace. */
  #restoreFile(kept: KeptFile, index: number): PendingFile | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
    const { edit, followed, taken, seen } = kept;
    if (!folders.includes(kept.at.root)) return undefined;
    const place = (one: KeptFile['at']): FileAt => ({
      root: vscode.Uri.parse(one.root, true),
      uri: vscode.Uri.parse(one.uri, true),
    });
    const at = place(kept.at);
    const to = kept.to === undefined ? undefined : place(kept.to);
    const again = followed === undefined ? undefined : followLive(followed, followed.live);
    const uri = vscode.Uri.parse(kept.document, true);
    this.#count = Math.max(this.#count, Number(/\/patch (\d+)\//.exec(uri.path)?.[1] ?? 0));
    const document = this.#parts.documents.restore(uri, {
      text: again?.text ?? kept.text,
      eol: (edit.kind === 'add' ? edit.after : edit.before).includes('\r\n') ? '\r\n' : '\n',
      readOnly: edit.kind === 'delete',
    });
    return {
      index,
      edit,
      at,
      ...(to !== undefined && { to }),
      document,
      diff: this.#diffOf(edit, { at, to, document }),
      ...(again !== undefined && { followed: again }),
      taken,
      state: 'pending',
      seen,
    };
  }

  #diffOf(
    edit: FileEdit,
    { at, to, document }: { at: FileAt; to: FileAt | undefined; document: ProposedDocument },
  ): Diff {
    const { emptyScheme } = this.#parts;
    const left =
      edit.kind === 'add'
        ? vscode.Uri.from({ scheme: emptyScheme, path: document.uri.path })
        : (this.#topAt(at.uri)?.document.uri ?? at.uri);
    return { left, right: document.uri, title: titleOf(edit), file: (to ?? at).uri };
  }

  #makeFiles({ plan }: Proposal): PendingFile[] | undefined {
    this.#count += 1;
    const files: PendingFile[] = [];
    for (const [index, edit] of plan.files.entries()) {
      const file = this.#makeFile(index, edit);
      if (file === undefined) {
        for (const { document } of files) this.#parts.documents.remove(document.uri);
        return undefined;
      }
      files.push(file);
    }
    return files;
  }

  #makeFile(index: number, edit: FileEdit): PendingFile | undefined {
    const at = fileAt(edit.path);
    const target = edit.kind === 'update' ? edit.to : undefined;
    const to = target === undefined ? undefined : fileAt(target);
    if (at === undefined || (target !== undefined && to === undefined)) return undefined;
    const document = this.#parts.documents.add({
      // Shown above the editor, so it is made to be read.
      path: `/patch ${this.#count}/${(target ?? edit.path).display}`,
      text: edit.kind === 'delete' ? '' : edit.after,
      eol: (edit.kind === 'add' ? edit.after : edit.before).includes('\r\n') ? '\r\n' : '\n',
      readOnly: edit.kind === 'delete',
    });
    return {
      index,
      edit,
      at,
      ...(to !== undefined && { to }),
      document,
      diff: this.#diffOf(edit, { at, to, document }),
      ...(edit.kind === 'update' && {
        followed: startFollowing(withLineEnds(edit.before, '\n'), withLineEnds(edit.after, '\n')),
      }),
      taken: { accepted: 0, rejected: 0 },
      state: 'pending',
      seen: false,
    };
  }

  async #write(proposal: string, files: readonly PendingFile[]): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prepared = await Promise.all(
        files.map(async (file) => ({
          file,
          amended: isAmended(file),
          isAbove: this.#below(file) !== undefined,
          prepared: await prepare(wanted(file)),
        })),
      );
      if (this.#noteObstacles(prepared)) return;
      const ready = prepared.flatMap(({ prepared: each }) => (each.kind === 'ready' ? [each.step] : []));
      const applied: Applied =
        ready.length === 0
          ? { kind: 'applied', files: [] }
          : await applySteps(ready, { save: this.#parts.settings.saveAfterAccept });
      this.#parts.log.info('A patch was to be applied', { files: files.length, result: applied.kind });
      const stepped = prepared.filter(({ prepared: each }) => each.kind === 'ready');
      switch (applied.kind) {
        case 'overtaken':
          continue;
        case 'failed':
          stop(stepped[applied.step]?.file, 'failed', applied.reason);
          return;
        case 'half':
          for (const step of applied.steps) stop(stepped[step]?.file, 'failed', halfWritten());
          return;
        case 'applied':
          for (const each of prepared) {
            const written = applied.files[stepped.indexOf(each)];
            settle(each, written);
            this.#note(proposal, each, written);
          }
          return;
      }
    }
    for (const file of files) stop(file, 'failed', keptChanging());
  }

  /** What accepting wrote, to be taken back later. */
  #note(
    proposal: string,
    { file, prepared }: Pick<PreparedFile, 'file' | 'prepared'>,
    applied: AppliedFile | undefined,
  ): void {
    if (prepared.kind !== 'ready') return;
    const { edit, at } = file;
    // A single hunk is written where the file is, before it moves.
    const to = prepared.step.kind === 'edit' && prepared.step.to === undefined ? undefined : file.to;
    file.canTakeBack = this.#parts.journal.record(proposal, {
      index: file.index,
      path: edit.path.display,
      root: at.root.toString(),
      uri: at.uri.toString(),
      ...(to !== undefined && { to: to.uri.toString() }),
      ...(edit.kind === 'update' && edit.to !== undefined && to !== undefined && { toPath: edit.to.display }),
      change: changeOf(prepared.step, { edit, text: prepared.text }, applied?.differs),
    });
  }

  /** A patch of which other files still wait is told of by itself; of any other, who tells its conversation is told. */
  #tellTakenBack(
    proposal: string,
    changes: ReadonlyMap<number, FileChange>,
    reports: readonly LaterFile[],
    asked: number | undefined,
  ): void {
    const pending = this.#proposals.get(proposal);
    if (pending !== undefined) {
      for (const file of pending.files) {
        const change = changes.get(file.index);
        if (change === undefined) continue;
        if (change.note !== undefined) file.remark = change.note;
        if (change.state === undefined) continue;
        file.state = change.state;
        file.outcome = { kind: 'rejected', reason: 'Accepted first, and then taken back.' };
      }
      pending.tell();
      return;
    }
    const known = this.#decided.get(proposal);
    if (known === undefined) return;
    const files = known.summary.files.map((file): ProposedFile => {
      const meant = file.canTakeBack === true && (asked === undefined || asked === file.index);
      const change = changes.get(file.index) ?? (meant ? forgotten() : undefined);
      return change === undefined ? file : withChange(file, change);
    });
    const summary = { ...known.summary, files };
    this.#decided.set(proposal, { ...known, summary });
    const report = reportTakenBack(reports);
    this.#later.fire({ proposal: summary, ...(report !== undefined && { report }) });
  }

  /** False when nothing was written; the file then says why. */
  async #writeText({ proposal, file }: Shown, what: Wanted): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prepared = await prepare(what);
      if (prepared.kind === 'there') return true;
      if (prepared.kind !== 'ready') {
        this.#noteObstacles([{ file, prepared }]);
        return false;
      }
      const applied = await applySteps([prepared.step], { save: this.#parts.settings.saveAfterAccept });
      this.#parts.log.info('A hunk was to be applied', { result: applied.kind });
      switch (applied.kind) {
        case 'overtaken':
          continue;
        case 'failed':
          stop(file, 'failed', applied.reason);
          return false;
        case 'half':
          stop(file, 'failed', halfWritten());
          return false;
        case 'applied':
          this.#note(proposal.id, { file, prepared }, applied.files[0]);
          if (applied.files[0]?.unsaved === true) file.remark = unsaved();
          else if (applied.files[0]?.differs?.cause === 'changedOnSave') file.remark = changedOnSave();
          return true;
      }
    }
    stop(file, 'failed', keptChanging());
    return false;
  }

  /** After a hunk was decided: the file is decided when it was the last one and nothing else is left to do. */
  async #finish({ proposal, file }: Shown): Promise<void> {
    const followed = followedOf(file);
    if (followed !== undefined && isOpen(file) && followed.text === followed.live && file.to === undefined) {
      if (file.taken.accepted > 0) settleAsSeen(file);
      else {
        file.outcome = { kind: 'rejected' };
        file.state = 'rejected';
      }
    }
    await this.#conclude(proposal, [file]);
  }

  #noteFollowed({ proposal, file }: Shown): void {
    if (file.outcome === undefined) this.#tellSoon(file.document);
    else void this.#conclude(proposal, [file]);
  }

  /** The left-hand side of an open diff is another file now. */
  async #reopen({ file }: Shown): Promise<void> {
    const { diffs, amendments } = this.#parts;
    const { right } = file.diff;
    if (!diffs.isOpen(right)) return;
    const inFront = diffs.active()?.toString() === right.toString();
    await amendments.settle(file.document);
    await diffs.close(right);
    if (!isOpen(file)) return;
    if (inFront) await diffs.open(file.diff, false);
  }

  /** One file that can't be written keeps the others from being written: a patch is not to be half applied behind anyone's back. */
  #noteObstacles(files: readonly Pick<PreparedFile, 'file' | 'prepared'>[]): boolean {
    let found = false;
    for (const { file, prepared } of files) {
      if (prepared.kind !== 'conflict' && prepared.kind !== 'failed') continue;
      // Against what it builds on it may well fit.
      if (prepared.kind === 'conflict' && this.#below(file) !== undefined)
        stop(file, 'failed', buildsOnOther());
      else stop(file, prepared.kind, prepared.reason);
      found = true;
    }
    return found;
  }

  /** Of the files before this one that wait for the same place, the last: it changes a text, or makes the file. */
  #below(file: PendingFile): PendingFile | undefined {
    return this.#topAt(file.at.uri, file);
  }

  /** @param under only what came before this file counts */
  #topAt(uri: vscode.Uri, under?: PendingFile): PendingFile | undefined {
    const place = uri.toString();
    let top: PendingFile | undefined;
    for (const proposal of this.waiting) {
      for (const file of proposal.files) {
        if (file === under) return top;
        const isText = file.edit.kind !== 'delete' && file.to === undefined;
        const waits = isOpen(file) || file.state === 'applying';
        if (isText && waits && file.at.uri.toString() === place) top = file;
      }
    }
    return under === undefined ? top : undefined;
  }

  /** All files that can still be decided, oldest first. */
  #open(): Shown[] {
    return this.waiting.flatMap((proposal) => proposal.open().map((file) => ({ proposal, file })));
  }

  /** The tool goes on at once; it does not wait for tabs, which may wait for somebody's formatter. */
  async #conclude(pending: PendingProposal, files: readonly PendingFile[]): Promise<void> {
    const closing = files.filter(({ outcome }) => outcome !== undefined).map((file) => this.#close(file));
    for (const file of files) this.#follower.lookAbove(file);
    pending.tell();
    // Stopped while a file was being written, and it could not be written after all.
    if (pending.isStopped && pending.open().length > 0) await this.cancel(pending.id);
    await Promise.all(closing);
  }

  /** Unsaved changes are saved first, or VS Code would ask what to do with them. */
  #close(file: PendingFile): Promise<void> {
    // VS Code brings the tab back in the next window.
    if (this.#isClosing) return Promise.resolve();
    const { amendments, diffs } = this.#parts;
    file.closing = amendments.settle(file.document).then(() => diffs.close(file.document.uri));
    return file.closing;
  }

  #forget(pending: PendingProposal): void {
    clearTimeout(this.#amended.get(pending));
    this.#amended.delete(pending);
    for (const { document, closing } of pending.files) {
      void Promise.resolve(closing).then(() => this.#parts.documents.remove(document.uri));
    }
    if (this.#proposals.get(pending.id) === pending) this.#proposals.delete(pending.id);
    if (!this.#isClosing) this.#parts.store.forget(pending.id);
    this.#decided.set(pending.id, { places: pending.files.map(placeOf), summary: pending.summary });
    for (const id of this.#decided.keys()) {
      if (this.#decided.size <= remembered) break;
      this.#decided.delete(id);
    }
  }

  #tellSoon({ uri }: ProposedDocument): void {
    const proposal = this.find(uri)?.proposal;
    if (proposal === undefined || this.#amended.has(proposal)) return;
    const tell = (): void => {
      this.#amended.delete(proposal);
      proposal.tell();
    };
    this.#amended.set(proposal, setTimeout(tell, tellDelay));
  }

  #noteSeen(): void {
    const uri = this.#parts.diffs.active();
    const shown = uri === undefined ? undefined : this.find(uri);
    if (shown === undefined || shown.file.seen) return;
    shown.file.seen = true;
    shown.proposal.tell();
  }

  #ignored(intent: string, proposal: string): void {
    this.#parts.log.debug('An intent came for a patch that has nothing left to decide', { intent, proposal });
  }
}

interface PreparedFile {
  readonly file: PendingFile;
  readonly prepared: Prepared;
  readonly amended: boolean;
  /** It builds on a patch that waits. */
  readonly isAbove: boolean;
}

function stop(file: PendingFile | undefined, state: 'conflict' | 'failed', reason: Reason): void {
  if (file === undefined) return;
  file.state = state;
  file.reason = reason;
}

function settle({ file, prepared, amended, isAbove }: PreparedFile, applied: AppliedFile | undefined): void {
  if (prepared.kind !== 'ready' && prepared.kind !== 'there') return;
  const followed = followedOf(file);
  const isEmpty = followed !== undefined && followed.text === followed.base && file.taken.accepted === 0;
  if (followed !== undefined && !isEmpty && isPart(followed)) file.partly = true;
  // What the person took every change out of is there as little as it was accepted.
  const already = prepared.kind === 'there' && file.taken.accepted === 0 && !amended;
  file.state = already ? 'there' : 'accepted';
  if (applied?.unsaved === true) file.remark = unsaved();
  else if (applied?.differs?.cause === 'changedOnSave') file.remark = changedOnSave();
  const outcome = acceptance(file.edit, amended, prepared.text, applied?.differs);
  if (isAbove && outcome.kind === 'accepted' && outcome.present?.cause === 'editedMeanwhile') {
    file.outcome = { ...outcome, present: { ...outcome.present, cause: 'earlierWaits' } };
    return;
  }
  file.outcome = already && outcome.kind === 'accepted' ? { ...outcome, already } : outcome;
}

/** What accepting a file means now. */
function wanted(file: PendingFile): Wanted {
  const followed = followedOf(file);
  const { edit, at, to, document } = file;
  return {
    edit,
    at,
    ...(to !== undefined && { to }),
    text: document.text,
    ...(followed !== undefined && { base: followed.base }),
  };
}

/** One hunk goes into the file where it is. */
function withoutMove(edit: FileEdit): FileEdit {
  if (edit.kind !== 'update') return edit;
  const { to: _, ...rest } = edit;
  return rest;
}

/** @param written the file's text right after accepting; save actions and typing may have made it differ since */
function acceptance(
  edit: FileEdit,
  amended: boolean,
  written: string,
  differs: AppliedFile['differs'],
): FileOutcome {
  if (edit.kind === 'delete') return { kind: 'accepted' };
  if (amended) {
    return differs?.cause === 'changedOnSave'
      ? { kind: 'acceptedAmended', text: written, saved: differs.text }
      : { kind: 'acceptedAmended', text: differs?.text ?? written };
  }
  if (differs !== undefined) return { kind: 'accepted', present: differs };
  if (withLineEnds(written, '\n') === withLineEnds(edit.after, '\n')) return { kind: 'accepted' };
  return { kind: 'accepted', present: { text: written, cause: 'editedMeanwhile' } };
}

/** Turning down what could not be written lets the model know why it could not. */
function rejection({ state, reason }: PendingFile, said: string): FileOutcome {
  if ((state === 'conflict' || state === 'failed') && reason !== undefined) {
    const detail = said === '' ? reason.detail : `${reason.detail} The person adds: ${JSON.stringify(said)}`;
    return { kind: reason.overlaps === true ? 'conflict' : 'failed', detail };
  }
  return { kind: 'rejected', ...(said !== '' && { reason: said }) };
}

/** Where a file is after its decision. */
function placeOf({ at, to, outcome }: PendingFile): vscode.Uri {
  const accepted = outcome?.kind === 'accepted' || outcome?.kind === 'acceptedAmended';
  return accepted && to !== undefined ? to.uri : at.uri;
}

async function showFile(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch {
    // A deleted file has nothing to show.
  }
}
