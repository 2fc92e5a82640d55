/** Runs the cases of one boundary in a thread of its own, so that one that never comes to its end can be ended. */
import { parentPort, workerData } from 'node:worker_threads';

import { boundaries, type BoundaryName, type TryCase } from './boundary.ts';
import { Chance } from './chance.ts';

export interface ThreadWork {
  readonly boundary: BoundaryName;
  readonly seed: number;
  /** The cases from here, up to before there. */
  readonly from: number;
  readonly to: number;
}

/** `begun` before each few cases and, with `at` as the case, when one failed. */
export type ThreadNews =
  | { readonly kind: 'begun'; readonly at: number }
  | { readonly kind: 'failed'; readonly at: number; readonly error: string }
  | { readonly kind: 'done'; readonly slowest: { readonly at: number; readonly milliseconds: number } };

const { boundary, seed, from, to } = workerData as ThreadWork;
const tell = (news: ThreadNews): void => parentPort?.postMessage(news);
const tryCase: TryCase = await boundaries[boundary]();
let at = from;
// A promise that nobody waits for is a fault too.
process.on('unhandledRejection', (error) => fail(error));
let slowest = { at: from, milliseconds: 0 };
try {
  for (; at < to; at++) {
    tell({ kind: 'begun', at });
    const start = performance.now();
    await tryCase(new Chance(seed, at));
    const milliseconds = performance.now() - start;
    if (milliseconds > slowest.milliseconds) slowest = { at, milliseconds };
    // What was left to be done later belongs to this case.
    if (at % 100 === 0 || at === to - 1) await new Promise(setImmediate);
  }
  // Whoever heard that a case failed has stopped listening.
  tell({ kind: 'done', slowest });
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  tell({
    kind: 'failed',
    at,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}
