/** What a file `*.bench.ts` exports. */
export interface BenchFile {
  readonly benches: readonly Bench[];
  /** What the medians say together, by the benchmarks' names; one that was not run is not there. */
  readonly remarks?: (medians: ReadonlyMap<string, number>) => readonly string[];
}

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
  /** One measurement. Called a few times unmeasured first, so that the compiler has done its work. */
  readonly measure: () => number | Promise<number>;
}

/** @returns milliseconds that `work` took */
export function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
