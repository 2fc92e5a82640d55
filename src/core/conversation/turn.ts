/**
 * One turn, from the question to its end: ask the model, run the tools it calls, tell it what came of them, again, until it calls none.
 * Knows no transport and no screen: the model and the tools are ports, everything that happens is an event.
 */
import type { CancelSignal } from '../cancel.ts';
import type { Effort, ModelId } from '../responses/models.ts';
import type { UserMessageItem } from '../responses/wire.ts';
import type { Tool } from '../tools/tool.ts';
import type { Question, Turn } from './conversation.ts';
import type { History } from './history.ts';
import type { ModelPort } from './modelPort.ts';
import type { TurnEvent } from './turnEvent.ts';

export interface TurnPorts {
  readonly model: ModelPort;
  /** Declared to the model in this order, which must not change within a conversation: the cache matches prefixes. */
  readonly tools: readonly Tool[];
  /** Milliseconds since the epoch. */
  clock(): number;
  /** For tool calls: unique over all conversations. */
  newId(): string;
}

export interface TurnSpec {
  /** Unique within the conversation. */
  readonly turn: string;
  readonly start: TurnStart;
  readonly model: ModelId;
  readonly effort: Effort;
  readonly instructions: string;
  /** All that was kept so far, without anything of a new turn; of a resumed turn with what it kept. */
  readonly history: History;
  /** Left to the server when absent. */
  readonly maxOutputTokens?: number;
  /** Requests in this run of the turn. */
  readonly maxRounds?: number;
  readonly signal: CancelSignal;
}

export type TurnStart =
  /** `message` is the question as the model reads it, attachments included. */
  | { readonly kind: 'ask'; readonly question: Question; readonly message: UserMessageItem }
  /** Goes on with a turn that ended. `shown` is the turn as it stands; `message`, when given, is said to the model first. */
  | { readonly kind: 'resume'; readonly shown: Turn; readonly message?: UserMessageItem };

/**
 * Runs a turn. Never throws; whatever goes wrong is the `end` of the last event. The order of the events is told in `turnEvent.ts`.
 *
 * Aborting `spec.signal` at any moment ends the turn as `stopped`, after the running tools have settled: what they did is never
 * left untold. Whatever was kept is then valid for the next request.
 */
export async function* runTurn(ports: TurnPorts, spec: TurnSpec): AsyncGenerator<TurnEvent, void, undefined> {
  yield {
    kind: 'turnEnded',
    turn: spec.turn,
    end: { kind: 'failed', failure: { kind: 'bug', detail: 'The turn loop is not built yet.' } },
    at: ports.clock(),
  };
}
