/**
 * Compares the problems before and after each patch that was accepted, once all of it is decided, and tells what came of it. Sends
 * nothing to anybody.
 */
import * as vscode from 'vscode';

import { cutAt } from '../../core/cutAt.ts';
import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import type { PatchProblem, PatchProblems as Facts } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import { openDocument } from '../edits/files/documentText.ts';
import type { AcceptedFile } from '../edits/files/journal.ts';
import type { ReviewBoard } from '../edits/review/reviewBoard.ts';
import type { Log } from '../log.ts';
import {
  changeAt,
  compareProblems,
  type Comparison,
  type PatchedFile,
  type Problem,
  type Snapshot,
} from './compareProblems.ts';
import { Looked } from './looked.ts';
import { somethingMore, untilQuiet, usualTimes, type QuietTimes } from './quiet.ts';

/** Patches of which it is still told. */
const most = 20;
/** Problems that are shown of one patch, of each kind. */
const mostShown = 20;
/** Of a message, in UTF-16 units. */
const maxMessage = 500;
/** Files that are opened to be looked at. */
const mostOpened = 10;
/** Milliseconds after a patch in which what languages tell is still taken for its doing. */
const late = 30_000;

export interface PatchProblemsParts {
  readonly board: Pick<
    ReviewBoard,
    'onWillWrite' | 'onDidSettle' | 'onDidChangeLater' | 'accepted' | 'takeBackChange'
  >;
  readonly log: Log;
  readonly times?: QuietTimes;
}

interface Before {
  readonly snapshot: Snapshot;
  /** Changed by a patch just before, of which nothing was known yet: what that did counts with this one. */
  readonly along: readonly PatchedFile[];
}

interface Checked {
  readonly before: Snapshot;
  readonly files: readonly PatchedFile[];
  readonly comparison: Comparison;
  readonly facts: Facts;
}

