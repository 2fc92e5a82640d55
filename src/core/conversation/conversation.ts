/**
 * What a chat is, as people see it: plain JSON, built only by `reduce`. Host and panel hold the same value.
 * What the model sees of it (the wire items) is the `History`, kept by the host alone: see `history.ts`.
 */
import type { Effort, ModelId } from '../responses/models.ts';
import type { Failure } from '../responses/failure.ts';
import type { Usage } from '../responses/usage.ts';
import type { Citation, WebSearch } from '../responses/webSearch.ts';
import type { Approval } from './approval.ts';
import type { Beginning } from './beginning.ts';

export type { Failure, FailureKind } from '../responses/failure.ts';
export type { Usage } from '../responses/usage.ts';
export type { Citation, SearchAction, WebImage, WebSearch, WebSource } from '../responses/webSearch.ts';
export type { Approval, ApprovalAnswer, ApprovalRequest, FoundSecret } from './approval.ts';
export type { Beginning, BeginningChange } from './beginning.ts';
export { models, modelRow, effortFor } from '../responses/models.ts';
export type { Effort, ModelId, ModelRow } from '../responses/models.ts';

export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
}

/** One question and everything that answered it. */
export interface Turn {
  readonly id: string;
  readonly question: Question;
  readonly model: ModelId;
  readonly effort: Effort;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** In the order in which they opened. */
  readonly parts: readonly Part[];
  /** What of it the model no longer sees. */
  readonly cut?: ContextCut;
  /**
   * The person deleted it: question and parts are gone from here and from what the model sees, and it has ended. Its requests stay, for
   * they were paid.
   */
  readonly removed?: true;
  /** It was asked in another workspace, or comes from a file: the files that it names are not known to be those that are here. */
  readonly elsewhere?: true;
  /** In the order of sending. */
  readonly requests: readonly RequestRecord[];
  /** With what the model was asked to name the conversation, after this turn. Not among `requests`: it is no part of the answer. */
  readonly naming?: RequestRecord;
  /** The request failed and is sent again by itself at `until`. */
  readonly retry?: RetryWait;
  /** Absent while the turn runs. */
  readonly end?: TurnEnd;
  /** Parts of the last response when that did not finish: shown as cut off, and dropped when the turn is resumed. */
  readonly broken?: readonly string[];
}

/** What a person left out of a turn to make room. It stays on the screen, and can be had back. */
export interface ContextCut {
  readonly attachments?: true;
  /** Single attachments, by their index in the question. */
  readonly files?: readonly number[];
  /** But for what led to a call: the service takes no call without it. */
  readonly reasoning?: true;
  readonly toolOutputs?: true;
  /** All of it, question and answer. */
  readonly whole?: true;
}

/** One request to the service and what it took. */
export interface RequestRecord {
  /** Number of the round within the turn; parts of its answer start their ids with it. */
  readonly round: number;
  readonly model: ModelId;
  readonly effort: Effort;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Tokens of input, reckoned before it was sent. */
  readonly expectedInput?: number;
  readonly beginning: Beginning;
  /** Tokens for reasoning and answer, when they were limited. */
  readonly room?: number;
  /** Host name of the address that was tried last, when it is not the one of the settings. */
  readonly via?: string;
  readonly endedAt?: number;
  /** Absent while it runs; null when the service told none (unknown, not zero). */
  readonly usage?: Usage | null;
  /** It failed in a way that is not billed. */
  readonly unbilled?: true;
  /** How long the service says it keeps what it cached, in its own words: `5m`. */
  readonly cacheTtl?: string;
}

/** Nothing of the failed request was worked on. */
export interface RetryWait {
  readonly failure: Failure;
  /** Of the attempt that comes next, from 2. */
  readonly attempt: number;
  readonly of: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** What the service asked for, when that was more than is waited. Milliseconds. */
  readonly asked?: number;
  /** Host name of the other address, when that is tried next. */
  readonly via?: string;
}

export interface Question {
  readonly text: string;
  readonly attachments: readonly AttachmentSummary[];
}

/** A chip: what was attached, without its text (that is in the history). */
export interface AttachmentSummary {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** As a person names it: `src/cart.ts`. Of a summary and of what was pasted from anywhere, what it is called. */
  readonly path: string;
  /** To open it again. */
  readonly uri: string;
  /** One-based, both inclusive; absent for a whole file. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly languageId: string;
  /** Of a symbol: what it is called. */
  readonly name?: string;
  /** Reckoned, as it was attached. */
  readonly tokens?: number;
  /** Of instructions: the same for the same wording, and empty where they are gone. */
  readonly digest?: string;
  /** Of instructions: the model was told them before in this conversation, in another wording. */
  readonly changed?: true;
  /** Of a prompt: what it wants to be asked with. */
  readonly asks?: { readonly model?: ModelId; readonly effort?: Effort };
}

