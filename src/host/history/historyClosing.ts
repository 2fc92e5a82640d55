/**
 * Lets go of conversations that nobody looks at and in which nothing goes on, so that a window that is open for weeks does not keep all that
 * was ever shown in it. What is let go of is on the disk, and is read again when it is wanted. Shows nothing.
 */
import type * as vscode from 'vscode';

import type { ProposalSummary } from '../../core/conversation/conversation.ts';
import { familiesOf } from '../../core/conversation/families.ts';
import { isSameProposal } from '../../core/conversation/laterProposal.ts';
import { haveOpenPatch, proposalsIn } from '../../core/conversation/waiting.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { KeptSessions } from '../sessions/keptSessions.ts';
import type { Queue } from '../chat/queue.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Conversations that were shown last and stay, so that going back to one takes no time. */
const stayingCount = 5;
/** Milliseconds in which what was just opened is shown, and what has just ended goes on. */
const restTime = 30_000;

export interface ClosingParts {
  readonly sessions: Sessions;
  readonly kept: Pick<KeptSessions, 'close' | 'open'>;
  readonly queue: Pick<Queue, 'facts'>;
  readonly log: Log;
}

export class HistoryClosing implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: ClosingParts;
  /** Patches of what was let go of, each with its conversation: something may become of them all the same. */
  readonly #proposals = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
    const soon = (): void => this.#closeSoon();
    this.#store.add(parts.sessions.onDidShow(soon));
    this.#store.add(parts.sessions.onDidEndTurn(soon));
  }

  /** Lets go of what can be let go of now, whole families only: their versions are shown with one another. Never rejects. */
  async closeIdle(): Promise<void> {
    const { sessions, kept, log } = this.#parts;
    const lastShown = (family: readonly ChatSession[]): number =>
      Math.max(...family.map((session) => sessions.lastShown(session)));
    const families = familiesOf(sessions.all)
      .filter((family) => family.some(({ conversation }) => conversation.turns.length > 0))
      .toSorted((a, b) => lastShown(b) - lastShown(a));
    const isIdle = (session: ChatSession): boolean => this.#isIdle(session);
    for (const family of families.slice(stayingCount)) {
      if (!family.every(isIdle)) continue;
      try {
        const proposals = family.flatMap(({ conversation }) =>
          conversation.turns.flatMap(proposalsIn).map(({ id }) => [id, conversation.id] as const),
        );
        if (await kept.close(family, isIdle))
          for (const [id, conversation] of proposals) this.#proposals.set(id, conversation);
      } catch (error) {
        log.bug('closing', error);
      }
    }
  }

  /** Has the conversation of a patch there again, when it was let go of here. */
  async reopenFor({ id }: Pick<ProposalSummary, 'id'>): Promise<void> {
    const closed = [...this.#proposals].find(([proposal]) => isSameProposal(proposal, id));
    if (closed === undefined) return;
    this.#proposals.delete(closed[0]);
    await this.#parts.kept.open(closed[1]);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #closeSoon(): void {
    if (this.#store.isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.closeIdle();
    }, restTime);
  }

  #isIdle(session: ChatSession): boolean {
    const { sessions, queue } = this.#parts;
    return (
      !sessions.isShown(session) &&
      !session.running &&
      queue.facts(session).questions.length === 0 &&
      !haveOpenPatch(session.conversation.turns)
    );
  }
}
