/** Code of answers that a person wants in a file: each is a proposal to be reviewed like a patch. Asks nothing and writes nothing. */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import type { FileEdit } from '../../core/patch/editPlan.ts';
import type { CodeProposal } from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import type { ReviewBoard } from '../edits/review/reviewBoard.ts';
import type { Log } from '../log.ts';

/** Beyond these the oldest that is decided is no longer shown below its block. */
const most = 50;
const mark = 'code:';

/** Whether the proposal comes from a block of code, of this window or an earlier one: the model knows nothing of it. */
export function isOfCode({ id }: ProposalSummary): boolean {
  return id.startsWith(mark);
}

export interface CodeProposalsParts {
  readonly board: Pick<ReviewBoard, 'propose' | 'review'>;
  readonly newId: () => string;
  readonly log: Log;
}

export class CodeProposals implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: CodeProposalsParts;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #proposals = new Map<string, CodeProposal>();

  /** `current` is another list. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: CodeProposalsParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  get current(): readonly CodeProposal[] {
    return [...this.#proposals.values()];
  }

  /**
   * Proposes the edit and opens its diff. Resolves when that is open; the decision comes later.
   * @param from names the block in the panel
   */
  async propose(from: string, edit: FileEdit): Promise<void> {
    const { board, newId, log } = this.#parts;
    const id = mark + newId();
    const context = {
      // Nobody calls it off: what waits at the end of the window waits in the next one.
      signal: new AbortController().signal,
      proposal: (proposal: ProposalSummary) => this.#keep({ from, proposal }),
    };
    // It may be up at once.
    const isUp = new Promise<void>((resolve) => {
      const listener = this.#store.add(
        this.onDidChange(() => {
          if (!this.#proposals.has(id)) return;
          this.#store.delete(listener);
          resolve();
        }),
      );
    });
    const outcome = board.propose({ id, plan: { files: [edit], notes: [] } }, context);
    outcome.catch((error: unknown) => log.bug('proposing a block of code', error));
    // It is never up where its folder has been removed from the workspace meanwhile.
    await Promise.race([isUp, outcome]);
    await board.review(id);
  }

  /** Takes note of what became of a proposal that was decided before. False when it is none of these. */
  note(proposal: ProposalSummary): boolean {
    const known = this.#proposals.get(proposal.id);
    if (known === undefined) return false;
    this.#keep({ ...known, proposal });
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #keep(one: CodeProposal): void {
    if (this.#store.isDisposed) return;
    this.#proposals.set(one.proposal.id, one);
    for (const [id, { proposal }] of this.#proposals) {
      if (this.#proposals.size <= most) break;
      if (proposal.files.every(({ state }) => state !== 'pending')) this.#proposals.delete(id);
    }
    this.#changed.fire();
  }
}
