/**
 * Facts from the host to the panel. The panel never asks and never waits: it says `ready` and is told everything.
 * All of it is data made by the host; nothing here is markup.
 */
import type {
  AttachmentSummary,
  Conversation,
  Effort,
  FoundSecret,
  ModelId,
  ProposalSummary,
  RequestRecord,
  Turn,
  TurnEnd,
} from '../core/conversation/conversation.ts';
import type { ContextFacts, SpendingFacts } from '../core/cost/facts.ts';
import type { Forecast } from '../core/cost/forecast.ts';
import type { ShownEvent } from '../core/conversation/turnEvent.ts';
import type { CompletionItem } from './completion.ts';
import type { DearIntent } from './toHost.ts';

export type ToWebview =
  /** Once after each `ready`: the whole truth. `seq` is the number of the last batch that is already folded in. */
  | {
      readonly kind: 'snapshot';
      readonly seq: number;
      readonly conversation: Conversation;
      /** Turns stand before these. They follow: see the message of this name. */
      readonly earlier?: true;
      readonly panel: PanelState;
      readonly draft: string;
      /** The host's time: milliseconds since the epoch. The panel may be on another machine. */
      readonly at?: number;
      /** Names this run of the host. What a page kept under another run may be older than `draft`: VS Code stores it only now and then. */
      readonly run?: string;
      /** Id of the question that was taken last: the panel may have been away when that was told. */
      readonly taken?: string;
      /** What `draft` stands in the place of, when a page showed that last: see the message `draft`. */
      readonly instead?: string;
      /** See the message of this name; none when absent. */
      readonly versions?: readonly TurnVersions[];
      /** See the message of this name; nothing is queued when absent. */
      readonly queue?: QueueFacts;
      /** What was asked before, the newest last, to be recalled; see `remembered`. */
      readonly asked?: readonly string[];
    }
  /** Later events, batched. A batch whose `seq` is not the last one plus 1 has lost something: answer with `ready`. */
  | { readonly kind: 'events'; readonly seq: number; readonly events: readonly ShownEvent[] }
  /** A new, empty conversation replaces the one shown. Numbering of batches goes on. */
  | {
      readonly kind: 'conversation';
      readonly seq: number;
      readonly conversation: Conversation;
      /** As in the snapshot. */
      readonly earlier?: true;
    }
  /** The turns that stand before those that were told, as they are now. Of a long conversation the end is told first, so that it is there at once. */
  | {
      readonly kind: 'earlier';
      readonly conversation: string;
      readonly turns: readonly Turn[];
      /** Others stand before these. */
      readonly more?: true;
    }
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
      /** Of another text than that which was asked. */
      readonly edited: boolean;
      readonly next: Forecast;
    }
  /** The question of a turn was asked again with this other text, which is no longer needed where it was typed. */
  | { readonly kind: 'editTaken'; readonly turn: string; readonly text: string }
  /** The questions that wait for the end of the turn. Sent whole when something of it changes. */
  | { readonly kind: 'queue'; readonly conversation: string; readonly queue: QueueFacts }
  /** Another text for the composer, in the place of `instead`. */
  | { readonly kind: 'draft'; readonly text: string; readonly instead: string }
  /** The text of a chip for the composer, at its cursor, in the place of the chip. */
  | { readonly kind: 'insertText'; readonly text: string; readonly attachment: string }
  /** What can be named with what is typed, best first: see `complete`. Sent again when more is found. */
  | {
      readonly kind: 'completions';
      readonly list: number;
      readonly items: readonly CompletionItem[];
      /** More may come. */
      readonly looking: boolean;
    }
  /** What the next question would cost with another model or effort, and what it costs `now`: see `weighChoice`. */
  | {
      readonly kind: 'choiceWeighed';
      readonly model: ModelId;
      readonly effort: Effort;
      readonly next: Forecast;
      readonly now: Forecast;
    }
  /** Put the cursor into the composer. */
  | { readonly kind: 'focusComposer' }
  /** Open the find bar, or put the cursor into it. */
  | { readonly kind: 'find' }
  /** Show the question of a tool that waits first, and put the cursor onto it, not onto one of its buttons. */
  | { readonly kind: 'focusApproval' }
  /** Put the cursor onto a picker. */
  | { readonly kind: 'focusPicker'; readonly picker: 'model' | 'effort' }
  /** The host took the question: clear the composer, unless the person has typed something else meanwhile. */
  | { readonly kind: 'questionTaken'; readonly id: string; readonly text: string }
  /** The host could not do what an intent asked. One plain sentence, already translated; what was typed stays. */
  | { readonly kind: 'notice'; readonly text: string }
  /** This is dearer than the person wants without being asked: it is done when they say it again with the price that they agree to. */
  | { readonly kind: 'confirm'; readonly asked: DearIntent; readonly next: Forecast }
  /** Something in this looks secret: it is sent when the person has decided about it (`decideSecrets`) and says it again. */
  | {
      readonly kind: 'secrets';
      readonly check: string;
      readonly asked: DearIntent;
      readonly places: readonly SecretPlace[];
      /** How many were found beside those. */
      readonly more: number;
    };

