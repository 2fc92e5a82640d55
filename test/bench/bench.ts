/** What a file `*.bench.ts` exports. */
export interface BenchFile {
  readonly benches: readonly Bench[];
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
