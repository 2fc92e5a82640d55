/** Runs turns of the core against a model that is a list of answers, and folds what comes of them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { CancelSignal } from '../../src/core/cancel.ts';
import type { Conversation, Turn, Usage } from '../../src/core/conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History } from '../../src/core/conversation/history.ts';
import type { ModelChunk, ModelPort } from '../../src/core/conversation/modelPort.ts';
import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { emptyRequestLog, reduceRequests, type RequestLog } from '../../src/core/conversation/requestLog.ts';
import { runTurn, type TurnPorts, type TurnSpec } from '../../src/core/conversation/turn.ts';
import { isShown, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import type { RequestBody, UserMessageItem } from '../../src/core/responses/wire.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { nobodyIsAsked } from './contents.ts';

/** A text is one chunk of an event stream; a function is asked at the moment of the request. */
export type ScriptedAnswer =
  string | readonly ModelChunk[] | ((body: RequestBody, signal: CancelSignal) => AsyncIterable<ModelChunk>);

export interface ScriptedModel extends ModelPort {
  /** All requests so far, as JSON text: what would have gone over the wire. */
  readonly bodies: readonly string[];
}

/** Answers each request with the next answer; one request too many is an error of the test. */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): ScriptedModel {
  const bodies: string[] = [];
  return {
    bodies,
    async *send(body, signal) {
      const answer = answers[bodies.length];
      bodies.push(JSON.stringify(body));
      if (answer === undefined) throw new Error('The test has no answer for this request.');
      if (typeof answer === 'function') yield* answer(body, signal);
      else if (typeof answer === 'string') yield { kind: 'text', text: answer };
      else yield* answer;
    },
  };
}

/** An event stream: each object is one event, numbered; a string stands as it is. */
export function stream(...events: readonly (object | string)[]): string {
  return events
    .map((event, sequence_number) =>
      typeof event === 'string' ? event : `data: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    )
    .join('');
}

/** The stream of a response that consists of these final items, without any deltas. */
export function response(output: readonly object[], rest: object = {}): string {
  return stream({
    type: 'response.completed',
    response: { id: 'resp_1', object: 'response', status: 'completed', output, usage: null, ...rest },
  });
}

export const fixtureFolder = join(import.meta.dirname, '../fixtures/responses');

export const fixtureNames: readonly string[] = readdirSync(fixtureFolder)
  .filter((name) => name.endsWith('.sse'))
  .map((name) => name.slice(0, -'.sse'.length));

export function fixtureBytes(name: string): Buffer {
  return readFileSync(join(fixtureFolder, `${name}.sse`));
}

export function fixture(name: string): string {
  return fixtureBytes(name).toString('utf8');
}

export function userMessage(text: string): UserMessageItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

export function ask(text: string, more: Partial<TurnSpec> = {}): TurnSpec {
  return {
    turn: 'turn-1',
    start: { kind: 'ask', question: { text, attachments: [] }, message: userMessage(text) },
    model: 'kimi-k3.1-pro',
    effort: 'max',
    instructions: 'Be brief.',
    history: emptyHistory(),
    requests: emptyRequestLog(),
    signal: new AbortController().signal,
    ...more,
  };
}

export function ports(
  model: ModelPort,
  tools: readonly Tool[] = [],
  decide: TurnPorts['decide'] = nobodyIsAsked,
): TurnPorts {
  let id = 0;
  return {
    model,
    tools,
    clock: () => 1000,
    newId: () => `call-${(id += 1)}`,
    wait: () => Promise.resolve(),
    random: () => 0.5,
    decide,
    admit: () => ({ kind: 'go' }),
  };
}

export interface Outcome {
  readonly events: readonly TurnEvent[];
  readonly conversation: Conversation;
  /** The turn as people see it. */
  readonly turn: Turn;
  readonly history: History;
  readonly requests: RequestLog;
}

/** Runs a turn to its end and folds its events onto `before`. `onEvent` sees each event before the next is asked for. */
export async function run(
  turnPorts: TurnPorts,
  spec: TurnSpec,
  before: Conversation = emptyConversation('conversation'),
  onEvent: (event: TurnEvent) => void = () => undefined,
): Promise<Outcome> {
  const events: TurnEvent[] = [];
  let conversation = before;
  let { history, requests } = spec;
  for await (const event of runTurn(turnPorts, spec)) {
    events.push(event);
    history = reduceHistory(history, event);
    requests = reduceRequests(requests, event);
    if (isShown(event)) conversation = reduce(conversation, event);
    onEvent(event);
  }
  const turn = conversation.turns.find((each) => each.id === spec.turn);
  if (turn === undefined) throw new Error('The turn never started.');
  return { events, conversation, turn, history, requests };
}

/** What a turn shows, in short: `reasoning: a|b`, `answer: …`, `tool name(input)`. */
export function shown(turn: Turn): readonly string[] {
  return turn.parts.map((part) =>
    part.kind === 'tool'
      ? `tool ${part.namespace === undefined ? '' : `${part.namespace}/`}${part.name}(${part.input})`
      : part.kind === 'search'
        ? `search: ${JSON.stringify(part.search.action)}`
        : `${part.kind}: ${part.sections.join('|')}`,
  );
}

/** What the requests of a turn were told to have taken, in order; null where nothing was told. */
export function usages(turn: Turn): readonly (Usage | null | undefined)[] {
  return turn.requests.map(({ usage }) => usage);
}
