/** What a tool is to the turn loop: a declaration for the wire and a function from a call to an outcome. */
import type { CancelSignal } from '../cancel.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  FileProgressed,
  ProposalSummary,
} from '../conversation/conversation.ts';
import type { CallableDeclaration } from '../responses/wire.ts';

export interface ToolCall {
  /** Ours, unique over all conversations; the server's `call_id` repeats from turn to turn. */
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /**
   * Arguments of a function: valid JSON text, `{}` where the model sent nothing. Raw input of a custom tool, taken out of its wrapping
   * where a server without custom tools called it as a function. Else as the server sent it.
   */
  readonly input: string;
  /** False when the item came from an answer that did not end as `completed`: such a call must not act. */
  readonly complete: boolean;
}

/** What became of a call. `text` is what the model reads; a refused, unknown or failing call is an outcome too, never an exception. */
export interface ToolOutcome {
  readonly kind:
    | 'done'
    | 'failed'
    | 'rejected'
    | 'cancelled'
    /** The person goes on without deciding: the proposal still waits, and what becomes of it is told later. */
    | 'undecided';
  readonly text: string;
}

export interface ToolContext {
  readonly signal: CancelSignal;
  /** Aborted when the person goes on before they decide: what only waits for them answers now that nothing is decided yet. */
  readonly later?: CancelSignal | undefined;
  /** Told when a proposal exists and each time its state changes. May be called any number of times before the outcome. */
  proposal(summary: ProposalSummary): void;
  /**
   * Asks the person, and resolves with what they answered: `later` soon after `later` aborts, `cancelled` soon after `signal` does. Never
   * rejects. What is not allowed must not be done.
   */
  ask(request: ApprovalRequest): Promise<ApprovalAnswer>;
}

export interface Tool {
  readonly declaration: CallableDeclaration;
  /** What it is declared in, when it is in a namespace; all tools of one name the same. */
  readonly namespace?: { readonly name: string; readonly description: string };
  /** Several calls in one response run one after another: each may build on what the one before it did. Otherwise all at once. */
  readonly inOrder?: true;
  /** What can be said of an input that is still arriving; undefined when nothing is certain yet. Must be cheap: called per delta. */
  watch?(): ToolInputWatcher;
  /**
   * Resolves with exactly one outcome. A rejection is a bug, which the loop turns into a `failed` outcome.
   * Must settle soon after `context.signal` aborts: the loop waits, because only the tool knows what it has done already.
   */
  run(call: ToolCall, context: ToolContext): Promise<ToolOutcome>;
}

/** Reads the input of one call as it streams in. */
export interface ToolInputWatcher {
  /** Returns what this piece made known, of each file only what is new; undefined when it made nothing known. */
  feed(text: string): readonly FileProgressed[] | undefined;
}
