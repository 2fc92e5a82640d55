/**
 * What each model can do, as data. Every difference between the models is a cell here, never a comparison of names elsewhere.
 * Source: the API's reference page (models, reasoning effort, structured output, cache options, usage).
 */
export type ModelId = 'kimi-k3.1-pro' | 'kimi-k3.1-pro-highspeed' | 'kimi-k3';
export type Effort = 'low' | 'high' | 'max';
/** How long the service is asked to keep what it cached. */
export type CacheTtl = '5m' | '1h';

/** Tokens for reasoning and answer together: the most the service takes, and what it allows when nothing is said. */
export const mostOutputTokens = 1_048_576;
export const defaultOutputTokens = 131_072;

export interface ModelRow {
  readonly id: ModelId;
  /** Short name for a picker. */
  readonly label: string;
  /** Tokens, input and output together. */
  readonly contextWindow: number;
  /** In rising order. A model with a single effort is never sent the field: its only value is the default. */
  readonly efforts: readonly Effort[];
  readonly defaultEffort: Effort;
  /** Accepts `text.format`. */
  readonly structuredOutput: boolean;
  /** Accepts `prompt_cache_options`. */
  readonly cacheOptions: boolean;
  /** `cache_write_tokens` are billed apart, so they are taken out of regular input. */
  readonly cacheWritesBilled: boolean;
}

const contextWindow = 1_048_576;

export const models: readonly ModelRow[] = [
  {
    id: 'kimi-k3.1-pro',
    label: 'K3.1 Pro',
    contextWindow,
    efforts: ['low', 'high', 'max'],
    defaultEffort: 'max',
    structuredOutput: true,
    cacheOptions: true,
    cacheWritesBilled: true,
  },
  {
    id: 'kimi-k3.1-pro-highspeed',
    label: 'K3.1 Pro Highspeed',
    contextWindow,
    efforts: ['low', 'high', 'max'],
    defaultEffort: 'max',
    structuredOutput: true,
    cacheOptions: true,
    cacheWritesBilled: true,
  },
  {
    id: 'kimi-k3',
    label: 'K3',
    contextWindow,
    efforts: ['max'],
    defaultEffort: 'max',
    structuredOutput: false,
    cacheOptions: false,
    cacheWritesBilled: false,
  },
];

/** The row of a model id, or undefined for an id that is not in the table (settings are written by hand). */
export function modelRow(id: string): ModelRow | undefined {
  return models.find((row) => row.id === id);
}

/** The nearest effort the model has: the wanted one, else its default. */
export function effortFor(row: ModelRow, wanted: string | undefined): Effort {
  return row.efforts.find((effort) => effort === wanted) ?? row.defaultEffort;
}
