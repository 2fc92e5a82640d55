/** The proposals that wait, in the order in which they came, and how they stand upon one another. Decides and writes nothing. */
import * as vscode from 'vscode';

import { isLeftOpen } from '../../../core/conversation/waiting.ts';
import type { PendingFile, PendingProposal, Shown } from './pendingProposal.ts';

/** What a file that waits makes of a place: the text of its document, or nothing where it deletes or moves away. */
export interface Standing {
  readonly kind: 'text' | 'gone';
  readonly file: PendingFile;
}

export class WaitingProposals {
  readonly #proposals = new Map<string, PendingProposal>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** One came, one went, or one tells how it stands. */
  readonly onDidChange = this.#changed.event;

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
    proposal.onTell = () => this.#changed.fire();
    this.#changed.fire();
  }

  /** Leaves a proposal alone that has come under the same name since. */
  remove(proposal: PendingProposal): void {
    if (this.#proposals.get(proposal.id) !== proposal) return;
    this.#proposals.delete(proposal.id);
    this.#changed.fire();
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

  /** What this file builds on: what the place that it is in will hold once all that waits below is accepted. */
  below(file: PendingFile): Standing | undefined {
    return this.topAt(file.at.uri, file);
  }

  /** The same of the place that it moves to. */
  belowTarget(file: PendingFile): Standing | undefined {
    return file.to === undefined ? undefined : this.topAt(file.to.uri, file);
  }

  /** Whether anything has to be decided before this file is as it was proposed. */
  buildsOnOther(file: PendingFile): boolean {
    return this.below(file) !== undefined || this.belowTarget(file) !== undefined;
  }

  /** The files of later proposals that can still be decided and have a place in common with this one. */
  above(file: PendingFile): Shown[] {
    const places = placesOf(file);
    let isLater = false;
    return this.all.flatMap((proposal) => {
      const wasLater = isLater;
      isLater ||= proposal.files.includes(file);
      if (!wasLater) return [];
      return proposal
        .open()
        .filter((other) => placesOf(other).some((place) => places.includes(place)))
        .map((other) => ({ proposal, file: other }));
    });
  }

  /**
   * What stands at a place once everything is accepted that waits for it; undefined when nothing waits. A plan names each place once,
   * so that files of the same proposal never stand upon one another.
   * @param under only proposals before that of this file count
   */
  topAt(uri: vscode.Uri, under?: PendingFile): Standing | undefined {
    const place = uri.toString();
    let top: Standing | undefined;
    for (const proposal of this.#proposals.values()) {
      if (under !== undefined && proposal.files.includes(under)) return top;
      for (const file of proposal.files) {
        if (isLeftOpen(file)) top = standingAt(place, file) ?? top;
      }
    }
    return under === undefined ? top : undefined;
  }
}

function standingAt(place: string, file: PendingFile): Standing | undefined {
  const { at, to, edit } = file;
  if (to !== undefined && to.uri.toString() === place) return { kind: 'text', file };
  if (at.uri.toString() !== place) return undefined;
  return { kind: edit.kind === 'delete' || to !== undefined ? 'gone' : 'text', file };
}

function placesOf({ at, to }: PendingFile): string[] {
  return [at.uri.toString(), ...(to === undefined ? [] : [to.uri.toString()])];
}

/** The left-hand side of the diff of a file that is in this place: what it builds on, or the file itself. */
export function leftOf(uri: vscode.Uri, below: Standing | undefined): vscode.Uri {
  return below?.kind === 'text' ? below.file.document.uri : uri;
}