export class PatchProblems implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: PatchProblemsParts;
  readonly #looked = this.#store.add(new Looked());
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #known = this.#store.add(new vscode.EventEmitter<string>());
  /** How it was before anything of a patch was written, by the patch. */
  readonly #before = new Map<string, Before>();
  readonly #checked = new Map<string, Checked>();
  /** Patches of which a change is just being taken back. */
  readonly #taking = new Set<string>();
  /** Those whose change was to be taken back: until it is looked again, what stands in their place is another change. */
  readonly #taken = new WeakSet<Problem>();
  /** The patch that is being looked at. */
  #looking: { readonly proposal: string; readonly end: AbortController } | undefined;

  /** `current` is another list. */
  readonly onDidChange = this.#changed.event;
  /** It is known what the patch of this id did, as far as it will be. May come again for the same one. */
  readonly onDidCheck = this.#known.event;

  constructor(parts: PatchProblemsParts) {
    this.#parts = parts;
    const { board } = parts;
    this.#store.add(
      board.onWillWrite((proposal) => {
        // From here on it can't be told apart which patch did what.
        const unknown = this.#endLooking(proposal);
        if (!this.#before.has(proposal))
          this.#before.set(proposal, unknown ?? { snapshot: this.#looked.snapshot(), along: [] });
      }),
    );
    this.#store.add(
      board.onDidSettle(({ id }) => {
        if (this.#before.has(id)) this.#startCheck(id);
      }),
    );
    this.#store.add(
      board.onDidChangeLater(({ proposal }) => {
        if (!this.#checked.has(proposal.id)) return;
        if (isTakenBack(proposal)) this.#forget(proposal.id);
        else this.#startCheck(proposal.id);
      }),
    );
  }

  /** Oldest first. */
  get current(): readonly Facts[] {
    return [...this.#checked.values()].map(({ facts }) => facts);
  }

  /** Problems that the patch brought and that are still there; empty when there are none or it is not known. */
  introduced(proposal: string): readonly Problem[] {
    const known = this.#checked.get(proposal);
    if (known === undefined) return [];
    return compareProblems(known.before, this.#looked.snapshot({ atOnce: true }), textsNow(known.files))
      .introduced;
  }

  /** Notes that the model was asked about them. */
  handed(proposal: string): void {
    const known = this.#checked.get(proposal);
    if (known !== undefined) this.#set(proposal, { ...known, facts: { ...known.facts, handed: true } });
  }

  /** Shows a problem in its file. False when that can't be opened. */
  async show(proposal: string, index: number): Promise<boolean> {
    const problem = this.#problemAt(proposal, index);
    if (problem === undefined) return true;
    const at = new vscode.Position(problem.line, problem.column);
    try {
      await vscode.window.showTextDocument(vscode.Uri.parse(problem.uri, true), {
        selection: new vscode.Range(at, at),
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Takes back the change in which a problem stands. False when it could not be, which the card then says. */
  async takeBackChange(proposal: string, index: number): Promise<boolean> {
    const problem = this.#problemAt(proposal, index);
    // Pressed twice, or what was shown is no longer there: then it is not known what was meant.
    const isChecking = this.#checked.get(proposal)?.facts.checking === true;
    if (problem === undefined || isChecking || this.#taking.has(proposal) || this.#taken.has(problem))
      return true;
    const file = this.#fileOf(proposal, problem);
    const change = file === undefined ? undefined : changeOf(file, problem);
    if (file === undefined || change === undefined) return false;
    this.#taking.add(proposal);
    this.#taken.add(problem);
    try {
      const isDone = await this.#parts.board.takeBackChange(proposal, file.index, change);
      if (!isDone) this.#taken.delete(problem);
      return isDone;
    } finally {
      this.#taking.delete(proposal);
    }
  }

  /** Opens the changed files of which nothing is known, and looks again. */
  async checkAgain(proposal: string): Promise<void> {
    const known = this.#checked.get(proposal);
    if (known === undefined) return;
    for (const uri of known.comparison.unknown.slice(0, mostOpened)) {
      try {
        const options = { preview: false, preserveFocus: true };
        await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), options);
      } catch {
        // Nothing is known of it then.
      }
    }
    this.#startCheck(proposal);
  }

  dispose(): void {
    this.#looking?.end.abort();
    this.#store.dispose();
  }

  /** It goes on for a while. */
  #startCheck(proposal: string): void {
    this.#check(proposal).catch((error: unknown) => this.#parts.log.bug('comparing problems', error));
  }

  async #check(proposal: string): Promise<void> {
    const known = this.#before.get(proposal);
    const own = this.#parts.board.accepted(proposal).map(patchedFile);
    if (known === undefined || own.length === 0) return;
    const { snapshot: before, along } = known;
    const files = [...along, ...own.filter(({ uri }) => !along.some(({ now }) => now === uri))];
    this.#looking?.end.abort();
    const looking = { proposal, end: new AbortController() };
    this.#looking = looking;
    const { signal } = looking.end;
    // A person who goes on typing in a changed file brings and mends problems of their own.
    const changed = new Set(files.map(({ now }) => now));
    const typing = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && changed.has(document.uri.toString())) looking.end.abort();
    });
    const earlier = this.#checked.get(proposal);
    try {
      this.#begin(proposal, before, files);
      const begun = Date.now();
      const times = this.#parts.times ?? usualTimes;
      for (let left = late; left > 0; left = late - (Date.now() - begun)) {
        await untilQuiet(times, signal);
        if (signal.aborted) return;
        this.#compare(proposal, before, files);
        this.#known.fire(proposal);
        if (!(await somethingMore(left, signal))) return;
      }
    } finally {
      typing.dispose();
      if (this.#looking === looking) this.#looking = undefined;
      // Called off before anything new was known.
      if (this.#checked.get(proposal)?.facts.checking === true) {
        if (earlier === undefined || earlier.facts.checking) this.#drop(proposal);
        else this.#set(proposal, earlier);
      }
    }
  }

  /** Ends the looking that goes on. Returns how it was before, when nothing was known yet of what another patch did. */
  #endLooking(by: string): Before | undefined {
    const looking = this.#looking;
    if (looking === undefined) return undefined;
    looking.end.abort();
    const checked = this.#checked.get(looking.proposal);
    if (looking.proposal === by || checked?.facts.checking !== true) return undefined;
    return { snapshot: checked.before, along: checked.files };
  }

  /** What is known so far stays until more is known. */
  #begin(proposal: string, before: Snapshot, files: readonly PatchedFile[]): void {
    const known = this.#checked.get(proposal);
    const facts = known?.facts ?? { proposal, fixed: 0, introduced: 0, shown: [], unknown: 0 };
    this.#set(proposal, {
      before,
      files,
      comparison: known?.comparison ?? { fixed: [], introduced: [], unknown: [] },
      facts: { ...facts, checking: true },
    });
  }

  #compare(proposal: string, before: Snapshot, files: readonly PatchedFile[]): void {
    const comparison = compareProblems(before, this.#looked.snapshot({ atOnce: true }), textsNow(files));
    const known = this.#checked.get(proposal)?.facts;
    // A tab was closed, and its language has forgotten the file: what it told before is better than nothing.
    if (known?.checking === false && comparison.unknown.length > known.unknown) return;
    const facts: Facts = {
      proposal,
      checking: false,
      fixed: comparison.fixed.length,
      introduced: comparison.introduced.length,
      shown: problemsOf(comparison).map((problem, index) => this.#shown(proposal, problem, index)),
      unknown: comparison.unknown.length,
      ...(known?.handed === true && { handed: true }),
    };
    this.#set(proposal, { before, files, comparison, facts });
  }

  #shown(proposal: string, { kind, ...problem }: KindedProblem, index: number): PatchProblem {
    const file = this.#fileOf(proposal, problem);
    return {
      ...{ index, kind, severity: problem.severity, line: problem.line + 1, source: problem.source },
      path: vscode.workspace.asRelativePath(vscode.Uri.parse(problem.uri, true)),
      message: cutAt(problem.message, maxMessage),
      ...(kind === 'introduced' &&
        file !== undefined &&
        changeOf(file, problem) !== undefined && { canTakeBack: true as const }),
    };
  }

  /** By its number in what is shown. */
  #problemAt(proposal: string, index: number): Problem | undefined {
    const known = this.#checked.get(proposal);
    return known === undefined ? undefined : problemsOf(known.comparison)[index];
  }

  #fileOf(proposal: string, { uri }: Problem): AcceptedFile | undefined {
    return this.#parts.board.accepted(proposal).find((file) => (file.to ?? file.uri) === uri);
  }

  #set(proposal: string, checked: Checked): void {
    const same = JSON.stringify(this.#checked.get(proposal)?.facts) === JSON.stringify(checked.facts);
    this.#checked.set(proposal, checked);
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= most) break;
      this.#forget(oldest);
    }
    if (!same) this.#changed.fire();
  }

  #forget(proposal: string): void {
    this.#before.delete(proposal);
    this.#drop(proposal);
  }

  #drop(proposal: string): void {
    if (this.#checked.delete(proposal)) this.#changed.fire();
  }
}

