/** The questions of running tools that wait for the person. Knows no panel. */
import { canAnswer, type Approval, type ApprovalAnswer } from '../../core/conversation/approval.ts';

/** Milliseconds for which a question takes no answer: a click or a key that was meant for something else comes within them. */
export const deafFor = 500;

export class Approvals {
  readonly #clock: () => number;
  readonly #open = new Map<
    string,
    { readonly approval: Approval; readonly resolve: (answer: ApprovalAnswer) => void }
  >();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Resolves with the answer, unless it is closed before. */
  open(approval: Approval): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      this.#open.set(approval.id, { approval, resolve });
    });
  }

  /** It has an answer, whoever gave it. */
  close(id: string): void {
    this.#open.delete(id);
  }

  /** False when nothing of this id is open, when the question takes no such answer, and too soon after it was asked. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    if (open === undefined || !canAnswer(open.approval.request, answer)) return false;
    if (this.#clock() - open.approval.askedAt < deafFor) return false;
    this.close(id);
    open.resolve(answer);
    return true;
  }
}
