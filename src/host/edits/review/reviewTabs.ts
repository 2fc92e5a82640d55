/** The diffs of proposals on the screen: opens, renews and closes them, and notes what the person has seen. Decides nothing. */
import * as vscode from 'vscode';

import { DisposableStore } from '../../disposables.ts';
import type { Log } from '../../log.ts';
import type { AcceptedDiffs } from './acceptedDiffs.ts';
import type { Amendments } from './amendments.ts';
import type { Attention } from './attention.ts';
import type { Diffs } from '../proposals/diffs.ts';
import {
  hidesBlanks,
  isOpen,
  openHunks,
  type PendingFile,
  type PendingProposal,
  type Shown,
} from '../proposals/pendingProposal.ts';
import { placeOf } from '../proposals/settling.ts';
import type { WaitingProposals } from '../proposals/waitingProposals.ts';

/** The manifest shows the ways to other files in the titles of diffs whose addresses are listed under this name. */
export const othersKey = 'kimiChat.diffsWithOthers';

export interface ReviewTabsParts {
  readonly waiting: WaitingProposals;
  readonly amendments: Amendments;
  readonly diffs: Diffs;
  readonly attention: Attention;
  readonly accepted: AcceptedDiffs;
  readonly log: Log;
}

export class ReviewTabs implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: ReviewTabsParts;
  /** The window closes: VS Code brings tabs back in the next one, so they are left as they are. */
  #isClosing = false;
  /** The addresses under `othersKey`, as one text. */
  #withOthers = '';

  constructor(parts: ReviewTabsParts) {
    this.#parts = parts;
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#noteSeen()));
    this.#store.add(parts.waiting.onDidChange(() => this.#noteOthers()));
  }

  keepOpen(): void {
    this.#isClosing = true;
  }

  /** @param focus see `Diffs.open` */
  async show({ proposal, file }: Shown, focus: boolean): Promise<void> {
    if (focus) this.#parts.attention.opens();
    try {
      await this.#parts.diffs.open(file.diff, focus);
    } catch (error) {
      this.#parts.log.warn('A diff could not be opened', error);
      return;
    }
    // Decided while it opened: it came too late to be closed with the rest.
    if (file.outcome !== undefined) await this.close(file);
    if (file.seen || proposal.isSettled) return;
    file.seen = true;
    proposal.tell();
  }

  /** Shows a file of a proposal that waits: its diff, or what accepting did to it, or else the file itself. */
  async showAny(shown: Shown): Promise<void> {
    const { proposal, file } = shown;
    if (isOpen(file)) await this.show(shown, true);
    else await this.showDecided(proposal.id, file.index, placeOf(file));
  }

  /** @param uri where the file is; undefined when that is not known. Returns false when there is nothing to show. */
  async showDecided(proposal: string, file: number, uri: vscode.Uri | undefined): Promise<boolean> {
    this.#parts.attention.opens();
    if (await this.#parts.accepted.open(proposal, file)) return true;
    if (uri === undefined) return false;
    await showFile(uri);
    return true;
  }

  /** Shows all files that can still be decided in one editor. */
  async showAll(proposal: PendingProposal): Promise<void> {
    const files = proposal.open();
    this.#parts.attention.opens();
    await this.#parts.diffs.openAll(
      vscode.l10n.t('Proposed changes'),
      files.map(({ diff }) => diff),
    );
    for (const file of files) file.seen = true;
    proposal.tell();
  }

  /**
   * Opens the first diff with lines that differ in blanks only, and has diffs show such lines: by the same setting as the button in
   * the diff editor's own title, where the person can switch it back. Returns false when there is none.
   */
  async showHidden(proposal: PendingProposal): Promise<boolean> {
    const file = proposal.open().find((each) => openHunks(each).some(({ hidden }) => hidden));
    if (file === undefined) return false;
    await this.show({ proposal, file }, true);
    if (hidesBlanks(file)) await vscode.commands.executeCommand('toggle.diff.ignoreTrimWhitespace');
    return true;
  }

  /** Unsaved changes are saved first, or VS Code would ask what to do with them. */
  close(file: PendingFile): Promise<void> {
    if (this.#isClosing) return Promise.resolve();
    const { amendments, diffs } = this.#parts;
    file.closing = amendments.settle(file.document).then(() => diffs.close(file.document.uri));
    return file.closing;
  }

  /** The left-hand side of an open diff is another file now. */
  async reopen({ file }: Shown): Promise<void> {
    const { diffs, amendments } = this.#parts;
    const { right } = file.diff;
    if (!diffs.isOpen(right)) return;
    await amendments.settle(file.document);
    // Only now: settling may wait for somebody's formatter, and the person goes on meanwhile.
    const inFront = diffs.active()?.toString() === right.toString();
    await diffs.close(right);
    if (!isOpen(file)) return;
    if (inFront) await diffs.open(file.diff, false);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** In which diffs there is another file to go to. */
  #noteOthers(): void {
    const { waiting, log } = this.#parts;
    const addresses = waiting.all.flatMap((proposal) => {
      const files = proposal.open();
      return files.length < 2 ? [] : files.map(({ document }) => document.uri.toString());
    });
    const text = addresses.join('\n');
    if (text === this.#withOthers) return;
    this.#withOthers = text;
    vscode.commands.executeCommand('setContext', othersKey, addresses).then(undefined, (error: unknown) => {
      log.warn('The titles of diffs could not be told of other files', error);
    });
  }

  #noteSeen(): void {
    const { diffs, waiting } = this.#parts;
    const uri = diffs.active();
    const shown = uri === undefined ? undefined : waiting.find(uri);
    if (shown === undefined || shown.file.seen) return;
    shown.file.seen = true;
    shown.proposal.tell();
  }
}

async function showFile(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch {
    // A deleted file has nothing to show.
  }
}
