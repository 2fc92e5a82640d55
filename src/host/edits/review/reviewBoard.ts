/**
 * Where proposals wait for the person: shows them, takes decisions, has accepted files written and keeps the promise that the tool
 * waits for. Every intent is safe in every state: what is unknown, decided or busy is left alone.
 */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../../core/conversation/conversation.ts';
import { takeHunk } from '../../../core/patch/follow.ts';
import {
  reportDecidedForOthers,
  reportDecidedLater,
  reportTakenBack,
} from '../../../core/patch/reportLater.ts';
import type {
  Proposal,
  ReviewContext,
  ReviewOutcome,
  ReviewPort,
} from '../../../core/tools/applyPatchPorts.ts';
import type { PatchMode } from '../../../protocol/toWebview.ts';
import { DisposableStore } from '../../disposables.ts';
import type { Log } from '../../log.ts';
import type { AcceptedDiffs } from './acceptedDiffs.ts';
import type { Amendments } from './amendments.ts';
import type { Attention } from './attention.ts';
import { DecidedProposals, type TakenBackCount, type TakenBackFiles } from '../proposals/decidedProposals.ts';
import type { Diffs } from '../proposals/diffs.ts';
import { Follower } from '../proposals/follower.ts';
import { GitLook } from '../files/gitPlaces.ts';
import { HunkDecisions, type HunkDecision, type PickHunk } from '../proposals/hunkDecisions.ts';
import type { AcceptedFile, Journal } from '../files/journal.ts';
import { PendingFiles } from '../proposals/pendingFiles.ts';
import {
  followedOf,
  isOpen,
  openHunks,
  PendingProposal,
  type PendingFile,
  type Shown,
} from '../proposals/pendingProposal.ts';
import type { PendingStore } from '../proposals/pendingStore.ts';
import type { ProposedDocument, ProposedDocuments } from '../proposals/proposedDocuments.ts';
import { cautionOf, whyProtected } from '../files/protectedFiles.ts';
import { restoreProposal } from '../proposals/restoredProposals.ts';
import { ReviewTabs } from './reviewTabs.ts';
import type { SecondYes } from './secondYes.ts';
import { refusal } from '../files/sentences.ts';
import { isAsProposed, leaveAlone, turnDown } from '../proposals/settling.ts';
import { WaitingProposals, type Standing } from '../proposals/waitingProposals.ts';
import { Writing } from '../proposals/writing.ts';

