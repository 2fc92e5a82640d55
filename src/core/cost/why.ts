/**
 * Why a request found in the service's cache what it found: one reason as data, for one line of text. Says no more than is known: the
 * service tells how much was cached and never why. Knows no words and no prices.
 */
import type { BeginningChange, RequestRecord, Turn } from '../conversation/conversation.ts';
import type { Usage } from '../responses/usage.ts';
import { cacheLife, cacheStep, wholeSteps } from './cacheLife.ts';

export type CacheReason =
  | { readonly kind: 'running' }
  /** Nothing was worked on, so there is nothing to explain. */
  | { readonly kind: 'unbilled' }
  | { readonly kind: 'untold' }
  /** Nothing was sent before it, or nothing that the service worked on. What is cached all the same comes from other conversations. */
  | { readonly kind: 'first' }
  /** It is a continuation, and all that could be found was found. */
  | { readonly kind: 'found' }
  /** It is a continuation, and `expected` tokens or a little less could have been found; only some were. */
  | { readonly kind: 'partly'; readonly expected: number }
  /** It does not begin like the request before. `same` input items of `of` stand in front of the difference. */
  | {
      readonly kind: 'changed';
      readonly by: BeginningChange;
      readonly same: number;
      readonly of: number;
    }
  /** What was sent before is shorter than the step in which the service caches. */
  | { readonly kind: 'short' }
  /** Nothing was found, and the time had run out: `idle` milliseconds since the request before ended, `life` that the cache lasts. */
  | { readonly kind: 'expired'; readonly idle: number; readonly life: number }
  /** As `expired`, but only when counted from the start of the request before: nobody is told at which moment that one renewed it. */
  | { readonly kind: 'mayHaveExpired'; readonly idle: number; readonly life: number }
  /** The service did not find it though it should still be kept. */
  | { readonly kind: 'missed'; readonly idle: number; readonly life: number };

export interface CacheStory {
  /** Tokens of input, and how many of them were cached: as told, over all requests that the story is about. */
  readonly input: number;
  readonly cached: number;
  readonly reason: CacheReason;
}

/** @param before all requests of the same conversation that were sent before it, in their order */
export function cacheReason(request: RequestRecord, before: readonly RequestRecord[]): CacheReason {
  const { usage, endedAt, unbilled, beginning } = request;
  if (usage === undefined || usage === null) {
    if (endedAt === undefined) return { kind: 'running' };
    return { kind: unbilled === true ? 'unbilled' : 'untold' };
  }
  // A request that nobody worked on left nothing in the cache.
  const worked = before.filter((one) => one.unbilled !== true);
  const last = worked.at(-1);
  if (last === undefined || beginning.kind === 'first') return { kind: 'first' };
  if (beginning.kind === 'changed') {
    const { by, same, of } = beginning;
    return { kind: 'changed', by, same, of };
  }
  const expected = expectedOf(before);
  if (expected === 0) return { kind: 'short' };
  if (usage.cached === 0) return notFound(request, last, ttlOf(worked));
  // The last step may have been cut in two.
  if (expected !== undefined && usage.cached < expected - cacheStep) return { kind: 'partly', expected };
  return { kind: 'found' };
}

/** One story for a turn: the sums, and the first of its requests that did not simply find everything. */
export function turnStory(turn: Turn, before: readonly RequestRecord[]): CacheStory | undefined {
  const { requests } = turn;
  const told = requests.flatMap(({ usage }) => usage ?? []);
  if (told.length === 0) return undefined;
  const reasons = requests.map((request, index) =>
    cacheReason(request, [...before, ...requests.slice(0, index)]),
  );
  const telling = reasons.filter(
    ({ kind }) => kind !== 'running' && kind !== 'unbilled' && kind !== 'untold',
  );
  const reason = telling.find(({ kind }) => kind !== 'found') ?? { kind: 'found' };
  return { ...sumOfInput(told), reason };
}

/**
 * Tokens that a continuation can find: the whole steps of the last request before it whose count is known, as long as each one since
 * began with all of it. Undefined when none is known.
 */
function expectedOf(before: readonly RequestRecord[]): number | undefined {
  for (const { usage, beginning } of before.toReversed()) {
    if (usage !== undefined && usage !== null) return wholeSteps(usage.input);
    if (beginning.kind !== 'grown') return undefined;
  }
  return undefined;
}

function notFound(request: RequestRecord, last: RequestRecord, ttl: string | undefined): CacheReason {
  const life = cacheLife(ttl);
  const idle = Math.max(0, request.sentAt - (last.endedAt ?? last.sentAt));
  if (idle > life) return { kind: 'expired', idle, life };
  if (request.sentAt - last.sentAt > life) return { kind: 'mayHaveExpired', idle, life };
  return { kind: 'missed', idle, life };
}

/** What the service said last of how long it keeps something: it says so only with an answer that came to its end. */
function ttlOf(worked: readonly RequestRecord[]): string | undefined {
  return worked.findLast(({ cacheTtl }) => cacheTtl !== undefined)?.cacheTtl;
}

function sumOfInput(told: readonly Usage[]): Pick<CacheStory, 'input' | 'cached'> {
  return told.reduce(
    (sum, { input, cached }) => ({ input: sum.input + input, cached: sum.cached + cached }),
    {
      input: 0,
      cached: 0,
    },
  );
}
