/** One proposal while people decide on it: the state of each file, and what is told of it. Opens and writes nothing. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import type {
  FileChangeKind,
  HunkCounts,
  ProposalState,
  ProposalSummary,
} from '../../../core/conversation/conversation.ts';
import { isUndecidedState } from '../../../core/conversation/waiting.ts';
import type { FileEdit, Replacement } from '../../../core/patch/editPlan.ts';
import {
  amendProposal,
  droppedHunks,
  hunksOf,
  isPart,
  type Followed,
  type Hunk,
} from '../../../core/patch/follow.ts';
import { splitLines } from '../../../core/patch/lineDiff.ts';
import type { FileOutcome, ReviewContext, ReviewOutcome } from '../../../core/tools/applyPatchPorts.ts';
import type { Diff } from './diffs.ts';
import { withLineEnds } from '../files/documentText.ts';
import type { ProposedDocument } from './proposedDocuments.ts';
import type { Reason } from '../files/sentences.ts';
import { toldLater, notMoved, renamed, reportNotMoved, reportRenamed, stacked } from './stackSentences.ts';
import { fileAt, type FileAt } from '../files/workspaceFiles.ts';

export interface PendingFile {
  readonly index: number;
  readonly edit: FileEdit;
  /** Another one than planned when the file was renamed meanwhile, or when the move that made its name was turned down. */
  at: FileAt;
  /** Where it is still to be moved to. */
  to?: FileAt;
  readonly document: ProposedDocument;
  diff: Diff;
  /** Of an update: how it stands against the file as it was last seen. Asked for with `followedOf`. */
  followed?: Followed;
  /** Hunks decided one by one. */
  readonly taken: { accepted: number; rejected: number };
  state: ProposalState;
  seen: boolean;
  reason?: Reason;
  /** Other patches for the same place have to be decided on first. */
  isStacked?: boolean;
  /** What it builds on was not accepted as it was proposed. */
  isUndermined?: true;
  /** A move that it builds on was turned down: it is about the file where that stayed. */
  stayed?: true;
  /** It is where the patch moves it to. */
  moved?: true;
  canTakeBack?: boolean;
  /** Said while it waits: why it is not like the others. */
  caution?: string;
  /** It is not accepted along with others. */
  takesSecondYes?: true;
  /** Said of an accepted file, or of one that was taken back; of any other the reason speaks. */
  remark?: string;
  /** Set once, with a final state. */
  outcome?: FileOutcome;
  /** Some hunks are in the file and others are not. Set with the outcome. */
  partly?: true;
  /** Until then its tab may still want its document. */
  closing?: Promise<void>;
}

/** A file of a proposal, named by the document that shows it. */
export interface Shown {
  readonly proposal: PendingProposal;
  readonly file: PendingFile;
}

/** What the person can still accept or reject. A conflict or a failure is not final: they may try again. */
export function isOpen({ state }: PendingFile): boolean {
  return isUndecidedState(state);
}

export function isAmended(file: PendingFile): boolean {
  if (file.edit.kind === 'delete') return false;
  const followed = followedOf(file);
  if (followed !== undefined) return followed.text !== followed.untouched;
  return file.document.text !== withLineEnds(file.edit.after, '\n');
}

/** How an update stands, with what the person has typed into its document up to now. Undefined for any other change. */
export function followedOf(file: PendingFile): Followed | undefined {
  const { followed, document } = file;
  if (followed !== undefined && document.text !== followed.text) {
    file.followed = amendProposal(followed, document.text);
  }
  return file.followed;
}

/** The hunks that can still be decided. None for a change that has none. */
export function openHunks(file: PendingFile): readonly Hunk[] {
  const followed = followedOf(file);
  return followed === undefined || file.edit.kind !== 'update'
    ? []
    : hunksOf(followed, withLineEnds(file.edit.before, '\n'));
}

/** Settles an update whose file, as it was last seen, has all of it that there will be: taken hunk by hunk, or without us. */
export function settleAsSeen(file: PendingFile): void {
  const followed = followedOf(file);
  if (followed === undefined || file.edit.kind !== 'update') return;
  const { accepted, rejected } = file.taken;
  const text = withLineEnds(followed.live, file.document.eol);
  file.state = accepted > 0 ? 'accepted' : 'there';
  delete file.reason;
  if (rejected > 0 || followed.text !== followed.live) file.partly = true;
  if (followed.live === withLineEnds(file.edit.after, '\n')) {
    file.outcome = { kind: 'accepted', ...(accepted === 0 && { already: true as const }) };
  } else if (isAmended(file) || file.partly === true) {
    file.outcome = { kind: 'acceptedAmended', text, ...(hasStayed(file) && { stays: true as const }) };
  } else {
    const cause = file.isUndermined === true ? ('earlierDiffers' as const) : ('editedMeanwhile' as const);
    const present = { text, cause };
    file.outcome = { kind: 'accepted', ...(accepted === 0 && { already: true as const }), present };
  }
}

