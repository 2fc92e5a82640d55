/** Random conversations with the simulated service: questions, tools, stops, failures, resumed turns, other models. */
import fc from 'fast-check';

import { firstTurns } from '../../src/core/conversation/branch.ts';
import type { ContextCut, Conversation, Turn } from '../../src/core/conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History } from '../../src/core/conversation/history.ts';
import type { ModelPort } from '../../src/core/conversation/modelPort.ts';
import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { emptyRequestLog, reduceRequests, type RequestLog } from '../../src/core/conversation/requestLog.ts';
import { runTurn, type TurnPorts, type TurnSpec } from '../../src/core/conversation/turn.ts';
import { isShown, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { models, type CacheTtl, type Effort, type ModelId } from '../../src/core/responses/models.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { anyAnswer, anyCut } from '../simulator/arbitraries.ts';
import {
  answer,
  cutSocket,
  dropConnection,
  endEarly,
  reasoning,
  refuse,
  resetConnection,
  resetSocket,
  text,
  vary,
  type Reply,
} from '../simulator/main.ts';
import { ask, userMessage } from '../support/turns.ts';
import { nobodyIsAsked } from '../support/contents.ts';

/** One turn, or the next attempt at one. */
export interface Step {
  /** Goes on with the turn before, if that did not complete. */
  readonly resume: boolean;
  readonly saysMore: boolean;
  readonly model: ModelId;
  readonly effort: Effort;
  readonly replies: readonly Reply[];
  /** Stops after so many events. */
  readonly stopAfter: number | undefined;
  readonly tools: 'done' | 'rejected' | 'throw' | 'propose';
  readonly maxOutputTokens?: number;
  readonly cacheTtl?: CacheTtl;
  /** Done before it: of one of the turns so far something is left out. */
  readonly cut?: { readonly turn: number; readonly what: ContextCut };
  /** Done before it: one of the turns so far is deleted, or brought back when it was deleted before. */
  readonly remove?: number;
  /** Done before it: all from one of the turns on is left behind, and the conversation goes on from there in another one. */
  readonly branch?: number;
}

const anyBreak: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom<Reply>(
    dropConnection,
    resetConnection,
    refuse(429, { message: 'm', type: 'rate_limit_reached_error' }),
    refuse(500, { message: 'm', type: 'server_error' }),
  ),
  fc
    .constantFrom(endEarly, cutSocket, resetSocket)
    .map((end): Reply => answer(reasoning('Hm.', ['part', end, 'ly']), text('never'))),
  fc
    .constantFrom(endEarly, cutSocket, resetSocket)
    .map((end): Reply => answer(reasoning('Hm.'), text('half', end, ' of it'))),
);

export const anyStep: fc.Arbitrary<Step> = fc.record({
  resume: fc.boolean(),
  saysMore: fc.boolean(),
  model: fc.constantFrom(...models.map(({ id }) => id)),
  effort: fc.constantFrom<Effort>('low', 'high', 'max'),
  replies: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(anyAnswer, anyCut).map(([reply, cut]) => vary(reply, { cut })) },
      { weight: 1, arbitrary: anyBreak },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  stopAfter: fc.option(fc.nat(40), { nil: undefined, freq: 3 }),
  tools: fc.constantFrom('done', 'rejected', 'throw', 'propose'),
});

const anyCutOfContext: fc.Arbitrary<ContextCut> = fc.constantFrom<ContextCut>(
  { whole: true },
  { toolOutputs: true },
  { attachments: true },
  { attachments: true, toolOutputs: true },
  { reasoning: true },
  { files: [0], reasoning: true, toolOutputs: true },
  {},
);

/** With limits, times to live, parts left out, turns deleted and branches: what changes the beginning of requests. */
export const anyChangingStep: fc.Arbitrary<Step> = fc
  .tuple(
    anyStep,
    fc.option(fc.constantFrom(1, 20, 5_000, 2 ** 30), { nil: undefined }),
    fc.constantFrom<CacheTtl | undefined>('5m', '1h', undefined),
    fc.option(fc.record({ turn: fc.nat(5), what: anyCutOfContext }), { nil: undefined, freq: 2 }),
    fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
    fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
  )
  .map(([step, maxOutputTokens, cacheTtl, cut, remove, branch]) => ({
    ...step,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(cacheTtl !== undefined && { cacheTtl }),
    ...(cut !== undefined && { cut }),
    ...(remove !== undefined && { remove }),
    ...(branch !== undefined && { branch }),
  }));

/** The same, and all in one conversation: nothing is left behind in a branch. */
export const anyStepInOne: fc.Arbitrary<Step> = anyChangingStep.map(({ branch: _branch, ...step }) => step);

/** What a conversation ends with, to see that it still can go on. */
export const goodEnd: Step = {
  resume: false,
  saysMore: false,
  model: 'kimi-k3.1-pro',
  effort: 'max',
  replies: [answer(text('Good.'))],
  stopAfter: undefined,
  tools: 'done',
};

export interface Played {
  readonly conversation: Conversation;
  readonly history: History;
  readonly requests: RequestLog;
  readonly events: readonly TurnEvent[];
}

