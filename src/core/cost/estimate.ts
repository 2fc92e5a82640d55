/**
 * How many tokens a request will be, before it is sent, and what takes up the context window. Knows no service and no clock.
 *
 * The method:
 * 1. Every item, the instructions and the tools have a weight (`weights.ts`), which is near their number of tokens.
 * 2. A calibration brings weights to the service's scale: the ratio of the tokens that it counted to the weight of what was sent, the
 *    last requests counting most. It starts at 1, held there by a little weight of its own, so that a first tiny request says little.
 * 3. What the service counted is taken as it is. The next request is the last one that it counted, plus the output that it counted for
 *    the answer, plus the calibrated weight of what is new: the person's question, the outputs of tools. Only that is estimated.
 * 4. When the beginning changed (something was edited or dropped), the count of the last request is changed in proportion to the weight
 *    that left it, or by the calibrated weight that came to it.
 */
import type { HistoryItem, RequestBody } from '../responses/wire.ts';
import type { Usage } from '../responses/usage.ts';
import { Weights } from './weights.ts';

/** Tokens that the service counted, and the weight of what they were counted for; older ones fade. */
export interface Calibration {
  readonly tokens: number;
  readonly weight: number;
}

const startWeight = 200;
/** What an earlier count is worth beside the next one. */
const fading = 0.5;
/** A ratio beyond these is a mistake of somebody's, and not a tokenizer. */
const leastFactor = 0.25;
const mostFactor = 4;

export const noCalibration: Calibration = { tokens: startWeight, weight: startWeight };

/** Takes in that the service counted so many tokens of input for a body of this weight. */
export function calibrate(before: Calibration, weight: number, tokens: number): Calibration {
  if (weight <= 0 || tokens <= 0) return before;
  return { tokens: before.tokens * fading + tokens, weight: before.weight * fading + weight };
}

/** Tokens for one unit of weight. */
export function factorOf({ tokens, weight }: Calibration): number {
  return Math.min(mostFactor, Math.max(leastFactor, tokens / weight));
}

export interface Expected {
  readonly tokens: number;
  /** How many of them nobody has counted yet. */
  readonly estimated: number;
}

/** What a request is made of, as far as the model reads it. */
export type BodyContent = Pick<RequestBody, 'instructions' | 'tools' | 'input'>;

/** A request that the service counted. */
export interface CountedRequest {
  readonly body: BodyContent;
  readonly usage: Usage;
}

export class Estimator {
  readonly #weights = new Weights();

  /** Of the whole body, for `calibrate`. */
  weight(body: BodyContent): number {
    return this.#weights.body(body);
  }

