/** Tries a boundary with so many cases, and tells the first that failed or never ended by what makes it again. */
import { Worker } from 'node:worker_threads';

import { boundaries, type BoundaryName } from './boundary.ts';
import type { ThreadNews, ThreadWork } from './thread.ts';

/** Milliseconds for one case: far more than any takes on a busy machine. */
const patience = 30_000;

export interface Tried {
  readonly cases: number;
  readonly slowest: { readonly at: number; readonly milliseconds: number };
}

export const boundaryNames = Object.keys(boundaries) as readonly BoundaryName[];

/** Rejects with the case and the seed. `FC_SEED=… FUZZ_CASE=…` tries that one alone. */
export async function tryCases(boundary: BoundaryName, cases: number, seed: number): Promise<Tried> {
  const only = process.env['FUZZ_CASE'];
  const [from, to] = only === undefined ? [0, cases] : [Number(only), Number(only) + 1];
  const workerData: ThreadWork = { boundary, seed, from, to };
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData });
  const named = (at: number): string => `${boundary}, FC_SEED=${seed} FUZZ_CASE=${at}`;
  let at = from;
  let before = -1;
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Tried>((resolve, reject) => {
      watch = setInterval(() => {
        if (at === before) reject(new Error(`${named(at)}: is not done after ${patience / 1000} seconds`));
        before = at;
      }, patience);
      worker.on('message', (news: ThreadNews) => {
        switch (news.kind) {
          case 'begun':
            at = news.at;
            return;
          case 'failed':
            return reject(new Error(`${named(news.at)}: ${news.error}`));
          case 'done':
            return resolve({ cases: to - from, slowest: news.slowest });
        }
      });
      worker.on('error', (error) => reject(new Error(named(at), { cause: error })));
      worker.on('exit', () => reject(new Error(`${named(at)}: the thread ended`)));
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
