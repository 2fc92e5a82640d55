/** Proposals that are decided, as long as their cards can still be clicked on: where their files are, and what is taken back. */
import { isDeepStrictEqual } from 'node:util';

import type * as vscode from 'vscode';

import type { ProposalSummary, ProposedFile } from '../../../core/conversation/conversation.ts';
import type { LaterFile } from '../../../core/patch/reportLater.ts';
import type { Log } from '../../log.ts';
import type { AcceptedFile, Journal } from '../files/journal.ts';
import { withoutChange } from '../files/lineChanges.ts';
import type { PendingProposal } from './pendingProposal.ts';
import { changeTakenBack, keptChanging } from '../files/sentences.ts';
import { placeOf } from './settling.ts';
import {
  changeBy,
  forgotten,
  reported,
  takeBackFiles,
  withChange,
  type FileChange,
  type TakenBack,
} from '../files/takeBack.ts';
import type { WaitingProposals } from './waitingProposals.ts';
import type { Writing } from './writing.ts';

interface Decided {
  /** Where its files are. */
  readonly places: readonly vscode.Uri[];
  readonly summary: ProposalSummary;
}

/** How many files are as they were before the patch, and how many not. */
export interface TakenBackCount {
  readonly done: number;
  readonly left: number;
}

export interface TakenBackFiles {
  readonly changes: ReadonlyMap<number, FileChange>;
  readonly reports: readonly LaterFile[];
}

export interface DecidedProposalsParts {
  readonly waiting: WaitingProposals;
  readonly writing: Writing;
  readonly journal: Journal;
  readonly settings: { readonly saveAfterAccept: boolean };
  readonly log: Log;
}

/** How many decided proposals can still be clicked on. */
const remembered = 200;

export class DecidedProposals {
  readonly #parts: DecidedProposalsParts;
  readonly #decided = new Map<string, Decided>();

  constructor(parts: DecidedProposalsParts) {
    this.#parts = parts;
  }

