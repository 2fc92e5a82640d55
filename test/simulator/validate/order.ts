/** Rules for the order of items: what the model's chat format needs to make turns of them. */
import type { JsonObject } from '../wire.ts';
import { isCall, isOutput, itemsOf } from './items.ts';
import { complain, nameOf } from './shape.ts';
import type { Complaint } from './violation.ts';

interface Placed {
  readonly param: string;
  readonly item: JsonObject;
  readonly type: string;
}

/** Neighbouring calls and the outputs that follow them. */
interface Exchange {
  /** Index of the first call among the items. */
  readonly start: number;
  readonly calls: readonly Placed[];
  readonly outputs: readonly Placed[];
}

export function* callIdsDistinct(body: JsonObject): Iterable<Complaint> {
  for (const { calls } of exchanges(placedItems(body))) {
    for (const [index, call] of calls.entries()) {
      if (calls.slice(0, index).some((earlier) => sameCall(earlier, call))) {
        yield* complain(`${call.param}.call_id`, `${nameOf(call.item['call_id'])} is used twice in one turn`);
      }
    }
  }
}

/** Every call is followed by its output; only the other calls of the same turn and their outputs may come first. */
export function* callsHaveOutputs(body: JsonObject): Iterable<Complaint> {
  for (const { calls, outputs } of exchanges(placedItems(body))) {
    for (const call of calls) {
      if (!outputs.some((output) => sameCall(output, call))) {
        const id = nameOf(call.item['call_id']);
        yield* complain(
          `${call.param}.call_id`,
          `no output for ${id} follows directly after the calls of its turn`,
        );
      }
    }
  }
}

export function* outputsHaveCalls(body: JsonObject): Iterable<Complaint> {
  const items = placedItems(body);
  const answered = new Set<Placed>();
  for (const { calls, outputs } of exchanges(items)) {
    for (const output of outputs) {
      const earlier = outputs.slice(0, outputs.indexOf(output));
      if (earlier.some((other) => sameCall(other, output))) {
        yield* complain(`${output.param}.call_id`, `${nameOf(output.item['call_id'])} has a second output`);
      }
      if (calls.some((call) => sameCall(call, output))) answered.add(output);
    }
  }
  for (const item of items) {
    if (!isOutput(item.type) || answered.has(item)) continue;
    yield* complain(
      `${item.param}.call_id`,
      `no call ${nameOf(item.item['call_id'])} stands before this output`,
    );
  }
}

export function* outputKindsMatch(body: JsonObject): Iterable<Complaint> {
  for (const { calls, outputs } of exchanges(placedItems(body))) {
    for (const output of outputs) {
      const call = calls.find((each) => sameCall(each, output));
      if (call !== undefined && output.type !== `${call.type}_output`) {
        yield* complain(
          `${output.param}.type`,
          `must be "${call.type}_output", as ${call.param} is a ${call.type}`,
        );
      }
    }
  }
}

/** The models always think: a turn with calls but without its reasoning is not one of theirs. */
export function* reasoningBeforeCalls(body: JsonObject): Iterable<Complaint> {
  const items = placedItems(body);
  for (const { start, calls } of exchanges(items)) {
    const call = calls[0];
    if (call === undefined) continue;
    let place = start - 1;
    while (place >= 0 && isBetweenReasoningAndCall(items[place])) place -= 1;
    if (items[place]?.type !== 'reasoning') {
      yield* complain(call.param, 'the reasoning that led to this call is missing before it');
    }
  }
}

/** Reasoning is replayed with what came of it, or not at all. */
export function* reasoningLeadsSomewhere(body: JsonObject): Iterable<Complaint> {
  const items = placedItems(body);
  for (const [index, { param, type }] of items.entries()) {
    if (type !== 'reasoning') continue;
    const next = items.slice(index + 1).find((item) => item.type !== 'web_search_call');
    const fits =
      next !== undefined && (next.type === 'reasoning' || isCall(next.type) || isAssistantMessage(next));
    if (!fits) yield* complain(param, 'no message or call follows this reasoning');
  }
}

function isBetweenReasoningAndCall(item: Placed | undefined): boolean {
  return item !== undefined && (isAssistantMessage(item) || item.type === 'web_search_call');
}

function isAssistantMessage({ item, type }: Placed): boolean {
  return type === 'message' && item['role'] === 'assistant';
}

/** Call ids come again in other turns, so they only say something within one. */
function sameCall(one: Placed, other: Placed): boolean {
  return one.item['call_id'] === other.item['call_id'];
}

function placedItems(body: JsonObject): readonly Placed[] {
  return [...itemsOf(body)].map(([param, item, type]) => ({ param, item, type }));
}

function exchanges(items: readonly Placed[]): readonly Exchange[] {
  const found: Exchange[] = [];
  let at = 0;
  while (at < items.length) {
    const start = at;
    const calls = runFrom(items, at, isCall);
    at += calls.length;
    const outputs = calls.length > 0 ? runFrom(items, at, isOutput) : [];
    at += outputs.length;
    if (calls.length > 0) found.push({ start, calls, outputs });
    else at += 1;
  }
  return found;
}

function runFrom(items: readonly Placed[], from: number, fits: (type: string) => boolean): readonly Placed[] {
  const end = items.findIndex((item, index) => index >= from && !fits(item.type));
  return items.slice(from, end < 0 ? items.length : end);
}
