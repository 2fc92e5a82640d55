/** A hundred thousand cases of whatever may come over each boundary: none throws, hangs or leads outside. `FC_SEED` repeats a run. */
import { seed } from '../simulator/arbitraries.ts';
import { boundaryNames, tryCases } from '../properties/fuzz/run.ts';
import type { Report } from './bench.ts';

const cases = 100_000;

export const reports: readonly Report[] = boundaryNames.map((name) => ({
  name: `fuzz: ${name}`,
  run: async () => {
    const start = performance.now();
    try {
      const { cases: tried, slowest } = await tryCases(name, cases, seed);
      const seconds = Math.round((performance.now() - start) / 1000);
      return [
        `${tried.toLocaleString('en')} cases in ${seconds} s, seed ${seed}; the slowest, case ${slowest.at}, took ${Math.round(slowest.milliseconds)} ms`,
      ];
    } catch (error) {
      process.exitCode = 1;
      return [`FAILED: ${error instanceof Error ? error.message : String(error)}`];
    }
  },
}));
