/** What a file `*.bench.ts` exports. */
export interface BenchFile {
  readonly benches?: readonly Bench[];
  readonly contests?: readonly Contest[];
  readonly reports?: readonly Report[];
  /** What the measurements say together, by the benchmarks' names; one that was not run or gave nothing is not there. */
  readonly remarks?: (measured: ReadonlyMap<string, Measured>) => readonly string[];
}

export interface Measured {
  /** The best of the measurements: on a busy machine the one that was disturbed least. */
  readonly best: number;
  readonly median: number;
}

/** Thrown by `measure` where there is nothing to measure: the work takes too long, or gives a wrong result. Its message stands in the table. */
export class NotMeasured extends Error {}

/** Speeds are for people to read and compare; no test fails by one. */
export interface Bench {
  readonly name: string;
  /** Of what `measure` returns: `MB/s`, `ms`. */
  readonly unit: string;
  /** Which way is better, so that a reader need not guess. */
  readonly better: 'more' | 'less';
  /** Done once before the first measurement and not counted; what it returns is undone by `teardown`. */
  readonly setup?: () => void | Promise<void>;
  readonly teardown?: () => void | Promise<void>;
  /** How many measurements are made, 15 if not given. */
  readonly measurements?: number;
  /** One measurement. Called a few times unmeasured first, so that the compiler has done its work. */
  readonly measure: () => number | Promise<number>;
}

/**
 * The same work done by several, in turns within one run: what the machine does beside it slows all of them. The first is ours; each
 * other one is told of as a ratio, which is the median of those of the rounds.
 */
export interface Contest {
  readonly name: string;
  /** What one measurement gets through; speeds are told as so much of each a second. */
  readonly amounts: readonly { readonly unit: string; readonly amount: number }[];
  readonly rounds: number;
  readonly setup: () => Promise<void>;
  readonly teardown: () => Promise<void>;
  readonly contestants: readonly Contestant[];
}

export interface Contestant {
  readonly name: string;
  /** Milliseconds of one measurement. */
  readonly measure: () => Promise<number>;
  /** Of our speed over this one's. */
  readonly wanted?: number;
}

/** Figures that are no speeds: each line is one. */
export interface Report {
  readonly name: string;
  readonly run: () => Promise<readonly string[]>;
}

/** @returns the value below which so much of them lies */
export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.round(part * (values.length - 1))] ?? Number.NaN;
}

/** @returns milliseconds that `work` took */
export function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** @returns milliseconds of processor time, those of the collector's threads included: says more than the clock on a busy machine */
export function processorMilliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
