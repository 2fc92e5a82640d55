/** What is sent again by itself, when, and what never is. */
import assert from 'node:assert/strict';

import {
  longestWait,
  mayBeBilled,
  mostAttempts,
  reasonInRequest,
  retryAfter,
} from '../../../src/core/conversation/retry.ts';
import type { Failure } from '../../../src/core/responses/failure.ts';

const network = (sent: boolean, code = 'ECONNREFUSED'): Extract<Failure, { kind: 'network' }> => ({
  kind: 'network',
  code,
  message: 'm',
  sent,
});
const overloaded = (status: number): Failure => ({ kind: 'overloaded', message: 'm', status });

/** Each failure, what may follow it, and whether the service may have billed it. */
const rows: readonly (readonly [Failure, 'wait' | 'elsewhere' | 'only elsewhere' | 'ask' | 'never'])[] = [
  [network(false, 'ENOTFOUND'), 'elsewhere'],
  [network(false, 'ECONNREFUSED'), 'elsewhere'],
  [network(false, 'ERR_SSL_WRONG_VERSION_NUMBER'), 'elsewhere'],
  [{ ...network(false, 'CERT_HAS_EXPIRED'), untrusted: true }, 'only elsewhere'],
  [network(false, 'ECONNRESET'), 'elsewhere'],
  [{ ...network(false, 'CERT_HAS_EXPIRED'), untrusted: true, proxy: 'proxy.test:8080' }, 'never'],
  [{ ...network(false, 'ECONNRESET'), proxy: 'proxy.test:8080' }, 'elsewhere'],
  [network(false, 'EPROXY'), 'elsewhere'],
  [network(false, 'EPROXYAUTH'), 'never'],
  [network(false, 'EPROXYADDRESS'), 'never'],
  [network(false, 'EADDRESS'), 'never'],
  [network(true, 'ECONNRESET'), 'ask'],
  [{ kind: 'rateLimited', message: 'm' }, 'wait'],
  [overloaded(429), 'wait'],
  [overloaded(503), 'elsewhere'],
  [overloaded(529), 'ask'],
  [overloaded(200), 'ask'],
  [{ kind: 'serverError', message: 'm', status: 500 }, 'ask'],
  [{ kind: 'serverError', message: 'm', status: 502 }, 'ask'],
  [{ kind: 'serverError', message: 'm', status: 504 }, 'ask'],
  [{ kind: 'silence', seconds: 900 }, 'ask'],
  [{ kind: 'brokenStream', detail: 'd' }, 'ask'],
  [{ kind: 'noKey' }, 'never'],
  [{ kind: 'badKey', message: 'm' }, 'never'],
  [{ kind: 'forbidden', message: 'm' }, 'never'],
  [{ kind: 'modelUnknown', message: 'm' }, 'never'],
  [{ kind: 'outOfQuota', message: 'm' }, 'never'],
  [{ kind: 'contextTooLong', message: 'm' }, 'never'],
  [{ kind: 'contentFilter', message: 'm' }, 'never'],
  [{ kind: 'noWebSearch', message: 'm' }, 'never'],
  [{ kind: 'refused', message: 'm', status: 400 }, 'never'],
  [{ kind: 'unchanged', message: 'm' }, 'never'],
  [{ kind: 'spendingLimit', scope: 'day', limit: 1, spent: 1, expected: 1 }, 'never'],
  [{ kind: 'tooManyRounds', rounds: 50 }, 'never'],
  [{ kind: 'bug', detail: 'd' }, 'never'],
];

const half = (): number => 0.5;

describe('conversation/retry', () => {
  for (const [failure, expected] of rows) {
    const { kind, ...facts } = failure;
    it(`after ${kind} ${JSON.stringify(facts)}: ${expected}`, () => {
      const retry = retryAfter(failure, 1, half);
      if (retry.kind === 'wait') {
        const { elsewhere, onlyElsewhere = false } = retry.plan;
        assert.equal(elsewhere ? `${onlyElsewhere ? 'only ' : ''}elsewhere` : 'wait', expected);
      } else assert.equal(retry.kind, expected);
      assert.equal(mayBeBilled(failure), expected === 'ask');
    });
  }

  it('waits longer each time, never alike for two clients, and not for ever', () => {
    const waits = (random: () => number): readonly number[] =>
      [1, 2, 3].map((attempts) => {
        const retry = retryAfter(network(false), attempts, random);
        assert.equal(retry.kind, 'wait');
        return retry.plan.wait;
      });
    assert.deepEqual(
      waits(() => 0),
      [500, 1000, 2000],
    );
    assert.deepEqual(waits(half), [750, 1500, 3000]);
    assert.equal(retryAfter(network(false), mostAttempts, half).kind, 'ask');
  });

  it('waits as long as the service asks, and a little longer', () => {
    const retry = retryAfter({ kind: 'rateLimited', message: 'm', retryAfter: 12_000 }, 1, half);
    assert.deepEqual(retry, { kind: 'wait', plan: { wait: 12_250, elsewhere: false } });
    const now = retryAfter({ kind: 'rateLimited', message: 'm', retryAfter: 0 }, 1, half);
    assert.deepEqual(now, { kind: 'wait', plan: { wait: 750, elsewhere: false } });
  });

  it('does not wait for days because a header says so, and tells what it said', () => {
    const asked = 90 * 24 * 3_600_000;
    const retry = retryAfter({ kind: 'overloaded', message: 'm', status: 503, retryAfter: asked }, 1, half);
    assert.deepEqual(retry, { kind: 'wait', plan: { wait: longestWait, asked, elsewhere: true } });
  });

  it('knows which refusals are of the request itself', () => {
    const message = 'no such field';
    for (const status of [400, 413, 422])
      assert.equal(reasonInRequest({ kind: 'refused', message, status }), message);
    for (const kind of ['contextTooLong', 'contentFilter', 'noWebSearch', 'unchanged'] as const)
      assert.equal(reasonInRequest({ kind, message }), message);
    assert.equal(reasonInRequest({ kind: 'refused', message, status: 405 }), undefined);
    assert.equal(reasonInRequest({ kind: 'badKey', message }), undefined);
  });
});