export const attachmentKinds = [
  'selection',
  'file',
  /** Of a conversation before, written by the model. */
  'summary',
  /** From the clipboard, with `range` when it is known where it was copied. */
  'pasted',
  /** Names of the files in a folder, or the text of all of them. */
  'folder',
  /** A function, class or the like, with the lines that it takes up. */
  'symbol',
  /** What the languages' checks say of a file or of the workspace. */
  'problems',
  /** A unified diff of what git knows as changed. */
  'diff',
  /** What a terminal shows, or the output of a command in it. */
  'terminal',
  'image',
  /** Standing instructions: of the person, or of a file such as `AGENTS.md`. */
  'instructions',
  /** What a slash command or a prompt file asks for. */
  'prompt',
] as const;

export type AttachmentKind = (typeof attachmentKinds)[number];

export type Part = ReasoningPart | AnswerPart | ToolPart | SearchPart;

interface TextPart {
  /** Unique within the turn: round and output index. */
  readonly id: string;
  /** Summary parts of a reasoning item, content parts of a message; by index, gaps are empty strings. */
  readonly sections: readonly string[];
  readonly openedAt: number;
  /** Absent while more may come. */
  readonly closedAt?: number;
}

export interface ReasoningPart extends TextPart {
  readonly kind: 'reasoning';
}

export interface AnswerPart extends TextPart {
  readonly kind: 'answer';
  /** In the order in which they were told; absent when there are none. */
  readonly citations?: readonly Citation[];
}

/** A search in the web, made by the service. */
export interface SearchPart {
  readonly kind: 'search';
  readonly id: string;
  readonly search: WebSearch;
  readonly openedAt: number;
  readonly closedAt?: number;
}

export interface ToolPart {
  readonly kind: 'tool';
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** What went in, as far as it has arrived. */
  readonly input: string;
  readonly openedAt: number;
  /** Set when the input is complete. */
  readonly askedAt?: number;
  readonly progress?: ToolProgress;
  readonly proposal?: ProposalSummary;
  /** What the tool asked the person, in the order of asking; absent when it asked nothing. */
  readonly approvals?: readonly Approval[];
  readonly outcome?: {
    /** `undecided`: the proposal still waits, although the call was answered. */
    readonly kind: 'done' | 'failed' | 'rejected' | 'cancelled' | 'undecided';
    readonly text: string;
  };
  readonly closedAt?: number;
}

/** What is certain about a patch that is still arriving. */
export interface ToolProgress {
  readonly files: readonly {
    readonly path: string;
    readonly change: FileChangeKind;
    readonly added: number;
    readonly removed: number;
  }[];
}

/** What is new about one file of such a patch. What is left out is as it was told before; a file is told whole at first. */
export interface FileProgressed {
  /** Its place in `ToolProgress.files`. */
  readonly index: number;
  readonly path?: string;
  readonly change?: FileChangeKind;
  readonly added?: number;
  readonly removed?: number;
}

export type FileChangeKind = 'add' | 'update' | 'delete' | 'move';

/** A patch as the card shows it. */
export interface ProposalSummary {
  /** Unique over all conversations; names the proposal in intents. */
  readonly id: string;
  readonly files: readonly ProposedFile[];
}

export interface ProposedFile {
  /** Index in the plan; names the file in intents. */
  readonly index: number;
  readonly path: string;
  /** New path of a moved file. */
  readonly to?: string;
  readonly change: FileChangeKind;
  readonly added: number;
  readonly removed: number;
  readonly state: ProposalState;
  /** The person has had the diff open. */
  readonly seen: boolean;
  /** The person changed the proposal before deciding. */
  readonly amended: boolean;
  /** What was accepted can be taken back. */
  readonly canTakeBack?: true;
  /** Why a state is `conflict` or `failed`, or what is to be known of another one, for people, already translated. */
  readonly note?: string;
  /** Given for a change of a file's text that can still be decided. */
  readonly hunks?: HunkCounts;
  /** Some hunks were taken and others were not. */
  readonly partly?: boolean;
  /** It can still be decided, and is accepted by a yes of its own, never along with others. */
  readonly takesSecondYes?: true;
}

/** The hunks of one file against the file as it is now. */
export interface HunkCounts {
  /** All that can still be decided; the next three are among them. */
  readonly open: number;
  /** They stand in other lines than the patch was made for. */
  readonly moved: number;
  /** Their lines were changed meanwhile. */
  readonly conflicting: number;
  /** They differ in blanks that the diff editor is set to hide. */
  readonly hidden: number;
  /** The file got them meanwhile without this proposal. */
  readonly there: number;
  /** Decided one by one. */
  readonly accepted: number;
  readonly rejected: number;
}

export type ProposalState =
  | 'pending'
  | 'applying'
  | 'accepted'
  | 'takenBack'
  | 'rejected'
  /** The file got all of it meanwhile without this proposal. */
  | 'there'
  | 'conflict'
  | 'failed'
  | 'cancelled';

export type TurnEnd =
  | { readonly kind: 'completed' }
  /** By the person, or `by` the end of the window, or of VS Code, in the middle of it. */
  | { readonly kind: 'stopped'; readonly by?: 'reload' }
  /** The server ended early: `max_output_tokens`, `content_filter`, or a reason unknown to us. */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: Failure };
