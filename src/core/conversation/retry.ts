/**
 * Which failures are tried again without asking, when and how often. The rule: nothing that the service may have worked on, and
 * billed, is sent twice by itself. Knows no timer.
 */
import type { Failure } from '../responses/failure.ts';

/** How often one request is sent at most without anybody asking for it. */
export const mostAttempts = 4;

/** Nobody waits longer than this for something that goes on by itself; a service that asks for more is told of and tried then. Milliseconds. */
export const longestWait = 120_000;

/**
 * Codes of what only the person can put right: an address in the settings that can't be read, that of a proxy that can't be, and a
 * proxy that does not take their password. Asked again and again, that one locks the account.
 */
const forThePerson: ReadonlySet<string> = new Set(['EADDRESS', 'EPROXYADDRESS', 'EPROXYAUTH']);

/** Before the first further attempt; doubled with each. Milliseconds. */
const firstWait = 1_000;

/** Without a word of the service. Milliseconds. */
const longestOwnWait = 30_000;

export interface RetryPlan {
  /** Milliseconds. */
  readonly wait: number;
  /** What the service asked for, when that was more than anyone waits. Milliseconds. */
  readonly asked?: number;
  /** The other address may do better. */
  readonly elsewhere: boolean;
  /** This address would do no better in a while: only another one may. */
  readonly onlyElsewhere?: true;
}

/** What may follow a failure. */
export type Retry =
  /** It certainly was not worked on, and may go better in a while. */
  | { readonly kind: 'wait'; readonly plan: RetryPlan }
  /** It may have been worked on and billed: the person decides. */
  | { readonly kind: 'ask' }
  /** It would fail again: something has to change first. */
  | { readonly kind: 'never' };

/**
 * For a request that failed before anything of an answer came. `attempts` have been made, this one included. `random` gives numbers from 0 to below 1, so that clients that failed together don't
 * come back together.
 */
export function retryAfter(failure: Failure, attempts: number, random: () => number): Retry {
  const chance = chanceOf(failure);
  if (chance === 'ask' || chance === 'never') return { kind: chance };
  if (attempts >= mostAttempts) return { kind: 'ask' };
  const plan = planOf(failure, attempts, random, chance !== 'again');
  return { kind: 'wait', plan: chance === 'onlyElsewhere' ? { ...plan, onlyElsewhere: true } : plan };
}

/** Whether the service may have done the work, and billed it, though no answer came of it. */
export function mayBeBilled(failure: Failure): boolean {
  return chanceOf(failure) === 'ask';
}

/** What the service said when it refused a request for what is in it, so that the same would be refused again. */
export function reasonInRequest(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'contextTooLong':
    case 'contentFilter':
    case 'noWebSearch':
    case 'unchanged':
      return failure.message;
    case 'refused':
      return [400, 413, 422].includes(failure.status) ? failure.message : undefined;
    default:
      return undefined;
  }
}

function planOf(failure: Failure, attempts: number, random: () => number, elsewhere: boolean): RetryPlan {
  const own = Math.min(longestOwnWait, firstWait * 2 ** (attempts - 1));
  const asked = askedOf(failure) ?? 0;
  // At least what was asked for, and spread behind it.
  const wait = asked > 0 ? asked + (own / 2) * random() : own * (0.5 + random() / 2);
  const capped = Math.round(Math.min(longestWait, wait));
  return { wait: capped, ...(asked > longestWait && { asked }), elsewhere };
}

function askedOf(failure: Failure): number | undefined {
  return failure.kind === 'rateLimited' || failure.kind === 'overloaded' ? failure.retryAfter : undefined;
}

function chanceOf(failure: Failure): 'again' | 'elsewhere' | 'onlyElsewhere' | 'ask' | 'never' {
  switch (failure.kind) {
    case 'network':
      if (failure.sent) return 'ask';
      if (forThePerson.has(failure.code)) return 'never';
      if (failure.untrusted !== true) return 'elsewhere';
      // A proxy stands in front of the other address, too.
      return failure.proxy === undefined ? 'onlyElsewhere' : 'never';
    case 'rateLimited':
      return 'again';
    case 'overloaded':
      if (failure.status === 503) return 'elsewhere';
      return failure.status === 429 ? 'again' : 'ask';
    case 'serverError':
    case 'silence':
    case 'brokenStream':
      return 'ask';
    case 'noKey':
    case 'badKey':
    case 'forbidden':
    case 'modelUnknown':
    case 'outOfQuota':
    case 'contextTooLong':
    case 'contentFilter':
    case 'noWebSearch':
    case 'refused':
    case 'unchanged':
    case 'spendingLimit':
    case 'tooManyRounds':
    case 'bug':
      return 'never';
  }
}
