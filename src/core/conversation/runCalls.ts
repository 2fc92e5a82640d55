/** Runs the tool calls of one response: prepare, execute, finalize. A call that can't run has an outcome like any other. */
import type { CancelSignal } from '../cancel.ts';
import { isJson, isJsonBeyond } from '../responses/json.ts';
import type { CallOutput } from '../responses/events.ts';
import type { Tool, ToolCall, ToolContext, ToolOutcome } from '../tools/tool.ts';
import type { Approval, ApprovalAnswer, ApprovalRequest } from './approval.ts';
import { calledTool } from './calledTool.ts';
import { EventQueue } from './eventQueue.ts';
import type { KeptCall } from './keep.ts';
import type { ShownEvent } from './turnEvent.ts';

export interface CallsSpec {
  readonly turn: string;
  readonly tools: readonly Tool[];
  readonly calls: readonly KeptCall[];
  readonly signal: CancelSignal;
  /** See `ToolContext`. */
  readonly later?: CancelSignal | undefined;
  /** The part in which a call is shown. */
  partOf(call: KeptCall): string;
  clock(): number;
  newId(): string;
  /** An answer that the person gave before and that holds for this question too: they are not asked again. */
  answered?(request: ApprovalRequest): ApprovalAnswer | undefined;
  /** Resolves with the person's answer. It need not look at the signals. */
  decide(approval: Approval): Promise<ApprovalAnswer>;
}

export interface SettledCall {
  readonly call: KeptCall;
  readonly outcome: ToolOutcome;
}

/**
 * Runs all calls at the same time, except that calls of a tool with `inOrder` wait for one another. Yields `toolAsked` when a call
 * starts, `toolReviewed` as often as the tool says so, and one `toolSettled` each; returns the outcomes, in the order of the calls.
 *
 * Never throws. After an abort, calls that have not started are cancelled, and running ones are waited for: a tool hears the
 * signal itself, and only it knows what it has done already.
 */
export async function* runCalls(
  spec: CallsSpec,
): AsyncGenerator<ShownEvent, readonly SettledCall[], undefined> {
  const queue = new EventQueue<ShownEvent>();
  const last = new Map<Tool, Promise<unknown>>();
  const running = spec.calls.map((kept) => {
    const prepared = prepare(spec.tools, kept.call);
    if (prepared.kind === 'refused' || prepared.tool.inOrder !== true)
      return runCall(spec, kept, prepared, queue);
    const before = last.get(prepared.tool) ?? Promise.resolve();
    const done = before.then(() => runCall(spec, kept, prepared, queue));
    last.set(prepared.tool, done);
    return done;
  });
  const outcomes = Promise.all(running).finally(() => {
    queue.close();
  });
  yield* queue.read();
  return await outcomes;
}

type Prepared =
  | { readonly kind: 'ready'; readonly tool: Tool; readonly input: string }
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome };

async function runCall(
  spec: CallsSpec,
  kept: KeptCall,
  prepared: Prepared,
  queue: EventQueue<ShownEvent>,
): Promise<SettledCall> {
  const { turn } = spec;
  const part = spec.partOf(kept);
  const settle = (outcome: ToolOutcome): SettledCall => {
    queue.push({ kind: 'toolSettled', turn, part, outcome, at: spec.clock() });
    return { call: kept, outcome };
  };
  if (spec.signal.aborted) return settle(cancelledOutcome);
  const input = prepared.kind === 'ready' ? prepared.input : kept.call.input;
  const differs = kept.inputDiffers || (input !== kept.call.input && kept.call.input.trim() !== '');
  queue.push({ kind: 'toolAsked', turn, part, ...(differs && { input }), at: spec.clock() });
  if (prepared.kind === 'refused') return settle(prepared.outcome);
  const { name, namespace } = kept.call;
  const call: ToolCall = {
    id: spec.newId(),
    name,
    ...(namespace !== undefined && { namespace }),
    input,
    complete: true,
  };
  let settled = false;
  /** Questions to the person without an answer. */
  const open = new Set<string>();
  const answered = (approval: string, answer: ApprovalAnswer): void => {
    if (open.delete(approval)) queue.push({ kind: 'approvalAnswered', turn, part, approval, answer });
  };
  const outcome = await execute(prepared.tool, call, {
    signal: spec.signal,
    later: spec.later,
    proposal: (proposal) => {
      // The outcome has the last word within a turn; what becomes of a proposal later is told by whoever owns it.
      if (!settled) queue.push({ kind: 'toolReviewed', turn, part, proposal });
    },
    ask: async (request) => {
      if (settled) return { kind: 'cancelled' };
      const before = spec.answered?.(request);
      if (before !== undefined) return before;
      const approval = { id: spec.newId(), request, askedAt: spec.clock() };
      open.add(approval.id);
      queue.push({ kind: 'approvalAsked', turn, part, approval });
      const answer = await answerOf(spec, approval);
      answered(approval.id, answer);
      return answer;
    },
  });
  settled = true;
  // A tool that asks and does not wait for the answer got none.
  for (const approval of [...open]) answered(approval, { kind: 'cancelled' });
  return settle(outcome);
}