/** What looks secret in one part of a question. */
export interface SecretPlace {
  /** Absent for what was typed. */
  readonly chip?: AttachmentSummary;
  /** Lines are those of the file that the chip names. */
  readonly found: readonly FoundSecret[];
}

/** Questions of a conversation that wait for the end of the turn, in the order in which they will be asked. */
export interface QueueFacts {
  readonly questions: readonly QueuedQuestion[];
  /** Why the next one is not asked by itself when nothing is running. */
  readonly paused?: QueuePause;
}

export interface QueuedQuestion {
  readonly id: string;
  /** No more than its beginning: `queuedTextLength`. */
  readonly text: string;
  readonly attachments: readonly AttachmentSummary[];
  /** The person took it out, and can think better of it. */
  readonly removed?: true;
}

/** In UTF-16 units: more than is shown of a queued question. */
export const queuedTextLength = 1_000;

export type QueuePause =
  /** The turn before it did not end well, or was stopped, or the window was loaded anew. */
  | { readonly kind: 'failed' | 'stopped' | 'reloaded' }
  /** It is dearer than the person wants without being asked. */
  | { readonly kind: 'dear'; readonly next: Forecast }
  /** Something in it looks secret, and nothing was decided about that. */
  | { readonly kind: 'secrets' }
  /** It could not be asked. One plain sentence, already translated. */
  | { readonly kind: 'problem'; readonly text: string };

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
  /** How reasoning is shown until the person says otherwise; while the model thinks when absent. */
  readonly reasoning?: ReasoningFold;
  /** Another window writes the conversation, or has deleted it since: here it can only be looked at, and is kept up with. */
  readonly elsewhere?: 'open' | 'deleted';
  /** Enter when absent. */
  readonly sendKey?: SendKey;
  /** Chips of the question being written. */
  readonly attachments: readonly AttachmentSummary[];
  /** What goes with it by itself; nothing when absent. */
  readonly along?: AlongFacts;
  /** Suggestions for an empty conversation, made from what is open; translated. */
  readonly suggestions: readonly Suggestion[];
  /** The conversations that changed last, for a panel that shows none; none when absent. */
  readonly recent?: readonly RecentConversation[];
  /** Code of answers that the person asked to apply. */
  readonly code?: readonly CodeProposal[];
  /** What accepted patches did to the problems that the editor shows, of the last ones. */
  readonly problems?: readonly PatchProblems[];
  /** Patches that waited when the window was loaded anew, and whose conversation is gone. */
  readonly orphans?: readonly ProposalSummary[];
  /** Seconds without a byte after which a request is given up. */
  readonly silenceSeconds?: number;
  /** Whether the service may search the web for the next question. */
  readonly webSearch?: WebSearchFacts;
  /** How full the window is; absent only when it could not be reckoned. */
  readonly context?: ContextFacts;
  readonly spending?: SpendingFacts;
  /** What can be left out of the turns so far. */
  readonly room?: readonly RoomOffer[];
  /** What is left out of the turns so far, and what it would take up. */
  readonly leftOut?: LeftOut;
}

