/**
 * Writes what was accepted: prepares, applies, notes it in the journal and settles the files. One after the other: each must see what
 * the one before has written. Knows no tabs and no intents.
 */
import type { FileEdit } from '../../../core/patch/editPlan.ts';
import type { Log } from '../../log.ts';
import { applySteps, type Applied, type AppliedFile } from '../files/apply.ts';
import { fewAtOnce } from '../files/fewAtOnce.ts';
import { changeOf, type Journal } from '../files/journal.ts';
import { followedOf, isAmended, type PendingFile, type Shown } from './pendingProposal.ts';
import { prepare, type Wanted } from '../files/prepare.ts';
import { buildsOnOther, halfWritten, keptChanging } from '../files/sentences.ts';
import { remarkOn, settle, stop, type PreparedFile } from './settling.ts';
import { undermined } from './stackSentences.ts';
import type { Step } from '../files/toWorkspaceEdit.ts';
import type { WaitingProposals } from './waitingProposals.ts';

export interface WritingParts {
  readonly waiting: WaitingProposals;
  readonly journal: Journal;
  readonly settings: { readonly saveAfterAccept: boolean };
  /** Told before something of a proposal is written. */
  readonly willWrite: (proposal: string) => void;
  readonly log: Log;
}

/** How often files that change in the very moment of writing are looked at again. */
const attempts = 3;

export class Writing {
  readonly #parts: WritingParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: WritingParts) {
    this.#parts = parts;
  }

  /** Does this when all that was asked for before is done. A rejection is a defect; it is logged as `what`. */
  async inOrder(what: string, write: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(write).catch((error: unknown) => this.#parts.log.bug(what, error));
    await this.#last;
  }

  /** Resolves when nothing is being written. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /** Files of one proposal: all of them or none. Each is settled afterwards, or says why it can't be written. */
  async files(proposal: string, files: readonly PendingFile[]): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prepared = await fewAtOnce(files, async (file) => ({
        file,
        amended: isAmended(file),
        isAbove: this.#parts.waiting.buildsOnOther(file),
        prepared: await prepare(this.#wanted(file)),
      }));
      if (this.#noteObstacles(prepared)) return;
      const ready = prepared.flatMap(({ prepared: each }) => (each.kind === 'ready' ? [each.step] : []));
      if (ready.length > 0) this.#parts.willWrite(proposal);
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

  /**
   * A text into a file where it is, the file itself left open.
   * @param text what the file is to hold, made for `base`; both with LF
   * @returns false when nothing was written; the file then says why
   */
  async text(
    { proposal, file }: Shown,
    { text, base }: { readonly text: string; readonly base: string },
  ): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const written = this.#unsavedAt(file);
      const prepared = await prepare({ edit: withoutMove(file.edit), at: file.at, text, base, ...written });
      if (prepared.kind === 'there') return true;
      if (prepared.kind !== 'ready') {
        this.#noteObstacles([{ file, prepared }]);
        return false;
      }
      this.#parts.willWrite(proposal.id);
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
          remarkOn(file, applied.files[0]);
          return true;
      }
    }
    stop(file, 'failed', keptChanging());
    return false;
  }

  /** What accepting a file means now. */
  #wanted(file: PendingFile): Wanted {
    const followed = followedOf(file);
    const { edit, at, to, document } = file;
    return {
      edit,
      at,
      ...(to !== undefined && { to }),
      text: document.text,
      ...(followed !== undefined && { base: followed.base }),
      ...this.#unsavedAt(file),
    };
  }

  #unsavedAt({ at }: PendingFile): Pick<Wanted, 'written'> {
    const written = this.#parts.journal.unsavedAt(at.uri);
    return written === undefined ? {} : { written };
  }

  /** What accepting wrote, to be taken back later. */
  #note(
    proposal: string,
    { file, prepared }: Pick<PreparedFile, 'file' | 'prepared'>,
    applied: AppliedFile | undefined,
  ): void {
    if (prepared.kind !== 'ready' || isUnchanged(prepared.step)) return;
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
      change: changeOf(prepared.step, { edit, text: prepared.text }, applied),
    });
  }

  /** One file that can't be written keeps the others from being written: a patch is not to be half applied behind anyone's back. */
  #noteObstacles(files: readonly Pick<PreparedFile, 'file' | 'prepared'>[]): boolean {
    let found = false;
    for (const { file, prepared } of files) {
      if (prepared.kind !== 'conflict' && prepared.kind !== 'failed') continue;
      // Against what it builds on it may well fit.
      if (prepared.kind === 'conflict' && this.#parts.waiting.buildsOnOther(file)) {
        stop(file, 'failed', buildsOnOther());
      } else if (prepared.kind === 'conflict' && file.isUndermined === true)
        stop(file, prepared.kind, undermined(prepared.reason));
      else stop(file, prepared.kind, prepared.reason);
      found = true;
    }
    return found;
  }
}

/** The text was there already, and all of it is on the disk from now on. */
function isUnchanged(step: Step): boolean {
  return step.kind === 'edit' && step.before === step.after && step.to === undefined;
}

/** One hunk goes into the file where it is. */
function withoutMove(edit: FileEdit): FileEdit {
  if (edit.kind !== 'update') return edit;
  const { to: _, ...rest } = edit;
  return rest;
}
