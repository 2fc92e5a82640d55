/**
 * One turn, from the question to its end: ask the model, run the tools it calls, tell it what came of them, again, until it calls none.
 * Knows no transport and no screen: the model and the tools are ports, everything that happens is an event.
 */
import type { CancelSignal } from '../cancel.ts';
import type { Failure } from '../responses/failure.ts';
import { modelRow, type CacheTtl, type Effort, type ModelId } from '../responses/models.ts';
import type { WebSearchScope } from '../responses/webSearchTool.ts';
import type { RequestBody, ToolDeclaration, UserMessageItem } from '../responses/wire.ts';
import type { Tool } from '../tools/tool.ts';
import { readAnswer, type Answer } from './answer.ts';
import type { Question, Turn, TurnEnd } from './conversation.ts';
import { declarationsOf } from './declarations.ts';
import { outputItem, type History } from './history.ts';
import { keepItems, type Kept, type KeptCall } from './keep.ts';
import type { ModelPort } from './modelPort.ts';
import { buildRequest, termsOf } from './request.ts';
import type { Approval, ApprovalAnswer, ApprovalRequest } from './approval.ts';
import type { Beginning } from './beginning.ts';
import { beginningOf, isLast, type RequestLog } from './requestLog.ts';
import { mayBeBilled, mostAttempts, reasonInRequest, retryAfter } from './retry.ts';
import { cancelledOutcome, describeError, runCalls, type SettledCall } from './runCalls.ts';
import { roundOf } from './rounds.ts';
import { TurnRecord } from './turnRecord.ts';
import type { TurnEvent } from './turnEvent.ts';

