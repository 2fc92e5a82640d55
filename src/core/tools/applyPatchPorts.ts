/** What `apply_patch` needs from the outside: a way to read files and someone who decides. Types only. */
import type { CancelSignal } from '../cancel.ts';
import type { ProposalSummary } from '../conversation/conversation.ts';
import type { EditPlan, FileState } from '../patch/editPlan.ts';
import type { ReviewOutcome } from '../patch/reviewed.ts';
import type { Root, WorkspacePath } from '../workspacePath.ts';

export type { FileOutcome, ReviewOutcome } from '../patch/reviewed.ts';
export type { Root, WorkspacePath } from '../workspacePath.ts';

export interface FilesPort {
  /** The workspace folders of this moment, in order. */
  roots(): readonly Root[];
  /**
   * The text that a plan is to start from: an open editor's first (unsaved changes included), the disk's otherwise. A path whose real
   * place lies outside its root, seen through links, is `refused` with `outsideWorkspace` before anything is read. Called once a path
   * and plan, for paths that pass the lexical check, also for paths where nothing is yet. Reports trouble as a state, never by rejecting.
   */
  read(path: WorkspacePath): Promise<FileState>;
}

export interface Proposal {
  /** The id of the call (`ToolCall.id`), unique over all conversations. */
  readonly id: string;
  readonly plan: EditPlan;
}

/** The part of a tool's context that a review needs. */
export interface ReviewContext {
  /** Aborted when the turn is stopped: files not yet decided are then `cancelled`, and the promise still resolves. */
  readonly signal: CancelSignal;
  /** Aborted when the person goes on without deciding: what is not decided is `undecided` then, and stays up to be decided later. */
  readonly later?: CancelSignal | undefined;
  /** Called when the proposal is up and each time something of it changes. */
  proposal(summary: ProposalSummary): void;
}

export interface ReviewPort {
  /**
   * Shows the plan, lets the person decide, writes what was accepted. Resolves once every file is decided; plans without files never
   * come here. A rejection is a bug: everything that can happen has an outcome.
   */
  review(proposal: Proposal, context: ReviewContext): Promise<ReviewOutcome>;
}
