/**
 * The one vocabulary from the model's stream to the pixels. A turn makes these events; host and panel fold them.
 *
 * Order within a turn: `turnStarted` first; then rounds of parts; `turnEnded` last and nothing after it but `toolReviewed`, which
 * tells at any later time what became of a proposal, `contextCut`, `namingSent` and `namingEnded`, and `turnRemoved` and `turnRestored` in turns. Text goes only into an
 * opened part; a part is opened once and closed at most once. Every `toolAsked` is followed by exactly one `toolSettled`.
 * `at` is milliseconds since the epoch, given by the clock of whoever makes the event.
 */
import type { Effort, ModelId } from '../responses/models.ts';
import type { Usage } from '../responses/usage.ts';
import type { HistoryItem, RequestBody } from '../responses/wire.ts';
import type { Citation, WebSearch } from '../responses/webSearch.ts';
import type {
  ContextCut,
  FileProgressed,
  ProposalSummary,
  Question,
  RetryWait,
  Turn,
  TurnEnd,
} from './conversation.ts';
import type { Approval, ApprovalAnswer } from './approval.ts';
import type { Beginning } from './beginning.ts';
import type { ToolOutcome } from '../tools/tool.ts';

/** Events that change what people see. They cross to the panel unchanged. */
export type ShownEvent =
  | {
      readonly kind: 'turnStarted';
      readonly turn: string;
      readonly question: Question;
      readonly model: ModelId;
      readonly effort: Effort;
      readonly at: number;
    }
  | {
      readonly kind: 'partOpened';
      readonly turn: string;
      readonly part: string;
      readonly what: 'reasoning' | 'answer' | 'search';
      readonly at: number;
    }
  | {
      readonly kind: 'textAdded';
      readonly turn: string;
      readonly part: string;
      readonly section: number;
      readonly text: string;
    }
  /** The server's final text of a section differs from its deltas; the final text wins. */
  | {
      readonly kind: 'textReplaced';
      readonly turn: string;
      readonly part: string;
      readonly section: number;
      readonly text: string;
    }
  /** All that is known of a search by now. */
  | {
      readonly kind: 'searchTold';
      readonly turn: string;
      readonly part: string;
      readonly search: WebSearch;
    }
  /** The answer names sources, in addition to those that were told. */
  | {
      readonly kind: 'citationsAdded';
      readonly turn: string;
      readonly part: string;
      readonly citations: readonly Citation[];
    }
  | { readonly kind: 'partClosed'; readonly turn: string; readonly part: string; readonly at: number }
  | {
      readonly kind: 'toolOpened';
      readonly turn: string;
      readonly part: string;
      readonly name: string;
      readonly namespace?: string;
      readonly at: number;
    }
  | { readonly kind: 'toolInputAdded'; readonly turn: string; readonly part: string; readonly text: string }
  /** Only of files of which something is new, so that the length of a patch does not multiply with what is told of it. */
  | {
      readonly kind: 'toolProgressed';
      readonly turn: string;
      readonly part: string;
      readonly files: readonly FileProgressed[];
    }
  /** The input is complete and the call is about to run. `input` is given only when it differs from what was added. */
  | {
      readonly kind: 'toolAsked';
      readonly turn: string;
      readonly part: string;
      readonly input?: string;
      readonly at: number;
    }
  | {
      readonly kind: 'toolReviewed';
      readonly turn: string;
      readonly part: string;
      readonly proposal: ProposalSummary;
    }
  /** A running call asks the person. Exactly one `approvalAnswered` follows before the call settles. */
  | {
      readonly kind: 'approvalAsked';
      readonly turn: string;
      readonly part: string;
      readonly approval: Approval;
    }
  | {
      readonly kind: 'approvalAnswered';
      readonly turn: string;
      readonly part: string;
      readonly approval: string;
      readonly answer: ApprovalAnswer;
    }
  | {
      readonly kind: 'toolSettled';
      readonly turn: string;
      readonly part: string;
      readonly outcome: ToolOutcome;
      readonly at: number;
    }
  /**
   * A turn that ended as failed, stopped or incomplete goes on: its end is taken back, the parts named in `drop` (those of the
   * response that broke) leave the view, and partial items leave the history. Model and effort are given when they changed.
   */
  | {
      readonly kind: 'turnResumed';
      readonly turn: string;
      readonly drop: readonly string[];
      readonly model?: ModelId;
      readonly effort?: Effort;
      readonly at: number;
    }
  /** A request is on its way. Exactly one `requestEnded` follows, whatever happens, before the next one is sent. */
  | {
      readonly kind: 'requestSent';
      readonly turn: string;
      readonly round: number;
      readonly model: ModelId;
      readonly effort: Effort;
      /** Tokens. */
      readonly expectedInput?: number;
      readonly beginning: Beginning;
      /** Tokens. */
      readonly room?: number;
      readonly at: number;
    }
  /** It failed before anything of it was worked on, and is sent again unchanged. Taken back by `retryStarted` or the request's end. */
  | { readonly kind: 'retryScheduled'; readonly turn: string; readonly retry: RetryWait }
  | { readonly kind: 'retryStarted'; readonly turn: string; readonly via?: string; readonly at: number }
  /** `usage` is null when none was told: unknown, unless it is certain that nothing was billed. */
  | {
      readonly kind: 'requestEnded';
      readonly turn: string;
      readonly usage: Usage | null;
      readonly unbilled?: true;
      readonly cacheTtl?: string;
      readonly at: number;
    }
  /** A request to name the conversation is on its way. `namingEnded` follows, whatever happens; of a conversation there is one at most. */
  | {
      readonly kind: 'namingSent';
      readonly turn: string;
      readonly model: ModelId;
      readonly effort: Effort;
      /** Tokens. */
      readonly expectedInput: number;
      /** Tokens. */
      readonly room: number;
      readonly at: number;
    }
  /** As `requestEnded`. */
  | {
      readonly kind: 'namingEnded';
      readonly turn: string;
      readonly usage: Usage | null;
      readonly unbilled?: true;
      readonly cacheTtl?: string;
      readonly at: number;
    }
  /** A person left something out of a turn, or took it in again: `cut` is all that is left out from now on. Never of a running turn. */
  | { readonly kind: 'contextCut'; readonly turn: string; readonly cut: ContextCut }
  /** A person deleted a turn. Never while a turn is running: it would go on with what was deleted. */
  | { readonly kind: 'turnRemoved'; readonly turn: string }
  /** And thought better of it. `content` is the turn as it was, and as what became of its proposals since has made it. */
  | { readonly kind: 'turnRestored'; readonly turn: string; readonly content: Turn }
  /** `broken` names the parts of the last response when that did not finish: they are cut off, and leave when the turn is resumed. */
  | {
      readonly kind: 'turnEnded';
      readonly turn: string;
      readonly end: TurnEnd;
      readonly broken?: readonly string[];
      readonly at: number;
    };

/** What must be sent again with every later request, in order. Stays with the host: it would double every byte on the way to the panel. */
export interface ItemsKept {
  readonly kind: 'itemsKept';
  readonly turn: string;
  readonly items: readonly HistoryItem[];
  /** Items of a response that did not finish, made valid for replay. Dropped when the turn is resumed. */
  readonly partial?: boolean;
}

/** The body of a request, just before `requestSent` tells of it. Stays with the host, too. */
export interface RequestMade {
  readonly kind: 'requestMade';
  readonly turn: string;
  readonly body: RequestBody;
  /** Scheme, host and port of the address it was made for. */
  readonly origin?: string;
}

export type TurnEvent = ShownEvent | ItemsKept | RequestMade;

export function isShown(event: TurnEvent): event is ShownEvent {
  return event.kind !== 'itemsKept' && event.kind !== 'requestMade';
}
