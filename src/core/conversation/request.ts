/**
 * The one place that makes a request, from the model's row and the history to the body, and that tells what was asked for in one. No
 * other file knows the names of the body's settings.
 */
import {
  effortFor,
  modelRow,
  mostOutputTokens,
  type CacheTtl,
  type Effort,
  type ModelRow,
} from '../responses/models.ts';
import type { AnswerFormat, RequestBody, ToolDeclaration } from '../responses/wire.ts';
import type { BeginningChange } from './beginning.ts';
import { historyItems, type History } from './history.ts';

export interface RequestParts {
  readonly model: ModelRow;
  /** Wanted; the nearest one the model has is sent. */
  readonly effort: Effort;
  readonly instructions: string;
  /** In an order that does not change within a conversation. */
  readonly tools: readonly ToolDeclaration[];
  readonly history: History;
  /** Tokens for reasoning and answer together; cut to what the service takes. Left to the server when absent. */
  readonly maxOutputTokens?: number | undefined;
  /** Sent only to models that take it. The service's own default when absent. */
  readonly cacheTtl?: CacheTtl | undefined;
  /** Sent only to models that take it. */
  readonly format?: AnswerFormat;
}

/**
 * The body of the next request. Keys come in a fixed order and `input` last, so that a body starts with the bytes of the one before
 * it as far as nothing but the history grew: the server's cache matches beginnings.
 *
 * Left out where it would say nothing or be refused: `reasoning` for a model with one effort, `tools` and `tool_choice` without
 * tools, `include` without a search in the web. Never sent: `temperature` and `top_p`, which the models fix, and anything that would make the server keep state.
 */
export function buildRequest(parts: RequestParts): RequestBody {
  const { model, instructions, tools, history, maxOutputTokens, cacheTtl, format } = parts;
  return {
    model: model.id,
    stream: true,
    instructions,
    ...(model.efforts.length > 1 && { reasoning: { effort: effortFor(model, parts.effort) } }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: withinLimits(maxOutputTokens) }),
    ...(cacheTtl !== undefined &&
      model.cacheOptions && { prompt_cache_options: { mode: 'implicit' as const, ttl: cacheTtl } }),
    ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }),
    ...(tools.some(({ type }) => type === 'web_search') && { include: sourcesAndImages }),
    ...(format !== undefined && model.structuredOutput && { text: { format } }),
    input: historyItems(history, model.id),
  };
}

const sourcesAndImages = ['web_search_call.action.sources', 'web_search_call.results'] as const;

function withinLimits(tokens: number): number {
  return Math.min(mostOutputTokens, Math.max(1, Math.trunc(tokens)));
}

/** What a request asks for beside its content. */
export interface RequestTerms {
  /** Undefined only for a model that is not in the table. */
  readonly effort: Effort | undefined;
  /** Tokens for reasoning and answer, where they are limited. */
  readonly room?: number;
  readonly cacheTtl?: CacheTtl;
}

export function termsOf(body: Omit<RequestBody, 'input'>): RequestTerms {
  const { model, reasoning, max_output_tokens: room, prompt_cache_options: cache } = body;
  return {
    // A model with one effort is not sent it.
    effort: reasoning?.effort ?? modelRow(model)?.defaultEffort,
    ...(room !== undefined && { room }),
    ...(cache !== undefined && { cacheTtl: cache.ttl }),
  };
}

/** The first thing in front of the input that the model reads and that differs. */
export function firstDifference(
  before: Omit<RequestBody, 'input'>,
  body: Omit<RequestBody, 'input'>,
): Exclude<BeginningChange, 'input'> | undefined {
  if (before.model !== body.model) return 'model';
  if (before.instructions !== body.instructions) return 'instructions';
  if (before.reasoning?.effort !== body.reasoning?.effort) return 'effort';
  const same = before.tools === body.tools || JSON.stringify(before.tools) === JSON.stringify(body.tools);
  return same ? undefined : 'tools';
}
