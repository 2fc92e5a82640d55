/** The proposals that wait, in the order in which they came, and how they stand upon one another. Decides and writes nothing. */
import type * as vscode from 'vscode';

import { isOpen, type PendingFile, type PendingProposal, type Shown } from './pendingProposal.ts';

export class WaitingProposals {
  readonly #proposals = new Map<string, PendingProposal>();

  /** Oldest first. */
  get all(): readonly PendingProposal[] {
    return [...this.#proposals.values()];
  }

  get size(): number {
    return this.#proposals.size;
  }

  get(id: string): PendingProposal | undefined {
    return this.#proposals.get(id);
  }

  add(proposal: PendingProposal): void {
    this.#proposals.set(proposal.id, proposal);
  }

  /** Leaves a proposal alone that has come under the same name since. */
  remove(proposal: PendingProposal): void {
    if (this.#proposals.get(proposal.id) === proposal) this.#proposals.delete(proposal.id);
  }

  /** All files that can still be decided, oldest first. */
  open(): Shown[] {
    return this.all.flatMap((proposal) => proposal.open().map((file) => ({ proposal, file })));
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

  /** Of the files before this one that wait for the same place, the last: it changes a text, or makes the file. */
  below(file: PendingFile): PendingFile | undefined {
    return this.topAt(file.at.uri, file);
  }

  /** @param under only what came before this file counts */
  topAt(uri: vscode.Uri, under?: PendingFile): PendingFile | undefined {
    const place = uri.toString();
    let top: PendingFile | undefined;
    for (const proposal of this.#proposals.values()) {
      for (const file of proposal.files) {
        if (file === under) return top;
        const isText = file.edit.kind !== 'delete' && file.to === undefined;
        const waits = isOpen(file) || file.state === 'applying';
        if (isText && waits && file.at.uri.toString() === place) top = file;
      }
    }
    return under === undefined ? top : undefined;
  }
}