/**
 * Plays the steps one after another. `queue` is told the replies of each step before its first request; `watch` is given the signal
 * of each.
 */
export async function play(
  model: ModelPort,
  queue: (replies: readonly Reply[]) => void,
  steps: readonly Step[],
  watch: (signal: AbortSignal) => void = () => undefined,
): Promise<Played> {
  let conversation = emptyConversation('c');
  let history = emptyHistory();
  let requests = emptyRequestLog();
  const events: TurnEvent[] = [];
  const removed = new Map<string, Turn>();
  let ids = 0;
  for (const [index, step] of steps.entries()) {
    queue(step.replies);
    const abort = new AbortController();
    watch(abort.signal);
    if (step.branch !== undefined && step.branch < conversation.turns.length) {
      const origin = firstTurns({ conversation, history, requests }, step.branch, 'c');
      if (origin !== undefined) ({ conversation, history, requests } = origin);
      // Its events are those of the turns that were taken along.
      const taken = new Set(conversation.turns.map(({ id }) => id));
      events.splice(0, events.length, ...events.filter(({ turn }) => taken.has(turn)));
    }
    const toRemove = step.remove === undefined ? undefined : conversation.turns[step.remove];
    if (toRemove !== undefined) {
      const { id: turn } = toRemove;
      const content = removed.get(turn);
      if (content === undefined) removed.set(turn, toRemove);
      else removed.delete(turn);
      const event =
        content === undefined
          ? ({ kind: 'turnRemoved', turn } as const)
          : ({ kind: 'turnRestored', turn, content } as const);
      events.push(event);
      history = reduceHistory(history, event);
      conversation = reduce(conversation, event);
    }
    const toCut = step.cut === undefined ? undefined : conversation.turns[step.cut.turn];
    if (toCut !== undefined && step.cut !== undefined) {
      const event = { kind: 'contextCut', turn: toCut.id, cut: step.cut.what } as const;
      events.push(event);
      history = reduceHistory(history, event);
      conversation = reduce(conversation, event);
    }
    const last = conversation.turns.at(-1);
    // A turn that was left out whole can't be gone on with.
    const resumable =
      last !== undefined &&
      last.removed !== true &&
      last.end?.kind !== 'completed' &&
      last.cut?.whole !== true;
    const resumed = step.resume && resumable ? last : undefined;
    const more: Partial<TurnSpec> = {
      model: step.model,
      effort: step.effort,
      history,
      requests,
      maxRounds: 4,
      ...(step.maxOutputTokens !== undefined && { maxOutputTokens: step.maxOutputTokens }),
      ...(step.cacheTtl !== undefined && { cacheTtl: step.cacheTtl }),
      signal: abort.signal,
    };
    const spec =
      resumed === undefined
        ? ask(`question ${index}`, { ...more, turn: `turn-${index}` })
        : ask('', {
            ...more,
            turn: resumed.id,
            start: {
              kind: 'resume',
              shown: resumed,
              ...(step.saysMore && { message: userMessage('Go on.') }),
            },
          });
    let count = 0;
    const ports: TurnPorts = {
      model,
      tools: toolsFor(step.tools),
      clock: () => (ids += 1),
      newId: () => `call-${(ids += 1)}`,
      wait: () => Promise.resolve(),
      random: () => 0.5,
      decide: nobodyIsAsked,
      admit: () => ({ kind: 'go' }),
    };
    for await (const event of runTurn(ports, spec)) {
      events.push(event);
      history = reduceHistory(history, event);
      requests = reduceRequests(requests, event);
      if (isShown(event)) conversation = reduce(conversation, event);
      if (count === step.stopAfter) abort.abort();
      count += 1;
    }
  }
  return { conversation, history, requests, events };
}

function toolsFor(how: Step['tools']): readonly Tool[] {
  const run: Tool['run'] = async (call, context) => {
    if (how === 'throw') throw new Error('a bug');
    if (how === 'propose') {
      context.proposal({ id: call.id, files: [] });
      await Promise.resolve();
      context.proposal({
        id: call.id,
        files: [
          {
            index: 0,
            path: 'a',
            change: 'add',
            added: 1,
            removed: 0,
            state: 'accepted',
            seen: true,
            amended: false,
          },
        ],
      });
    }
    return { kind: how === 'rejected' ? 'rejected' : 'done', text: `about ${call.input.length} characters` };
  };
  const functions = ['read_file', 'list', 'no_arguments'].map((name): Tool => ({
    declaration: { type: 'function', name, description: 'd', parameters: { type: 'object' }, strict: false },
    run,
  }));
  const patch: Tool = {
    declaration: {
      type: 'custom',
      name: 'apply_patch',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    inOrder: true,
    watch: () => {
      const added: number[] = [];
      return {
        // Every other piece belongs to another file.
        feed: (piece) => {
          const index = added.length < 2 ? added.push(0) - 1 : piece.length % 2;
          const isNew = added[index] === 0;
          added[index] = (added[index] ?? 0) + 1;
          const news = { index, added: added[index] };
          return [isNew ? { ...news, path: `f${index}`, change: 'update', removed: 0 } : news];
        },
      };
    },
    run,
  };
  return [...functions, patch];
}
