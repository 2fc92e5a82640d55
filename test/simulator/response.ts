/** The response object: what of the request is echoed, what is fixed, what the state of the answer adds. */
import { modelOrStandIn, type SimulatedModel } from './models.ts';
import type { InputUsage } from './cache.ts';
import {
  isJsonObject,
  type CacheOptions,
  type JsonObject,
  type OutputItem,
  type ResponseObject,
  type ResponseStatus,
  type UsageObject,
} from './wire.ts';

export interface AnswerState {
  readonly status: ResponseStatus;
  /** Finished items, by rising output index. */
  readonly output: readonly OutputItem[];
  readonly spent: number;
  readonly reasoning: number;
  /** Why the answer is incomplete. */
  readonly reason?: string;
  /** Why it failed. */
  readonly error?: { readonly code: string; readonly message: string };
}

export type Describe = (state: AnswerState) => ResponseObject;

/** `now` in milliseconds since the epoch; the object has whole seconds. */
export function describeResponse(
  body: JsonObject,
  id: string,
  input: InputUsage,
  now: () => number,
): Describe {
  const model = modelOrStandIn(String(body['model']));
  const created = Math.floor(now() / 1000);
  return (state) => ({
    id,
    object: 'response',
    created_at: created,
    completed_at: ended(state.status) ? Math.floor(now() / 1000) : null,
    status: state.status,
    model: model.id,
    output: [...state.output],
    usage: ended(state.status) ? usage(model, input, state) : null,
    incomplete_details: state.reason === undefined ? null : { reason: state.reason },
    error: state.error ?? null,
    instructions: echo(body['instructions'], (value) => typeof value === 'string'),
    reasoning: body['reasoning'] ?? null,
    text: body['text'] ?? null,
    tools: body['tools'] ?? null,
    tool_choice: echo(body['tool_choice'], (value) => typeof value === 'string'),
    max_output_tokens: echo(body['max_output_tokens'], (value) => typeof value === 'number'),
    temperature: echo(body['temperature'], (value) => typeof value === 'number'),
    top_p: echo(body['top_p'], (value) => typeof value === 'number'),
    parallel_tool_calls: true,
    service_tier: null,
    store: false,
    background: false,
    previous_response_id: null,
    conversation: null,
    ...(model.cacheOptions ? { prompt_cache_options: appliedCacheOptions(body) } : {}),
    metadata: null,
  });
}

/** Failed and running answers have neither an end time nor a usage. */
function ended(status: ResponseStatus): boolean {
  return status === 'completed' || status === 'incomplete';
}

/** What the server applies: the documented defaults where the request says nothing. */
export function appliedCacheOptions(body: JsonObject): CacheOptions {
  const asked = body['prompt_cache_options'];
  return { mode: 'implicit', ttl: isJsonObject(asked) && asked['ttl'] === '1h' ? '1h' : '5m' };
}

function usage(model: SimulatedModel, input: InputUsage, state: AnswerState): UsageObject {
  return {
    input_tokens: input.tokens,
    input_tokens_details: {
      cached_tokens: input.cached,
      ...(model.reportsCacheWrites ? { cache_write_tokens: input.written } : {}),
    },
    output_tokens: state.spent,
    output_tokens_details: { reasoning_tokens: state.reasoning },
    total_tokens: input.tokens + state.spent,
  };
}

function echo<T>(value: unknown, fits: (value: unknown) => value is T): T | null {
  return fits(value) ? value : null;
}