type KindedProblem = Problem & { readonly kind: 'fixed' | 'introduced' };

/** As they are numbered for the panel: those that came first. */
function problemsOf({ introduced, fixed }: Comparison): readonly KindedProblem[] {
  const errorsFirst = (problems: readonly Problem[]): readonly Problem[] =>
    problems
      .toSorted((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning'))
      .slice(0, mostShown);
  return [
    ...errorsFirst(introduced).map((problem) => ({ ...problem, kind: 'introduced' as const })),
    ...errorsFirst(fixed).map((problem) => ({ ...problem, kind: 'fixed' as const })),
  ];
}

function patchedFile({ uri, to, change }: AcceptedFile): PatchedFile {
  return {
    uri,
    now: to ?? uri,
    ...(change.kind !== 'create' && { before: change.before }),
    ...(change.kind !== 'delete' && { after: change.after }),
  };
}

/** Files as they are, where an editor has them: what was typed since moves lines. */
function textsNow(files: readonly PatchedFile[]): readonly PatchedFile[] {
  return files.map((file) => {
    const text =
      file.after === undefined ? undefined : openDocument(vscode.Uri.parse(file.now, true))?.getText();
    return text === undefined ? file : { ...file, after: text };
  });
}

function changeOf({ uri, to, change }: AcceptedFile, { line }: Problem): number | undefined {
  if (change.kind !== 'edit') return undefined;
  const { before, after } = change;
  const now = openDocument(vscode.Uri.parse(to ?? uri, true))?.getText() ?? after;
  return changeAt(line, { before, after, now });
}

function isTakenBack({ files }: ProposalSummary): boolean {
  return files.every(({ state }) => state !== 'accepted');
}