export interface TurnPorts {
  readonly model: ModelPort;
  /** Declared to the model in this order, which must not change within a conversation: the cache matches prefixes. */
  readonly tools: readonly Tool[];
  /** Milliseconds since the epoch. */
  clock(): number;
  /** For tool calls: unique over all conversations. */
  newId(): string;
  /** Resolves after so many milliseconds, when the person does not want to wait, and when the signal is aborted. */
  wait(milliseconds: number, signal: CancelSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** An answer that the person gave before and that holds for this question too. */
  answered?(request: ApprovalRequest): ApprovalAnswer | undefined;
  /** Resolves with the person's answer to what a tool asks. */
  decide(approval: Approval): Promise<ApprovalAnswer>;
  /** Asked before each request. */
  admit(request: NextRequest): Admission;
}

export interface NextRequest {
  readonly body: RequestBody;
  readonly beginning: Beginning;
}

/** May it be sent, and what is it reckoned to take? */
export type Admission =
  | { readonly kind: 'go'; /** Tokens of input. */ readonly expectedInput?: number }
  | { readonly kind: 'refused'; readonly failure: Failure };

export interface TurnSpec {
  /** Unique within the conversation. */
  readonly turn: string;
  readonly start: TurnStart;
  readonly model: ModelId;
  readonly effort: Effort;
  readonly instructions: string;
  /** All that was kept so far, without anything of a new turn; of a resumed turn with what it kept. */
  readonly history: History;
  /** All that was sent so far in this conversation. */
  readonly requests: RequestLog;
  /** Left to the server when absent. */
  readonly maxOutputTokens?: number;
  /** Left to the server when absent. */
  readonly cacheTtl?: CacheTtl;
  /** Where the service may search the web; not at all when absent. */
  readonly webSearch?: WebSearchScope | undefined;
  /** Requests in this run of the turn. */
  readonly maxRounds?: number;
  readonly signal: CancelSignal;
  /** Aborted when the person goes on while tools only wait for them: the turn then ends with what the tools answer. */
  readonly later?: CancelSignal;
}

export type TurnStart =
  /** `message` is the question as the model reads it, attachments included; `note`, when given, is what it is told before that. */
  | {
      readonly kind: 'ask';
      readonly question: Question;
      readonly message: UserMessageItem;
      readonly note?: UserMessageItem;
    }
  /** Goes on with a turn that ended. `shown` is the turn as it stands; `message`, when given, is said to the model first. */
  | { readonly kind: 'resume'; readonly shown: Turn; readonly message?: UserMessageItem };

/** Many more than a person would wait for. A model that goes round in circles is stopped before it costs a fortune. */
export const defaultMaxRounds = 50;

/**
 * Runs a turn. Never throws; whatever goes wrong is the `end` of the last event. The order of the events is told in `turnEvent.ts`.
 *
 * Aborting `spec.signal` at any moment ends the turn as `stopped`, after the running tools have settled: what they did is never
 * left untold. Whatever was kept is then valid for the next request.
 */
export async function* runTurn(ports: TurnPorts, spec: TurnSpec): AsyncGenerator<TurnEvent, void, undefined> {
  const record = new TurnRecord(spec, firstRound(spec.start));
  let end: TurnEnd;
  try {
    end = yield* rounds(ports, spec, record);
  } catch (error) {
    end = { kind: 'failed', failure: { kind: 'bug', detail: describeError(error) } };
  }
  yield* closeOpen(ports, spec, record, notRun(end));
  const broken = record.broken.length > 0 ? { broken: record.broken } : {};
  yield { kind: 'turnEnded', turn: spec.turn, end, ...broken, at: ports.clock() };
}

async function* rounds(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
): AsyncGenerator<TurnEvent, TurnEnd, undefined> {
  for (const event of opening(ports, spec)) yield record.note(event);
  const most = spec.maxRounds ?? defaultMaxRounds;
  for (let round = 0; round < most; round++) {
    if (spec.signal.aborted) return { kind: 'stopped' };
    record.startRound();
    const { items, end } = yield* request(ports, spec, record);
    const kept = keepItems(items, end.kind === 'completed', declarations(ports, spec));
    if (end.kind !== 'completed') {
      yield* keepUnfinished(spec, record, kept, end);
      return end;
    }
    record.finishRound();
    if (kept.items.length > 0) yield record.note({ kind: 'itemsKept', turn: spec.turn, items: kept.items });
    if (kept.calls.length === 0) return { kind: 'completed' };
    const settled = yield* noted(record, runTools(ports, spec, record, kept.calls));
    const outputs = settled.map(({ call, outcome }) => outputItem(call.item, outcome.text));
    yield record.note({ kind: 'itemsKept', turn: spec.turn, items: outputs });
    if (spec.later?.aborted === true && !spec.signal.aborted) return { kind: 'completed' };
  }
  if (spec.signal.aborted) return { kind: 'stopped' };
  return { kind: 'failed', failure: { kind: 'tooManyRounds', rounds: most } };
}

function* opening(ports: TurnPorts, spec: TurnSpec): Generator<TurnEvent, void, undefined> {
  const { turn, start, model, effort } = spec;
  const at = ports.clock();
  if (start.kind === 'ask') {
    yield { kind: 'turnStarted', turn, question: start.question, model, effort, at };
  } else {
    const { shown } = start;
    yield {
      kind: 'turnResumed',
      turn,
      drop: shown.broken ?? [],
      ...(shown.model !== model && { model }),
      ...(shown.effort !== effort && { effort }),
      at,
    };
  }
  const note = start.kind === 'ask' && start.note !== undefined ? [start.note] : [];
  if (start.message !== undefined) yield { kind: 'itemsKept', turn, items: [...note, start.message] };
}

/** Sends one request, again where that is safe, and tells what comes back as it comes. */
async function* request(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
): AsyncGenerator<TurnEvent, Pick<Answer, 'items' | 'end'>, undefined> {
  const { turn, effort, model: id } = spec;
  const model = modelRow(id);
  if (model === undefined) throw new Error(`No such model: ${id}`);
  const body = buildRequest({
    model,
    effort,
    instructions: spec.instructions,
    tools: declarations(ports, spec),
    history: record.history,
    maxOutputTokens: spec.maxOutputTokens,
    cacheTtl: spec.cacheTtl,
  });
  const beginning = beginningOf(record.requests, body);
  const origin = ports.model.origin?.();
  const admission =
    wasRefused(spec.start, record.requests, { body, origin }) ?? ports.admit({ body, beginning });
  if (admission.kind === 'refused') return { items: [], end: { kind: 'failed', failure: admission.failure } };
  const { room } = termsOf(body);
  yield record.note({ kind: 'requestMade', turn, body, ...(origin !== undefined && { origin }) });
  yield record.note({
    kind: 'requestSent',
    turn,
    round: record.round,
    model: id,
    effort,
    ...(admission.expectedInput !== undefined && { expectedInput: admission.expectedInput }),
    beginning,
    ...(room !== undefined && { room }),
    at: ports.clock(),
  });
  // Whoever reads the turn may leave: then nobody is told, and nothing more is sent.
  const answer = yield* patiently(ports, spec, record, body);
  const { usage, cacheTtl } = answer;
  yield record.note({
    kind: 'requestEnded',
    turn,
    usage,
    ...(answer.unbilled && { unbilled: true }),
    ...(cacheTtl !== undefined && { cacheTtl }),
    at: ports.clock(),
  });
  return answer;
}

function declarations({ tools }: TurnPorts, { webSearch }: TurnSpec): readonly ToolDeclaration[] {
  return declarationsOf(tools, webSearch);
}

/** A request that the service refused for what is in it is refused again: sending it would only be counted against its limits. */
function wasRefused(
  start: TurnStart,
  log: RequestLog,
  request: { readonly body: RequestBody; readonly origin: string | undefined },
): Admission | undefined {
  if (start.kind !== 'resume' || start.shown.end?.kind !== 'failed') return undefined;
  const message = reasonInRequest(start.shown.end.failure);
  if (message === undefined || !isLast(log, request)) return undefined;
  return { kind: 'refused', failure: { kind: 'unchanged', message } };
}

/** The answer to the first attempt that reached the service, or to the last one made. */
async function* patiently(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
  body: RequestBody,
): AsyncGenerator<TurnEvent, Answer & { readonly unbilled: boolean }, undefined> {
  const { turn, signal } = spec;
  /** Hosts that nothing can be sent to; undefined is that of the settings. */
  const untrusted = new Set<string | undefined>();
  for (let attempts = 1; ; attempts++) {
    const answer = yield* noted(record, ask(ports, spec, record, body));
    if (answer.began || answer.end.kind !== 'failed') return { ...answer, unbilled: false };
    const { failure } = answer.end;
    const unbilled = !mayBeBilled(failure);
    const retry = retryAfter(failure, attempts, () => ports.random());
    if (retry.kind !== 'wait') return { ...answer, unbilled };
    const { wait, asked, elsewhere, onlyElsewhere } = retry.plan;
    if (onlyElsewhere) untrusted.add(record.via?.host);
    const other = record.via === undefined ? ports.model.otherAddress?.() : undefined;
    if (elsewhere && !untrusted.has(other?.host)) record.via = other;
    else if (onlyElsewhere) return { ...answer, unbilled };
    const via = record.via === undefined ? {} : { via: record.via.host };
    const since = ports.clock();
    yield record.note({
      kind: 'retryScheduled',
      turn,
      retry: {
        failure,
        attempt: attempts + 1,
        of: mostAttempts,
        since,
        until: since + wait,
        ...(asked !== undefined && { asked }),
        ...via,
      },
    });
    await ports.wait(wait, signal);
    if (signal.aborted) return { ...answer, end: { kind: 'stopped' }, unbilled };
    yield record.note({ kind: 'retryStarted', turn, ...via, at: ports.clock() });
  }
}

function ask(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
  body: RequestBody,
): AsyncGenerator<TurnEvent, Answer, undefined> {
  return readAnswer(ports.model.send(body, spec.signal, record.via), {
    turn: spec.turn,
    tools: ports.tools,
    signal: spec.signal,
    partOf: (slot) => record.partOf(slot),
    clock: () => ports.clock(),
  });
}

/** An answer that the server ended early stands, and is gone on from; one that broke is asked for again when the turn is resumed. */
function* keepUnfinished(
  spec: TurnSpec,
  record: TurnRecord,
  kept: Kept,
  end: TurnEnd,
): Generator<TurnEvent, void, undefined> {
  if (end.kind === 'incomplete') record.finishRound();
  if (kept.items.length === 0) return;
  const outputs = kept.calls.map((call) => outputItem(call.item, notRun(end)));
  const partial = end.kind === 'incomplete' ? {} : { partial: true };
  yield record.note({ kind: 'itemsKept', turn: spec.turn, items: [...kept.items, ...outputs], ...partial });
}

function runTools(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
  calls: readonly KeptCall[],
): AsyncGenerator<TurnEvent, readonly SettledCall[], undefined> {
  return runCalls({
    turn: spec.turn,
    tools: ports.tools,
    calls,
    signal: spec.signal,
    later: spec.later,
    partOf: (call) => record.partOf(call.slot),
    clock: () => ports.clock(),
    newId: () => ports.newId(),
    answered: (request) => ports.answered?.(request),
    decide: (approval) => ports.decide(approval),
  });
}

/** What the answer left open: texts that broke off, and calls that never ran. */
function* closeOpen(
  ports: TurnPorts,
  spec: TurnSpec,
  record: TurnRecord,
  text: string,
): Generator<TurnEvent, void, undefined> {
  const { turn } = spec;
  for (const [part, what] of record.open) {
    const at = ports.clock();
    if (what === 'text') yield { kind: 'partClosed', turn, part, at };
    else yield { kind: 'toolSettled', turn, part, outcome: { kind: 'cancelled', text }, at };
  }
}

/** Passes everything on and takes note of it. */
async function* noted<R>(
  record: TurnRecord,
  events: AsyncGenerator<TurnEvent, R, undefined>,
): AsyncGenerator<TurnEvent, R, undefined> {
  let finished = false;
  try {
    for (;;) {
      const step = await events.next();
      finished = step.done === true;
      if (step.done === true) return step.value;
      yield record.note(step.value);
    }
  } finally {
    // The reader went away: the answer's connection must not stay behind.
    if (!finished) await events.return(undefined as never);
  }
}

function notRun(end: TurnEnd): string {
  return end.kind === 'stopped'
    ? cancelledOutcome.text
    : 'Not run: the answer ended before this call was complete. Nothing was done.';
}

/** Behind every round that the shown parts came from: a part's id is never used twice in a turn. */
function firstRound(start: TurnStart): number {
  if (start.kind === 'ask') return 0;
  return Math.max(0, ...start.shown.parts.map((part) => roundOf(part.id) + 1));
}
