/**
 * Facts from the host to the panel. The panel never asks and never waits: it says `ready` and is told everything.
 * All of it is data made by the host; nothing here is markup.
 */
import type {
  AttachmentSummary,
  Conversation,
  Effort,
  ModelId,
  ProposalSummary,
  RequestRecord,
  TurnEnd,
} from '../core/conversation/conversation.ts';
import type { ContextFacts, SpendingFacts } from '../core/cost/facts.ts';
import type { Forecast } from '../core/cost/forecast.ts';
import type { ShownEvent } from '../core/conversation/turnEvent.ts';
import type { DearIntent } from './toHost.ts';

export type ToWebview =
  /** Once after each `ready`: the whole truth. `seq` is the number of the last batch that is already folded in. */
  | {
      readonly kind: 'snapshot';
      readonly seq: number;
      readonly conversation: Conversation;
      readonly panel: PanelState;
      readonly draft: string;
      /** The host's time: milliseconds since the epoch. The panel may be on another machine. */
      readonly at?: number;
      /** Names this run of the host. What a page kept under another run may be older than `draft`: VS Code stores it only now and then. */
      readonly run?: string;
      /** Id of the question that was taken last: the panel may have been away when that was told. */
      readonly taken?: string;
      /** See the message of this name; none when absent. */
      readonly versions?: readonly TurnVersions[];
    }
  /** Later events, batched. A batch whose `seq` is not the last one plus 1 has lost something: answer with `ready`. */
  | { readonly kind: 'events'; readonly seq: number; readonly events: readonly ShownEvent[] }
  /** A new, empty conversation replaces the one shown. Numbering of batches goes on. */
  | { readonly kind: 'conversation'; readonly seq: number; readonly conversation: Conversation }
  /** Everything around the conversation; small, always sent whole. */
  | { readonly kind: 'panel'; readonly panel: PanelState }
  /** The turns of the conversation that were asked more than once. Sent whole when something of it changes, and not while text comes. */
  | { readonly kind: 'versions'; readonly conversation: string; readonly turns: readonly TurnVersions[] }
  /** What it would cost to ask the question of a turn again, as it was asked about: see `weigh`. */
  | {
      readonly kind: 'weighed';
      readonly turn: string;
      readonly model: ModelId;
      readonly effort: Effort;
      readonly next: Forecast;
    }
  /** The question of a turn was asked again with another text: what was typed is no longer needed. */
  | { readonly kind: 'editTaken'; readonly turn: string }
  /** Put the cursor into the composer. */
  | { readonly kind: 'focusComposer' }
  /** The host took the question: clear the composer, unless the person has typed something else meanwhile. */
  | { readonly kind: 'questionTaken'; readonly id: string; readonly text: string }
  /** The host could not do what an intent asked. One plain sentence, already translated; what was typed stays. */
  | { readonly kind: 'notice'; readonly text: string }
  /** This is dearer than the person wants without being asked: it is done when they say it again with the price that they agree to. */
  | { readonly kind: 'confirm'; readonly asked: DearIntent; readonly next: Forecast };

/** A turn that was asked more than once. */
export interface TurnVersions {
  /** The one that is shown. */
  readonly turn: string;
  /** All of them in the order in which they were asked, the shown one among them. */
  readonly versions: readonly VersionFacts[];
}

/** One version of a turn: what it was asked with, and what it took. */
export interface VersionFacts {
  readonly turn: string;
  /** The conversation in which it can be seen. */
  readonly conversation: string;
  readonly model: ModelId;
  readonly effort: Effort;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Absent while it runs. */
  readonly end?: TurnEnd['kind'];
  /** It was deleted there. */
  readonly removed?: true;
  readonly requests: readonly RequestRecord[];
}

export interface PanelState {
  readonly key: KeyState;
  /** Absent while the address in the settings can't be read. */
  readonly service?: Service;
  readonly model: ModelId;
  readonly effort: Effort;
  readonly patchMode: PatchMode;
  /** Chips of the question being written. */
  readonly attachments: readonly AttachmentSummary[];
  /** Suggestions for an empty conversation, made from what is open; translated. */
  readonly suggestions: readonly Suggestion[];
  /** Patches that waited when the window was loaded anew, and whose conversation is gone. */
  readonly orphans?: readonly ProposalSummary[];
  /** Seconds without a byte after which a request is given up. */
  readonly silenceSeconds?: number;
  /** How full the window is; absent only when it could not be reckoned. */
  readonly context?: ContextFacts;
  readonly spending?: SpendingFacts;
  /** What can be left out of the turns so far. */
  readonly room?: readonly RoomOffer[];
}

/** A way to make room in the context window, without asking the model. */
export interface RoomOffer {
  readonly what: RoomKind;
  /** That it frees, estimated. */
  readonly tokens: number;
  /** From which something is left out. */
  readonly turns: number;
}

export type RoomKind = 'attachments' | 'toolOutputs' | 'oldestTurns';

/** Who is asked. */
export interface Service {
  /** Scheme, host and port: what a key is kept for. */
  readonly origin: string;
  /** EvoLink's own address. Any other has keys, accounts and pages of its own. */
  readonly evolink: boolean;
}

export type PatchMode =
  /** Nothing is written before the person accepts it. */
  | 'ask'
  /** Patches are written at once and can be taken back; some files are asked about all the same. */
  | 'acceptAutomatically';

export interface Suggestion {
  /** The question that is put into the composer. */
  readonly text: string;
  readonly attach?: 'activeFile';
}

export type KeyState =
  /** No key for the present address, and it needs one. */
  | 'missing'
  | 'present'
  /** The address is this machine's own. */
  | 'notNeeded'
  /** The secret store could not be read. */
  | 'unreadable';
