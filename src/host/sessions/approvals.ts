/** The questions of running tools that wait for the person. Knows no panel. */
import {
  canAnswer,
  type Approval,
  type ApprovalAnswer,
  type ApprovalRequest,
} from '../../core/conversation/approval.ts';
import { answerHolds } from '../../core/conversation/granted.ts';

/** Milliseconds for which a question takes no answer: a click or a key that was meant for something else comes within them. */
export const deafFor = 500;

export class Approvals {
  readonly #clock: () => number;
  readonly #open = new Map<
    string,
    { readonly approval: Approval; readonly resolve: (answer: ApprovalAnswer) => void }
  >();
  /** Given in this turn: a call may ask the same before the conversation tells of it. */
  #given: { readonly request: ApprovalRequest; readonly answer: ApprovalAnswer }[] = [];

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

  /** Another turn begins. */
  restart(): void {
    this.#given = [];
  }

  /** What the person answered to the same in this turn. */
  answered(request: ApprovalRequest): ApprovalAnswer | undefined {
    return this.#given.find((given) => answerHolds(given.request, given.answer, request))?.answer;
  }

  /** Answers what else asks the same too. False when nothing of this id is open, when the question takes no such answer, and too soon after it was asked. */
  answer(id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    if (open === undefined || !canAnswer(open.approval.request, answer)) return false;
    const age = this.#clock() - open.approval.askedAt;
    // A clock that was put back is not to make it deaf for as long.
    if (age >= 0 && age < deafFor) return false;
    const { request } = open.approval;
    this.#given.push({ request, answer });
    for (const [other, { approval, resolve }] of [...this.#open]) {
      if (other !== id && !answerHolds(request, answer, approval.request)) continue;
      this.close(other);
      resolve(answer);
    }
    return true;
  }
}