  /** Tokens of items by themselves: of a question that is being written. */
  itemTokens(items: readonly HistoryItem[], calibration: Calibration): number {
    return Math.round(factorOf(calibration) * this.#weights.items(items));
  }

  /**
   * Tokens of input that `body` will be counted as.
   * @param last the last request of the same conversation and model that was counted
   */
  inputTokens(body: BodyContent, calibration: Calibration, last?: CountedRequest): Expected {
    const factor = factorOf(calibration);
    const weight = this.weight(body);
    if (last === undefined) return expected(0, factor * weight);
    const { body: before, usage } = last;
    const weightBefore = this.weight(before);
    if (!continues(body, before)) {
      return weight < weightBefore
        ? expected(0, usage.input * (weight / weightBefore))
        : expected(usage.input, factor * (weight - weightBefore));
    }
    const added = body.input.slice(before.input.length);
    const own = added.findIndex((item) => !isAnswer(item));
    const answer = own === -1 ? added : added.slice(0, own);
    const counted = answer.length === 0 ? 0 : usage.output;
    return expected(usage.input + counted, factor * this.#weights.items(added.slice(answer.length)));
  }

  /**
   * What takes up the window, by kind; the kinds add up to `total`, whatever that is. Tokens.
   * @param rules the parts of the messages that are standing instructions
   */
  breakdown(body: BodyContent, total: number, rules: ReadonlySet<object> = new Set()): ContextBreakdown {
    const weights: Record<ContextKind, number> = { ...nothing };
    weights.instructions = body.instructions === '' ? 0 : this.#weights.instructions(body.instructions);
    weights.tools = this.#weights.tools(body.tools ?? []);
    for (const item of body.input) this.#share(item, weights, rules);
    return shareOut(weights, Math.max(0, Math.round(total)));
  }

  #share(item: HistoryItem, weights: Record<ContextKind, number>, rules: ReadonlySet<object>): void {
    const weight = this.#weights.item(item);
    if (item.type !== 'message' || item.role !== 'user') {
      weights[kindOf(item)] += weight;
      return;
    }
    let own = weight;
    // The last part is the question itself; what was attached stands in front of it.
    for (const part of item.content.slice(0, -1)) {
      const attached = this.#weights.part(part);
      weights[rules.has(part) ? 'rules' : 'attachments'] += attached;
      own -= attached;
    }
    weights.questions += own;
  }
}

export type ContextKind =
  | 'instructions'
  | 'tools'
  | 'questions'
  | 'attachments'
  /** Standing instructions, of the person or of files such as `AGENTS.md`. */
  | 'rules'
  | 'answers'
  | 'reasoning'
  | 'toolCalls'
  /** What tools answered, and what became of their proposals later. */
  | 'toolOutputs';

export type ContextBreakdown = Readonly<Record<ContextKind, number>>;

const nothing: ContextBreakdown = {
  instructions: 0,
  tools: 0,
  questions: 0,
  attachments: 0,
  rules: 0,
  answers: 0,
  reasoning: 0,
  toolCalls: 0,
  toolOutputs: 0,
};

export const contextKinds = Object.keys(nothing) as readonly ContextKind[];

function kindOf(item: HistoryItem): ContextKind {
  switch (item.type) {
    case 'message':
      return item.role === 'assistant' ? 'answers' : 'toolOutputs';
    case 'reasoning':
      return 'reasoning';
    case 'function_call':
    case 'custom_tool_call':
    case 'web_search_call':
      return 'toolCalls';
    case 'function_call_output':
    case 'custom_tool_call_output':
      return 'toolOutputs';
  }
}

/** What a model sends, as against what it is sent. */
function isAnswer(item: HistoryItem): boolean {
  const kind = kindOf(item);
  return item.type === 'message' ? item.role === 'assistant' : kind !== 'toolOutputs';
}

function expected(counted: number, estimated: number): Expected {
  const rounded = Math.round(estimated);
  return { tokens: counted + rounded, estimated: rounded };
}

function continues(body: BodyContent, before: BodyContent): boolean {
  return (
    body.instructions === before.instructions &&
    startsWith(body.tools ?? [], before.tools ?? []) &&
    startsWith(before.tools ?? [], body.tools ?? []) &&
    startsWith(body.input, before.input)
  );
}

/** Objects are shared between requests, so nearly always one look at each is enough. */
function startsWith(list: readonly object[], start: readonly object[]): boolean {
  return (
    list.length >= start.length &&
    start.every((one, index) => one === list[index] || JSON.stringify(one) === JSON.stringify(list[index]))
  );
}

/** In whole tokens that add up: what rounding loses goes where it is missed most. */
function shareOut(weights: ContextBreakdown, total: number): ContextBreakdown {
  const all = contextKinds.reduce((sum, kind) => sum + weights[kind], 0);
  const shares: Record<ContextKind, number> = { ...nothing };
  if (all === 0) return shares;
  const exact = contextKinds.map((kind) => ({ kind, tokens: (weights[kind] / all) * total }));
  for (const { kind, tokens } of exact) shares[kind] = Math.floor(tokens);
  const left = total - contextKinds.reduce((sum, kind) => sum + shares[kind], 0);
  const byLoss = exact.toSorted((a, b) => (b.tokens % 1) - (a.tokens % 1));
  for (const { kind } of byLoss.slice(0, left)) shares[kind] += 1;
  return shares;
}
