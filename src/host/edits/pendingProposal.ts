/** One proposal while people decide on it: the state of each file, and what is told of it. Opens and writes nothing. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import type { FileChangeKind, ProposalState, ProposalSummary } from '../../core/conversation/conversation.ts';
import type { FileEdit, Replacement } from '../../core/patch/editPlan.ts';
import { lineReplacements, splitLines } from '../../core/patch/lineDiff.ts';
import type { FileOutcome, ReviewContext, ReviewOutcome } from '../../core/tools/applyPatchPorts.ts';
import type { Diff } from './diffs.ts';
import { withLineEnds } from './documentText.ts';
import type { ProposedDocument } from './proposedDocuments.ts';
import type { Reason } from './sentences.ts';
import type { FileAt } from './workspaceFiles.ts';

export interface PendingFile {
  readonly index: number;
  readonly edit: FileEdit;
  readonly at: FileAt;
  readonly to?: FileAt;
  readonly document: ProposedDocument;
  readonly diff: Diff;
  state: ProposalState;
  seen: boolean;
  reason?: Reason;
  canTakeBack?: boolean;
  /** Said of an accepted file, or of one that was taken back; of any other the reason speaks. */
  remark?: string;
  /** Set once, with a final state. */
  outcome?: FileOutcome;
  /** Until then its tab may still want its document. */
  closing?: Promise<void>;
}

/** What the person can still accept or reject. A conflict or a failure is not final: they may try again. */
export function isOpen({ state }: PendingFile): boolean {
  return state === 'pending' || state === 'conflict' || state === 'failed';
}

export function isAmended({ edit, document }: PendingFile): boolean {
  return edit.kind !== 'delete' && document.text !== withLineEnds(edit.after, '\n');
}

export class PendingProposal {
  readonly id: string;
  readonly files: readonly PendingFile[];
  readonly outcome: Promise<ReviewOutcome>;
  readonly #context: ReviewContext;
  readonly #counts = new Map<number, { readonly text: string; readonly counts: LineCounts }>();
  #resolve!: (outcome: ReviewOutcome) => void;
  #settled = false;

  constructor(id: string, files: readonly PendingFile[], context: ReviewContext) {
    this.id = id;
    this.files = files;
    this.#context = context;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** The file of this index when it can still be decided, or all that can. */
  open(index?: number): PendingFile[] {
    return this.files.filter((file) => (index === undefined || file.index === index) && isOpen(file));
  }

  /** Tells how things stand, and resolves the outcome when nothing is left to decide. */
  tell(): void {
    this.#context.proposal(this.summary);
    if (this.#settled) return;
    const outcomes = this.files.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
    if (outcomes.length < this.files.length) return;
    this.#settled = true;
    this.#resolve({ files: outcomes });
  }

  get summary(): ProposalSummary {
    return {
      id: this.id,
      files: this.files.map((file) => {
        const { index, edit, state, seen } = file;
        const note = state === 'accepted' || state === 'takenBack' ? file.remark : file.reason?.note;
        return {
          index,
          path: edit.path.display,
          ...(edit.kind === 'update' && edit.to !== undefined && { to: edit.to.display }),
          change: changeOf(edit),
          ...this.#count(file),
          state,
          seen,
          amended: isAmended(file),
          ...(state === 'accepted' && file.canTakeBack === true && { canTakeBack: true as const }),
          ...(note !== undefined && { note }),
        };
      }),
    };
  }

  #count(file: PendingFile): LineCounts {
    const known = this.#counts.get(file.index);
    if (known?.text === file.document.text) return known.counts;
    const counts = countLines(file);
    this.#counts.set(file.index, { text: file.document.text, counts });
    return counts;
  }
}

/** The title of the tab in which a file of a proposal is shown. */
export function titleOf(edit: FileEdit): string {
  const name = basename(edit.path.relative);
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

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

function countLines(file: PendingFile): LineCounts {
  const { edit, document } = file;
  switch (edit.kind) {
    case 'add':
      return { added: splitLines(document.text).length, removed: 0 };
    case 'delete':
      return { added: 0, removed: splitLines(edit.before).length };
    case 'update': {
      if (!isAmended(file)) return counted(edit.before, edit.replacements);
      const base = withLineEnds(edit.before, '\n');
      return counted(base, lineReplacements(base, document.text));
    }
  }
}

function counted(before: string, replacements: readonly Replacement[]): LineCounts {
  let added = 0;
  let removed = 0;
  for (const { start, end, text } of replacements) {
    added += splitLines(text).length;
    removed += splitLines(before.slice(start, end)).length;
  }
  return { added, removed };
}
