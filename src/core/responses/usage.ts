/** Token counts of one response, in one vocabulary. */
export interface Usage {
  /** All input, cache reads and writes included. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** All output, reasoning included. */
  readonly output: number;
  readonly reasoning: number;
}
