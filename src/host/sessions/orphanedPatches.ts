/**
 * Patches whose conversation is gone: they waited when the window was loaded anew. Keeps what a panel shows of them, and what the
 * model is to be told with the next question, whichever conversation it is asked in. Decides nothing.
 */
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import { isUndecidedState } from '../../core/conversation/waiting.ts';
import { DisposableStore } from '../disposables.ts';

export class OrphanedPatches implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #proposals = new Map<string, ProposalSummary>();
  #reports: readonly string[] = [];

  /** `current` is another list. */
  readonly onDidChange = this.#changed.event;

  /** Oldest first; those that were decided stay until the next question is asked. */
  get current(): readonly ProposalSummary[] {
    return [...this.#proposals.values()];
  }

  /** @param report for the model, see `Later` */
  note(proposal: ProposalSummary, report: string | undefined): void {
    this.#proposals.set(proposal.id, proposal);
    if (report !== undefined) this.#reports = [...this.#reports, report];
    this.#changed.fire();
  }

  /** What is to be told with a question that is being asked; each report is given out once. */
  takeReports(): readonly string[] {
    const reports = this.#reports;
    this.#reports = [];
    for (const { id, files } of this.current) {
      if (!files.some(({ state }) => isUndecidedState(state))) this.#proposals.delete(id);
    }
    this.#changed.fire();
    return reports;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