/** A conversation that can be shown. */
export interface RecentConversation {
  readonly id: string;
  /** One short line in which nothing is hidden; empty when all of its questions were deleted. */
  readonly title: string;
  /** When it changed last. Milliseconds since the epoch. */
  readonly at: number;
  /** An answer is coming, or something of it waits for the person. */
  readonly state?: 'answering' | 'waiting';
}

/** Of the conversation that is shown. */
export interface WebSearchFacts {
  readonly on: boolean;
  /** Otherwise than for the question before, so that the service finds nothing in its cache. */
  readonly differs?: true;
  /** The first of the sites that it is kept to; it may search everywhere when absent. */
  readonly domains?: readonly string[];
  /** Of how many there are. */
  readonly domainCount?: number;
  /** Entries of the list of sites that can't be read. */
  readonly unread?: number;
  /** None of them can be read: it is not searched, whatever `on` says. */
  readonly unusable?: true;
}

/** What goes with the next question without having been attached, as far as it is known before. */
export interface AlongFacts {
  /** Instructions that the conversation was not told yet, and what the slash command of the question brings. */
  readonly chips: readonly AttachmentSummary[];
  /** Instructions that the person leaves out of this conversation. */
  readonly left: readonly AttachmentSummary[];
  /** What is to be known of the prompt; whole sentences, translated. */
  readonly note?: string;
  /** Instructions that are there and are not sent, each with the reason; whole sentences, translated. */
  readonly skipped?: readonly string[];
}

/** What an accepted patch did to the problems that the editor shows. */
export interface PatchProblems {
  readonly proposal: string;
  /** The languages are still looking; what is known so far may change. */
  readonly checking: boolean;
  /** How many are gone, and how many came: errors and warnings. */
  readonly fixed: number;
  readonly introduced: number;
  /** The first of those that came, and of those that are gone. */
  readonly shown: readonly PatchProblem[];
  /** Changed files of which nothing is known, because no editor shows them. */
  readonly unknown: number;
  /** The model was asked about those that came. */
  readonly handed?: true;
}

export interface PatchProblem {
  /** Names it in intents, within its patch. */
  readonly index: number;
  readonly kind: 'fixed' | 'introduced';
  readonly severity: 'error' | 'warning';
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly source: string;
  /** It stands in a change of the patch that can be taken back by itself. */
  readonly canTakeBack?: true;
}

/** A block of code on its way into a file. */
export interface CodeProposal {
  /** See the intent `applyCode`. */
  readonly from: string;
  readonly proposal: ProposalSummary;
}

/** A way to make room in the context window, without asking the model. */
export interface RoomOffer {
  readonly what: RoomKind;
  /** That it frees, estimated. */
  readonly tokens: number;
  /** From which something is left out. */
  readonly turns: number;
  readonly effect?: CutEffect;
  /** The largest attachments, each of which can be left out by itself. Only of `attachments` and of `rules`. */
  readonly files?: readonly RoomFile[];
}

export type RoomKind = 'attachments' | 'reasoning' | 'toolOutputs' | 'rules' | 'oldestTurns';

/** An attachment of a turn so far. */
export interface RoomFile {
  readonly turn: string;
  /** In the question of the turn. */
  readonly index: number;
  readonly tokens: number;
  readonly effect?: CutEffect;
}

/** What leaving something out does to the next question, reckoned without an answer. */
export interface CutEffect {
  /** Tokens of input that are read anew while the cache lasts: what stands behind the first change. */
  readonly anew: number;
  /** US dollars that the next question costs more while the cache lasts; less when negative. */
  readonly more: number;
  /** The same once the cache has run out: never more. */
  readonly moreLater: number;
}

export interface LeftOut {
  readonly tokens: number;
  readonly turns: number;
}

/** Who is asked. */
export interface Service {
  /** Scheme, host and port: what a key is kept for. */
  readonly origin: string;
  /** EvoLink's own address. Any other has keys, accounts and pages of its own. */
  readonly evolink: boolean;
}

/** The key that sends a question; the other one of the two breaks the line. */
export type SendKey = 'enter' | 'modEnter';

export type PatchMode =
  /** Nothing is written before the person accepts it. */
  | 'ask'
  /** Patches are written at once and can be taken back; some files are asked about all the same. */
  | 'acceptAutomatically';

export type ReasoningFold = 'whileThinking' | 'open' | 'folded';

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