export class PendingProposal {
  readonly id: string;
  readonly files: readonly PendingFile[];
  /** What the call is answered with. */
  readonly outcome: Promise<ReviewOutcome>;
  /** What was decided in the end, also when the call was answered before. */
  readonly decided: Promise<ReviewOutcome>;
  /** Called at each telling, for those who look at all that waits. */
  onTell: (() => void) | undefined;
  readonly #context: ReviewContext;
  readonly #facts = new Map<
    number,
    { readonly of: unknown; readonly hides: boolean; readonly facts: TextFacts }
  >();
  #resolve!: (outcome: ReviewOutcome) => void;
  #decide!: (outcome: ReviewOutcome) => void;
  #isLeft = false;
  #settled = false;

  constructor(id: string, files: readonly PendingFile[], context: ReviewContext) {
    this.id = id;
    this.files = files;
    this.#context = context;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.decided = new Promise((resolve) => {
      this.#decide = resolve;
    });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** The person went on without deciding: the call is answered, and the proposal waits on. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  leave(): void {
    if (this.#settled) return;
    this.#isLeft = true;
    this.#resolve({ files: this.files.map(({ outcome }) => outcome ?? { kind: 'undecided' }) });
  }

  /** Nobody waits for a decision any more. */
  get isStopped(): boolean {
    return this.#context.signal.aborted;
  }

  /** The file of this index when it can still be decided, or all that can. */
  open(index?: number): PendingFile[] {
    return this.files.filter((file) => (index === undefined || file.index === index) && isOpen(file));
  }

  /** Tells how things stand, and resolves the outcome when nothing is left to decide. */
  tell(): void {
    this.#context.proposal(this.summary);
    this.onTell?.();
    if (this.#settled) return;
    const outcomes = this.files.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
    if (outcomes.length < this.files.length) return;
    this.#settled = true;
    const notes = placeNotes(this.files);
    const outcome = { files: outcomes, ...(notes.length > 0 && { notes }) };
    this.#resolve(outcome);
    this.#decide(outcome);
  }

  get summary(): ProposalSummary {
    return {
      id: this.id,
      files: this.files.map((file) => {
        const { index, edit, state, seen } = file;
        const note = this.#noteOf(file);
        const { added, removed, hunks, edited, rejected } = this.#factsOf(file);
        return {
          index,
          path: isAsNamed(file) ? edit.path.display : nameNow(file),
          ...(edit.kind === 'update' && edit.to !== undefined && !hasStayed(file) && { to: edit.to.display }),
          change: hasStayed(file) ? 'update' : changeOf(edit),
          added,
          removed,
          state,
          seen,
          amended: edited,
          ...(state === 'accepted' && file.canTakeBack === true && { canTakeBack: true as const }),
          ...(note !== undefined && { note }),
          ...(hunks !== undefined &&
            isOpen(file) && { hunks: { ...hunks, accepted: file.taken.accepted, rejected } }),
          ...(file.partly === true && { partly: true }),
          ...(file.takesSecondYes === true && isOpen(file) && { takesSecondYes: true as const }),
        };
      }),
    };
  }

  #noteOf(file: PendingFile): string | undefined {
    const note = noteOf(file);
    const isSentBack = file.state === 'rejected' && file.reason !== undefined;
    return note !== undefined && isSentBack && this.#isLeft ? `${note} ${toldLater()}` : note;
  }

  #factsOf(file: PendingFile): TextFacts {
    const of = followedOf(file) ?? file.document.text;
    const known = this.#facts.get(file.index);
    // What was written is counted as it was proposed: afterwards the file and the proposal are alike.
    const hides = hidesBlanks(file);
    if (known !== undefined && ((known.of === of && known.hides === hides) || !isOpen(file))) {
      return known.facts;
    }
    const facts = textFacts(file);
    this.#facts.set(file.index, { of, hides, facts });
    return facts;
  }
}