export interface ReviewParts {
  readonly documents: ProposedDocuments;
  readonly amendments: Amendments;
  readonly diffs: Diffs;
  readonly attention: Attention;
  readonly journal: Journal;
  readonly store: PendingStore;
  readonly accepted: AcceptedDiffs;
  readonly settings: ReviewSettings;
  readonly secondYes: SecondYes;
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

/** How long a card may lag behind what is typed into a diff, in milliseconds: counting lines at every key is dear in large files. */
const tellDelay = 100;

export class ReviewBoard implements vscode.Disposable {
  /** What the tool sees. */
  readonly port: ReviewPort = { review: (proposal, context) => this.#review(proposal, context) };

  readonly #store = new DisposableStore();
  readonly #parts: ReviewParts;
  readonly #waiting = new WaitingProposals();
  readonly #files: PendingFiles;
  readonly #writing: Writing;
  /** So that a click on a row still leads somewhere, and what is taken back is told of the whole patch. */
  readonly #decided: DecidedProposals;
  readonly #tabs: ReviewTabs;
  readonly #follower: Follower;
  readonly #hunks: HunkDecisions;
  readonly #later = this.#store.add(new vscode.EventEmitter<Later>());
  readonly onDidChangeLater = this.#later.event;
  readonly #settled = this.#store.add(new vscode.EventEmitter<ProposalSummary>());
  /** Nothing of the proposal is left to decide. */
  readonly onDidSettle = this.#settled.event;
  readonly #willWrite = this.#store.add(new vscode.EventEmitter<string>());
  /** Something of the proposal of this id is about to be written: what is to be known from before must be looked at now. */
  readonly onWillWrite = this.#willWrite.event;
  readonly #amended = new Map<PendingProposal, NodeJS.Timeout>();
  /** Proposals of an earlier window may still come: their documents have addresses of their own. */
  #isRestoring: boolean;
  /** The window closes: what waits is left as it is kept. */
  #isClosing = false;

  /** Settles when the proposals that waited when the window was closed wait again. Never rejects. */
  readonly ready: Promise<void>;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
    const { documents, amendments, log } = parts;
    const waiting = this.#waiting;
    this.#files = new PendingFiles({ documents, waiting, emptyScheme: parts.emptyScheme });
    this.#writing = new Writing({ ...parts, waiting, willWrite: (id) => this.#willWrite.fire(id) });
    this.#decided = new DecidedProposals({ ...parts, waiting, writing: this.#writing });
    this.#tabs = this.#store.add(new ReviewTabs({ ...parts, waiting }));
    this.#follower = this.#store.add(new Follower({ documents, log, waiting }));
    this.#hunks = new HunkDecisions({
      documents,
      waiting,
      follower: this.#follower,
      writing: this.#writing,
    });
    this.#isRestoring = parts.store.keeps;
    this.ready = this.#restore();
    documents.awaitRestored(this.ready);
    this.#store.add(this.#follower.onDidFollow((shown) => this.#noteFollowed(shown)));
    this.#store.add(this.#follower.onDidTurn((shown) => void this.#tabs.reopen(shown)));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('diffEditor')) for (const each of this.waiting) each.tell();
      }),
    );
    this.#store.add(
      amendments.onDidAmend((document) => {
        const shown = this.find(document.uri);
        // What was typed may settle a conflict.
        if (shown?.file.followed !== undefined) this.#follower.lookSoon(shown);
        if (shown !== undefined) this.#follower.lookAbove(shown.file);
        this.#tellSoon(document);
      }),
    );
  }

  /** See `WaitingProposals.topAt`. */
  standingAt(uri: vscode.Uri): Standing | undefined {
    return this.#waiting.topAt(uri);
  }

  /** Proposals that wait, oldest first. */
  get waiting(): readonly PendingProposal[] {
    return this.#waiting.all;
  }

  /** The file that a document of ours shows. */
  find(document: vscode.Uri): Shown | undefined {
    return this.#waiting.find(document);
  }

  /**
   * Opens the diff of one file, or of the first undecided one; for an accepted file, what that did to it; for any other decided file,
   * the file itself.
   */
  async review(proposal: string, file?: number): Promise<void> {
    const pending = this.#waiting.get(proposal);
    if (pending === undefined) {
      const index = file ?? 0;
      const place = this.#decided.placeOf(proposal, index);
      if (!(await this.#tabs.showDecided(proposal, index, place))) this.#ignored('review', proposal);
      return;
    }
    const one = file === undefined ? (pending.open()[0] ?? pending.files[0]) : pending.files[file];
    if (one === undefined) this.#ignored('review', proposal);
    else await this.#tabs.showAny({ proposal: pending, file: one });
  }

  /** @param focus see `Diffs.open` */
  show(shown: Shown, focus: boolean): Promise<void> {
    return this.#tabs.show(shown, focus);
  }

  /** See `ReviewTabs.showHidden`. */
  async showHidden(proposal: string): Promise<void> {
    const pending = this.#waiting.get(proposal);
    if (pending === undefined || !(await this.#tabs.showHidden(pending)))
      this.#ignored('showHidden', proposal);
  }

  /** Opens all files that can still be decided in one editor. */
  async viewAll(proposal: string): Promise<void> {
    const pending = this.#waiting.get(proposal);
    if (pending === undefined || pending.open().length === 0) this.#ignored('viewAll', proposal);
    else await this.#tabs.showAll(pending);
  }

  /**
   * Writes one file, or all that are undecided: all of them or none, but for those that take a yes of their own, which wait on. Resolves
   * when that is done or has been refused.
   */
  async accept(proposal: string, file?: number): Promise<void> {
    const pending = this.#waiting.get(proposal);
    const files = pending?.open(file) ?? [];
    if (pending === undefined || files.length === 0) return this.#ignored('accept', proposal);
    const before = files.map(({ state }) => state);
    for (const each of files) each.state = 'applying';
    pending.tell();
    let show: PendingFile | undefined;
    await this.#writing.inOrder('accepting a patch', async () => {
      try {
        const allowed = await this.#parts.secondYes.allowed(files);
        ({ show } = allowed);
        if (allowed.write.length > 0) await this.#writing.files(proposal, allowed.write);
      } finally {
        for (const [index, each] of files.entries()) {
          if (each.state === 'applying') each.state = before[index] ?? 'pending';
        }
      }
    });
    await this.#conclude(pending, files);
    for (const each of files) if (isOpen(each)) await this.#follower.look({ proposal: pending, file: each });
    if (show !== undefined && isOpen(show)) await this.show({ proposal: pending, file: show }, true);
  }

  /** Turns down one file, or all that are undecided. */
  async reject(proposal: string, file?: number, reason?: string): Promise<void> {
    const pending = this.#waiting.get(proposal);
    const files = pending?.open(file) ?? [];
    if (pending === undefined || files.length === 0) return this.#ignored('reject', proposal);
    for (const each of files) turnDown(each, reason?.trim() ?? '');
    await this.#conclude(pending, files);
  }

  /** Writes one hunk; the others stay as they are. Of a file without hunks, the whole. */
  async acceptHunk(shown: Shown, pick: PickHunk): Promise<HunkDecision> {
    const { proposal, file } = shown;
    if (followedOf(file) === undefined) {
      await this.accept(proposal.id, file.index);
      return 'done';
    }
    await this.#follower.look(shown);
    const { write, show } = await this.#parts.secondYes.allowed([file], textWith(file, pick));
    if (write.length === 0) {
      if (show !== undefined && isOpen(file)) await this.show(shown, true);
      return 'done';
    }
    const decision = await this.#hunks.accept(shown, pick);
    if (decision === 'done') await this.#conclude(proposal, [file]);
    return decision;
  }

  /** Takes one hunk out of the proposal, as VS Code's own button does. Of a file without hunks, turns down the whole. */
  async rejectHunk(shown: Shown, pick: PickHunk): Promise<HunkDecision> {
    const { proposal, file } = shown;
    if (followedOf(file) === undefined) {
      await this.reject(proposal.id, file.index);
      return 'done';
    }
    const decision = await this.#hunks.reject(shown, pick);
    if (decision === 'done') await this.#conclude(proposal, [file]);
    return decision;
  }

  /** The question was taken back: undecided files stay as they are. A file that is being written is still written. */
  async cancel(proposal: string): Promise<void> {
    const pending = this.#waiting.get(proposal);
    const files = pending?.open() ?? [];
    if (pending === undefined || files.length === 0) return;
    files.forEach(leaveAlone);
    await this.#conclude(pending, files);
  }

  /** Undoes what was accepted, of one file or of all of a patch. */
  async takeBack(proposal: string, file?: number): Promise<TakenBackCount> {
    const taken = await this.#decided.takeBack(proposal, file);
    // Of some only a hunk was accepted, and their diffs are still open.
    for (const each of this.#waiting.get(proposal)?.open() ?? []) {
      if (taken.changes.get(each.index)?.state !== undefined) void this.#tabs.close(each);
    }
    this.#tellTakenBack(proposal, file, taken);
    const done = taken.reports.filter(({ result }) => result.kind === 'takenBack').length;
    return { done, left: taken.reports.length - done };
  }

  /** What an accepted patch did to its files, as it is known now; nothing when that is no longer kept. */
  accepted(proposal: string): readonly AcceptedFile[] {
    return this.#parts.journal.get(proposal)?.files.filter(({ takenBack }) => !takenBack) ?? [];
  }

  /** Undoes one change of what was accepted of a file, by its number among them. Resolves with whether it could be. */
  async takeBackChange(proposal: string, file: number, change: number): Promise<boolean> {
    const taken = await this.#decided.takeBackChange(proposal, file, change);
    this.#tellTakenBack(proposal, file, taken);
    return taken.reports.some(({ result }) => result.kind !== 'kept');
  }

  /** The patch accepted last, over all conversations. Undefined when there is none to take back. */
  async takeBackLast(): Promise<TakenBackCount | undefined> {
    const { journal } = this.#parts;
    await journal.ready;
    await this.#writing.idle;
    return journal.last === undefined ? undefined : this.takeBack(journal.last.id);
  }

  /** From now on nothing that is stopped is forgotten: it is to wait again in the next window. */
  keepWaiting(): void {
    this.#isClosing = true;
    this.#tabs.keepOpen();
  }

  dispose(): void {
    this.keepWaiting();
    this.#store.dispose();
    for (const timer of this.#amended.values()) clearTimeout(timer);
    for (const { id } of this.waiting) void this.cancel(id);
  }

  /** As what the tool sees, for a change that the person asked to look at: it waits for them in every mode. */
  propose(proposal: Proposal, context: ReviewContext): Promise<ReviewOutcome> {
    return this.#review(proposal, context, true);
  }

  async #review(proposal: Proposal, context: ReviewContext, asks = false): Promise<ReviewOutcome> {
    const { log, attention } = this.#parts;
    const scene = attention.scene;
    void this.cancel(proposal.id);
    if (this.#isRestoring) await this.ready;
    const files = this.#files.fromPlan(proposal.plan);
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
    this.#waiting.add(pending);
    this.#noteStacked(pending);
    const cancel = (): void => void this.cancel(proposal.id);
    const leave = (): void => pending.leave();
    context.signal.addEventListener('abort', cancel, { once: true });
    context.later?.addEventListener('abort', leave, { once: true });
    try {
      log.info('A patch waits for a decision', { proposal: proposal.id, files: files.length });
      pending.tell();
      if (context.signal.aborted) cancel();
      if (context.later?.aborted === true) leave();
      await this.#warn(pending, asks);
      const first = files[0];
      if (!asks && first !== undefined && isOpen(first) && attention.mayOpen(scene)) {
        void this.show({ proposal: pending, file: first }, false);
      }
      return await pending.outcome;
    } finally {
      context.signal.removeEventListener('abort', cancel);
      context.later?.removeEventListener('abort', leave);
      if (pending.isLeft) {
        void this.#waitOn(pending, (outcome) => reportDecidedLater(proposal.plan, outcome));
      } else this.#forget(pending);
    }
  }

  /** For the decision on a patch whose call was answered before there was one. */
  async #waitOn(pending: PendingProposal, report: (outcome: ReviewOutcome) => string): Promise<void> {
    const outcome = await pending.decided;
    this.#forget(pending);
    this.#later.fire({ proposal: pending.summary, report: report(outcome) });
  }

  /** Says what is to be known of its files; where the person wants it so and nothing is, all of it is written. */
  async #warn(pending: PendingProposal, asks: boolean): Promise<void> {
    const acceptsUnasked = !asks && this.#parts.settings.patchMode === 'acceptAutomatically';
    const files = pending.open();
    const git = new GitLook();
    const found = await Promise.all(files.map((file) => whyProtected(file, file.document.text, git)));
    if (pending.isSettled) return;
    for (const [index, file] of files.entries()) {
      const why = found[index];
      const caution = why && cautionOf(why, acceptsUnasked);
      if (caution !== undefined) file.caution = caution;
      if (why?.takesSecondYes === true) file.takesSecondYes = true;
    }
    if (acceptsUnasked && found.every((why) => why === undefined)) await this.accept(pending.id);
    else if (files.some(({ caution }) => caution !== undefined)) pending.tell();
  }

  #tellTakenBack(proposal: string, file: number | undefined, { changes, reports }: TakenBackFiles): void {
    const summary = this.#decided.noteTakenBack(proposal, changes, file);
    const report = reportTakenBack(reports);
    if (summary !== undefined)
      this.#later.fire({ proposal: summary, ...(report !== undefined && { report }) });
  }

  #keep(pending: PendingProposal): void {
    if (!this.#isClosing) this.#parts.store.keep(pending);
  }

  async #restore(): Promise<void> {
    const { store, log } = this.#parts;
    const told = (pending: PendingProposal, proposal: ProposalSummary): void => {
      this.#keep(pending);
      this.#later.fire({ proposal });
    };
    try {
      const keptProposals = await store.read();
      if (this.#store.isDisposed) return;
      for (const kept of keptProposals) {
        const pending = restoreProposal(kept, { store, files: this.#files, told });
        if (pending === undefined) continue;
        this.#waiting.add(pending);
        this.#noteStacked(pending);
        pending.tell();
        const plan = { files: pending.files.map((file) => file.edit), notes: [] };
        void this.#waitOn(pending, (outcome) => reportDecidedForOthers(plan, outcome));
        for (const file of pending.files) this.#follower.lookSoon({ proposal: pending, file });
      }
      log.info('Patches wait again', { patches: this.#waiting.size });
      // From here on they can be decided: what there is to be known of them is found on the disk, which takes a while.
      this.#isRestoring = false;
      await Promise.all(this.waiting.map((pending) => this.#warn(pending, true)));
    } catch (error) {
      log.bug('bringing back patches that wait', error);
    } finally {
      this.#isRestoring = false;
    }
  }

  #noteFollowed({ proposal, file }: Shown): void {
    if (file.outcome === undefined) this.#tellSoon(file.document);
    else void this.#conclude(proposal, [file]);
  }

  /** The tool goes on at once; it does not wait for tabs, which may wait for somebody's formatter. */
  async #conclude(pending: PendingProposal, files: readonly PendingFile[]): Promise<void> {
    const closing = files
      .filter(({ outcome }) => outcome !== undefined)
      .map((file) => this.#tabs.close(file));
    for (const file of files) this.#unstack(file);
    pending.tell();
    // Stopped while a file was being written, and it could not be written after all.
    if (pending.isStopped && pending.open().length > 0) await this.cancel(pending.id);
    await Promise.all(closing);
  }

  #noteStacked({ files }: PendingProposal): void {
    for (const file of files) file.isStacked = this.#waiting.buildsOnOther(file);
  }

  /** What builds on a file that was decided has other ground from now on. */
  #unstack(file: PendingFile): void {
    const above = this.#waiting.above(file);
    if (file.outcome !== undefined && !isAsProposed(file)) {
      for (const { file: other } of above) other.isUndermined = true;
      if (file.to !== undefined && file.moved !== true) stayWith(file, above);
      // The window may close before anyone looks at them again.
      for (const { proposal } of above) this.#keep(proposal);
    }
    for (const shown of above) this.#follower.lookSoon(shown);
  }

  #forget(pending: PendingProposal): void {
    clearTimeout(this.#amended.get(pending));
    this.#amended.delete(pending);
    for (const { document, closing } of pending.files) {
      void Promise.resolve(closing).then(() => this.#parts.documents.remove(document.uri));
    }
    this.#waiting.remove(pending);
    if (!this.#isClosing) this.#parts.store.forget(pending.id);
    this.#decided.remember(pending);
    this.#settled.fire(pending.summary);
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

  #ignored(intent: string, proposal: string): void {
    this.#parts.log.debug('An intent came for a patch that has nothing left to decide', { intent, proposal });
  }
}

/** What the file would hold with the hunk that is meant. */
function textWith(file: PendingFile, pick: PickHunk): string | undefined {
  const followed = followedOf(file);
  const hunk = pick(openHunks(file));
  return followed === undefined || hunk === undefined ? undefined : takeHunk(followed, hunk).live;
}

/** What was made for the new name of a file that does not move is for the file where it stays. */
function stayWith(file: PendingFile, above: readonly Shown[]): void {
  const target = file.to?.uri.toString();
  for (const { file: other } of above) {
    if (other.at.uri.toString() !== target) continue;
    // From here on the name means another file.
    if (other.edit.kind === 'add') return;
    other.at = file.at;
    other.stayed = true;
  }
}
