/** A thousand turns with faults of all kinds: what they leave in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { seed } from '../simulator/arbitraries.ts';
import { soak } from '../wire/soak.ts';
import type { Report } from './bench.ts';

/** Attempts: some go on with a turn that broke, so that these make a thousand turns. */
const attempts = 1_700;
const every = 100;

async function run(): Promise<readonly string[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const figures: string[] = [];
  const { requests, ends } = await soak(attempts, seed, (soFar) => {
    if (soFar % every !== 0) return;
    collect();
    const { heapUsed, external } = process.memoryUsage();
    figures.push(((heapUsed + external) / 1e6).toFixed(1));
  });
  const turns = [...ends.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${turns} turns, ${attempts} attempts, ${requests} requests, seed ${seed}; no socket, timer or listener was left`,
    `ended as ${[...ends].map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    `memory in use after each ${every} attempts, MB: ${figures.join(', ')}`,
  ];
}

export const reports: readonly Report[] = [{ name: 'soak', run }];