function noteOf(file: PendingFile): string | undefined {
  const { state, edit, remark, caution, reason, isStacked } = file;
  if (state === 'accepted' || state === 'takenBack') return remark;
  if (reason !== undefined || state !== 'pending') return reason?.note;
  const notes = [
    ...(caution === undefined ? [] : [caution]),
    ...(isStacked === true ? [stacked()] : []),
    ...(isAsNamed(file)
      ? []
      : [file.stayed === true ? notMoved(edit.path.display) : renamed(edit.path.display)]),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** Whether it is still where the patch names it, or where the patch moves it to. */
function isAsNamed({ edit, at, to, moved }: PendingFile): boolean {
  if (moved === true && to === undefined) return true;
  return fileAt(edit.path)?.uri.toString() === at.uri.toString();
}

/** The present name, as a patch would give it. */
function nameNow({ at }: PendingFile): string {
  return vscode.workspace.asRelativePath(at.uri);
}

/** A file of which hunks were taken before the rest, its move included, was turned down. */
function hasStayed({ edit, state, moved }: PendingFile): boolean {
  const isMove = edit.kind === 'update' && edit.to !== undefined;
  return isMove && state === 'accepted' && moved !== true;
}

/** What the model does not know of the places of decided files. */
function placeNotes(files: readonly PendingFile[]): readonly string[] {
  return files.flatMap((file) => {
    const { edit, outcome } = file;
    if (outcome === undefined || outcome.kind === 'undecided' || isAsNamed(file)) return [];
    const name = edit.path.display;
    return [file.stayed === true ? reportNotMoved(name, nameNow(file)) : reportRenamed(name, nameNow(file))];
  });
}

/**
 * The title of the tab in which a file of a proposal is shown.
 * @param at where the file is, when that is not where the patch names it
 */
export function titleOf(edit: FileEdit, at?: vscode.Uri): string {
  const name = basename(at?.path ?? edit.path.relative);
  switch (edit.kind) {
    case 'add':
      return vscode.l10n.t('{0} (new file)', name);
    case 'delete':
      return vscode.l10n.t('{0} (deleted)', name);
    case 'update':
      return edit.to === undefined
        ? vscode.l10n.t('{0} (patch)', name)
        : vscode.l10n.t('{0} → {1} (patch)', ...moveNames(edit.path.relative, edit.to.relative));
  }
}

/** Just the names where they tell the two places apart, the whole paths otherwise. */
function moveNames(from: string, to: string): [string, string] {
  return basename(from) === basename(to) ? [from, to] : [basename(from), basename(to)];
}

function changeOf(edit: FileEdit): FileChangeKind {
  return edit.kind === 'update' && edit.to !== undefined ? 'move' : edit.kind;
}

type OpenHunkCounts = Omit<HunkCounts, 'accepted' | 'rejected'>;

interface TextFacts {
  readonly added: number;
  readonly removed: number;
  readonly hunks?: OpenHunkCounts;
  /** The person changed it, beside taking hunks out. */
  readonly edited: boolean;
  /** Hunks that were taken out, by whichever way. */
  readonly rejected: number;
}

function textFacts(file: PendingFile): TextFacts {
  const { edit, document } = file;
  switch (edit.kind) {
    case 'add':
      return {
        added: splitLines(document.text).length,
        removed: 0,
        edited: isAmended(file),
        rejected: 0,
      };
    case 'delete':
      return { added: 0, removed: splitLines(edit.before).length, edited: false, rejected: 0 };
    case 'update': {
      const hunks = openHunks(file);
      const followed = followedOf(file);
      const isAsPlanned =
        file.followed?.live === file.followed?.origin && file.taken.accepted === 0 && !isAmended(file);
      return {
        ...(isAsPlanned ? counted(edit.before, edit.replacements) : countedHunks(hunks)),
        edited: isAmended(file) && (followed === undefined || !isPart(followed)),
        rejected: followed === undefined ? 0 : droppedHunks(followed),
        hunks: {
          open: hunks.length,
          moved: numberOf(hunks, ({ state }) => state === 'moved'),
          conflicting: numberOf(hunks, ({ state }) => state === 'conflicting'),
          hidden: hidesBlanks(file) ? numberOf(hunks, ({ hidden }) => hidden) : 0,
          there: file.followed?.there ?? 0,
        },
      };
    }
  }
}

function numberOf(hunks: readonly Hunk[], is: (hunk: Hunk) => boolean): number {
  return hunks.filter(is).length;
}

/** Whether the diff editor shows nothing of lines that differ in blanks at their ends only. So it comes. */
export function hidesBlanks({ document }: PendingFile): boolean {
  return (
    vscode.workspace.getConfiguration('diffEditor', document.uri).get<boolean>('ignoreTrimWhitespace') !==
    false
  );
}

function countedHunks(hunks: readonly Hunk[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { inBase, inText } of hunks) {
    added += inText.to - inText.from;
    removed += inBase.to - inBase.from;
  }
  return { added, removed };
}

function counted(before: string, replacements: readonly Replacement[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { start, end, text } of replacements) {
    added += splitLines(text).length;
    removed += splitLines(before.slice(start, end)).length;
  }
  return { added, removed };
}