export const cancelledOutcome: ToolOutcome = { kind: 'cancelled', text: 'Cancelled by the user.' };

/** More than any tool needs, and far from where writing such a value down fails. */
export const mostLevels = 100;

/** Longest arguments of a call, in UTF-16 units: more than any tool takes. A patch has its own. */
export const longestArguments = 4_000_000;

function prepare(tools: readonly Tool[], call: CallOutput): Prepared {
  const called = calledTool(tools, call.name, call.namespace);
  if (!called.ok) return refuse(called.error);
  const tool = called.value;
  if (tool.declaration.type === 'custom') {
    return { kind: 'ready', tool, input: call.type === 'function_call' ? unwrapped(call.input) : call.input };
  }
  const input = call.input.trim() === '' ? '{}' : call.input;
  if (input.length > longestArguments)
    return refuse(
      `The arguments of ${tool.declaration.name} are longer than ${longestArguments} characters. Nothing was done.`,
    );
  if (!isJson(input))
    return refuse(`The arguments of ${tool.declaration.name} are not valid JSON. Nothing was done.`);
  if (isJsonBeyond(input, mostLevels))
    return refuse(
      `The arguments of ${tool.declaration.name} are nested more than ${mostLevels} levels deep. Nothing was done.`,
    );
  return { kind: 'ready', tool, input };
}

function refuse(text: string): Prepared {
  return { kind: 'refused', outcome: { kind: 'failed', text } };
}

/** Some servers know no custom tools and wrap the raw text in the arguments of a function: `{"input": …}`, `{"patch": …}`. */
function unwrapped(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return text;
    const fields = Object.entries(value);
    const named = fields.find(([key]) => key === 'input') ?? fields.find(([key]) => key === 'patch');
    const inner: unknown = (named ?? (fields.length === 1 ? fields[0] : undefined))?.[1];
    return typeof inner === 'string' ? inner : text;
  } catch {
    return text;
  }
}

async function execute(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome> {
  try {
    return await tool.run(call, context);
  } catch (error) {
    return { kind: 'failed', text: `The tool failed because of a bug: ${describeError(error)}` };
  }
}

/** The person's answer, unless the turn is stopped or they go on before they give one. */
function answerOf(spec: CallsSpec, approval: Approval): Promise<ApprovalAnswer> {
  const { signal, later } = spec;
  return new Promise((resolve) => {
    const end = (answer: ApprovalAnswer): void => {
      signal.removeEventListener('abort', stop);
      later?.removeEventListener('abort', leave);
      resolve(answer);
    };
    const stop = (): void => end({ kind: 'cancelled' });
    const leave = (): void => end({ kind: 'later' });
    if (signal.aborted) return stop();
    if (later?.aborted === true) return leave();
    signal.addEventListener('abort', stop, { once: true });
    later?.addEventListener('abort', leave, { once: true });
    // Whoever can't ask has not been allowed anything.
    spec.decide(approval).then(end, () => end({ kind: 'deny' }));
  });
}

/** Name and message; never a stack, which holds paths of this machine. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