  remember({ id, files, summary }: PendingProposal): void {
    this.#decided.set(id, { places: files.map(placeOf), summary });
    for (const oldest of this.#decided.keys()) {
      if (this.#decided.size <= remembered) break;
      this.#decided.delete(oldest);
    }
  }

  /** Where a file of a decided proposal is. */
  placeOf(proposal: string, file: number): vscode.Uri | undefined {
    return this.#decided.get(proposal)?.places[file];
  }

  /** Undoes what was accepted of one file, or of all of a patch. Writes; what that means for the card is told by `noteTakenBack`. */
  async takeBack(proposal: string, file: number | undefined): Promise<TakenBackFiles> {
    return await this.#inOrder('taking back a patch', () => this.#takeBackNow(proposal, file));
  }

  /** Undoes one change of a file. The rest of what was accepted stays, and can be taken back as before. */
  async takeBackChange(proposal: string, index: number, change: number): Promise<TakenBackFiles> {
    await this.#parts.journal.ready;
    const meant = this.#keptFile(proposal, index);
    return await this.#inOrder('taking back a change', async () => {
      const now = this.#keptFile(proposal, index);
      // Changes are counted in the texts of the moment in which this was wanted.
      if (meant !== undefined && now !== undefined && !isDeepStrictEqual(now.change, meant.change))
        return { ...nothingTaken, changes: new Map([[index, changeBy(overtaken())]]) };
      return await this.#takeBackChangeNow(proposal, index, change);
    });
  }

  /**
   * Notes on a proposal of which other files still wait, which is then told of by itself, or on a decided one, which is returned.
   * @param asked the file that was to be taken back; undefined for all
   */
  noteTakenBack(
    proposal: string,
    changes: ReadonlyMap<number, FileChange>,
    asked: number | undefined,
  ): ProposalSummary | undefined {
    const pending = this.#parts.waiting.get(proposal);
    if (pending !== undefined) {
      noteOnPending(pending, changes);
      return undefined;
    }
    const known = this.#decided.get(proposal);
    if (known === undefined) return undefined;
    const files = known.summary.files.map((file): ProposedFile => {
      const meant = file.canTakeBack === true && (asked === undefined || asked === file.index);
      const change = changes.get(file.index) ?? (meant ? forgotten() : undefined);
      return change === undefined ? file : withChange(file, change);
    });
    const summary = { ...known.summary, files };
    this.#decided.set(proposal, { ...known, summary });
    return summary;
  }

  /** What the journal tells before all that waits is written is no longer so by then. */
  async #inOrder(what: string, act: () => Promise<TakenBackFiles>): Promise<TakenBackFiles> {
    const { journal, writing } = this.#parts;
    await journal.ready;
    let taken = nothingTaken;
    await writing.inOrder(what, async () => {
      taken = await act();
    });
    return taken;
  }

  /** What can be taken back of it. */
  #keptFile(proposal: string, index: number): AcceptedFile | undefined {
    return this.#parts.journal.get(proposal)?.files.find((each) => !each.takenBack && each.index === index);
  }

  async #takeBackNow(proposal: string, file: number | undefined): Promise<TakenBackFiles> {
    const { journal, settings, log } = this.#parts;
    const changes = new Map<number, FileChange>();
    const reports: LaterFile[] = [];
    const kept = journal.get(proposal)?.files ?? [];
    const meant = kept.filter((each) => !each.takenBack && (file === undefined || file === each.index));
    const results = await takeBackFiles(meant, { save: settings.saveAfterAccept });
    log.info('A patch was to be taken back', { files: meant.length });
    for (const [index, accepted] of meant.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      if (result.kind === 'takenBack') journal.takenBack(proposal, accepted.index);
      changes.set(accepted.index, changeBy(result));
      reports.push({ path: accepted.toPath ?? accepted.path, result: reported(result) });
    }
    return { changes, reports };
  }

  async #takeBackChangeNow(proposal: string, index: number, change: number): Promise<TakenBackFiles> {
    const { journal, settings, log } = this.#parts;
    const known = this.#keptFile(proposal, index);
    if (known?.change.kind !== 'edit') return nothingTaken;
    const { before, after } = known.change;
    const without = withoutChange(before, after, change);
    if (without === undefined) return nothingTaken;
    // It is all that the patch did to the text.
    if (without === before) return await this.#takeBackNow(proposal, index);
    const { to, toPath, ...file } = known;
    const path = toPath ?? file.path;
    // Where it is now; it stays there.
    const here = { ...file, path, uri: to ?? file.uri };
    const part = { ...here, change: { kind: 'edit' as const, before: without, after } };
    const [result] = await takeBackFiles([part], { save: settings.saveAfterAccept });
    log.info('A change of a patch was to be taken back', { result: result?.kind ?? 'none' });
    if (result === undefined) return nothingTaken;
    if (result.kind === 'refused')
      return {
        changes: new Map([[index, changeBy(result)]]),
        reports: [{ path, result: { kind: 'kept', detail: result.reason.detail } }],
      };
    journal.partlyTakenBack(proposal, index, without);
    return {
      changes: new Map([[index, { note: changeTakenBack(), again: true }]]),
      reports: [{ path, result: { kind: 'partly' } }],
    };
  }
}

function overtaken(): TakenBack {
  return { kind: 'refused', reason: keptChanging() };
}

const nothingTaken: TakenBackFiles = { changes: new Map(), reports: [] };

function noteOnPending(pending: PendingProposal, changes: ReadonlyMap<number, FileChange>): void {
  for (const file of pending.files) {
    const change = changes.get(file.index);
    if (change === undefined) continue;
    if (change.note !== undefined) file.remark = change.note;
    if (change.state === undefined) continue;
    file.state = change.state;
    file.outcome = { kind: 'rejected', reason: 'Accepted first, and then taken back.' };
  }
  pending.tell();
}
