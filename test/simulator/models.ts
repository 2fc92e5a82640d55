/** What each model accepts, as the reference states it: data for the rules and for the usage. */

export interface SimulatedModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly defaultOutput: number;
  readonly efforts: readonly string[];
  readonly structuredOutput: boolean;
  readonly cacheOptions: boolean;
  /** `temperature` and `top_p` are ignored; otherwise a value other than the fixed one is refused. */
  readonly ignoresSampling: boolean;
  /** Reports `cache_write_tokens`. */
  readonly reportsCacheWrites: boolean;
}

const series31 = {
  contextWindow: 1_048_576,
  maxOutput: 1_048_576,
  defaultOutput: 131_072,
  efforts: ['low', 'high', 'max'],
  structuredOutput: true,
  cacheOptions: true,
  ignoresSampling: true,
  reportsCacheWrites: true,
} as const;

export const simulatedModels: readonly SimulatedModel[] = [
  { id: 'kimi-k3.1-pro', ...series31 },
  { id: 'kimi-k3.1-pro-highspeed', ...series31 },
  {
    id: 'kimi-k3',
    ...series31,
    efforts: ['max'],
    structuredOutput: false,
    cacheOptions: false,
    ignoresSampling: false,
    reportsCacheWrites: false,
  },
];

export const fixedTemperature = 1;
export const fixedTopP = 0.95;

export function findModel(id: unknown): SimulatedModel | undefined {
  return simulatedModels.find((model) => model.id === id);
}

/** The row used for a name the table does not have, which only the lenient mode lets through. */
export function modelOrStandIn(id: string): SimulatedModel {
  return findModel(id) ?? { id, ...series31 };
}
