/** Decides on hunks one by one: writes one into the file, or takes it out of the proposal. Knows which hunk is meant only by asking. */
import {
  amendProposal,
  dropHunk,
  followLive,
  takeHunk,
  type Followed,
  type Hunk,
} from '../../../core/patch/follow.ts';
import { mergeLines } from '../../../core/patch/merge.ts';
import { openDocument, withLineEnds } from '../files/documentText.ts';
import type { Follower } from './follower.ts';
import { followedOf, isOpen, openHunks, settleAsSeen, type Shown } from './pendingProposal.ts';
import type { ProposedDocuments } from './proposedDocuments.ts';
import type { WaitingProposals } from './waitingProposals.ts';
import type { Writing } from './writing.ts';

/** `none` when no hunk was named that can be decided. */
export type HunkDecision = 'done' | 'none' | 'conflict';

/** Names the hunk that is meant among those that can be decided. */
export type PickHunk = (hunks: readonly Hunk[]) => Hunk | undefined;

export interface HunkDecisionsParts {
  readonly waiting: WaitingProposals;
  readonly documents: ProposedDocuments;
  readonly follower: Follower;
  readonly writing: Writing;
}

export class HunkDecisions {
  readonly #parts: HunkDecisionsParts;

  constructor(parts: HunkDecisionsParts) {
    this.#parts = parts;
  }

  /** Writes one hunk of an update; the others stay as they are. */
  async accept(shown: Shown, pick: PickHunk): Promise<HunkDecision> {
    const { proposal, file } = shown;
    await this.#parts.follower.look(shown);
    if (!isOpen(file)) return 'none';
    const followed = followedOf(file);
    const hunk = pick(openHunks(file));
    if (followed === undefined || hunk === undefined) return 'none';
    if (hunk.state === 'conflicting') return 'conflict';
    const { state } = file;
    file.state = 'applying';
    proposal.tell();
    await this.#parts.writing.inOrder('accepting a hunk', async () => {
      try {
        await this.#write(shown, followed, hunk);
      } finally {
        if (isBeingWritten(shown)) {
          file.state = state === 'failed' ? 'pending' : state;
          if (state === 'failed') delete file.reason;
        }
      }
    });
    settleIfDone(shown);
    return 'done';
  }

  /** Takes one hunk out of the proposal for an update, as VS Code's own button does. */
  async reject(shown: Shown, pick: PickHunk): Promise<HunkDecision> {
    const { file } = shown;
    const followed = followedOf(file);
    const hunk = pick(openHunks(file));
    if (!isOpen(file) || followed === undefined || hunk === undefined) return 'none';
    file.taken.rejected += 1;
    this.#parts.documents.replace(file.document, dropHunk(followed, hunk));
    await this.#parts.follower.look(shown);
    settleIfDone(shown);
    return 'done';
  }

  async #write(shown: Shown, followed: Followed, hunk: Hunk): Promise<void> {
    const { file } = shown;
    const { waiting, documents, writing } = this.#parts;
    const next = takeHunk(followed, hunk);
    if (!(await writing.text(shown, { text: next.live, base: followed.live }))) return;
    file.taken.accepted += 1;
    // What this builds on is not in the file yet.
    const isReal = waiting.below(file) === undefined;
    const live = (isReal ? openDocument(file.at.uri)?.getText() : undefined) ?? next.live;
    const typed = file.document.text;
    file.followed = followLive(next, withLineEnds(live, '\n'));
    if (typed !== followed.text) {
      // The person went on typing into the proposal while the file was written.
      const { text } = mergeLines(followed.text, file.followed.text, typed);
      file.followed = amendProposal(file.followed, text);
    }
    documents.replace(file.document, file.followed.text);
  }
}

function isBeingWritten({ file }: Shown): boolean {
  return file.state === 'applying';
}

/** The file is decided when its last hunk was and nothing else is left to do. */
function settleIfDone({ file }: Shown): void {
  const followed = followedOf(file);
  if (followed === undefined || !isOpen(file) || followed.text !== followed.live) return;
  if (file.to !== undefined) return;
  if (file.taken.accepted > 0) settleAsSeen(file);
  else {
    file.outcome = { kind: 'rejected' };
    file.state = 'rejected';
  }
}
