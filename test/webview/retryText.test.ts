/** What is said while a request waits to be sent again. */
import assert from 'node:assert/strict';
import type { RetryWait } from '../../src/core/conversation/conversation.ts';
import { retryText } from '../../src/webview/retryText.ts';

const wait: RetryWait = {
  failure: { kind: 'overloaded', message: '', status: 503 },
  attempt: 2,
  of: 4,
  since: 0,
  until: 12_000,
};

describe('a request that is sent again', () => {
  it('says why, when and how often', () => {
    assert.equal(retryText(wait, 11_400), 'The service is overloaded. Trying again in 12\u00a0s (2 of 4).');
    assert.equal(retryText(wait, 1), 'The service is overloaded. Trying again in 1\u00a0s (2 of 4).');
    assert.equal(retryText(wait, 0), 'The service is overloaded. Trying again (2 of 4).');
    const limited: RetryWait = { ...wait, failure: { kind: 'rateLimited', message: '' }, attempt: 4 };
    assert.equal(
      retryText(limited, 65_000),
      'Too many requests were sent in a short time. Trying again in 1\u00a0min\u00a05\u00a0s (4 of 4).',
    );
  });

  it('names whose certificate it is that is not trusted', () => {
    const failure = {
      kind: 'network',
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
      message: '',
      sent: false,
      issuer: 'Company Root',
    } as const;
    assert.match(retryText({ ...wait, failure }, 1), /issued by Company Root, /);
  });

  it('names the other address when that is tried', () => {
    const failure = { kind: 'network', code: 'ECONNREFUSED', message: '', sent: false } as const;
    const elsewhere: RetryWait = { ...wait, failure, via: 'api.evolink.ai' };
    assert.equal(
      retryText(elsewhere, 1000),
      'The service’s address refused the connection. Trying api.evolink.ai in 1\u00a0s (2 of 4).',
    );
    assert.equal(
      retryText(elsewhere, 0),
      'The service’s address refused the connection. Trying api.evolink.ai (2 of 4).',
    );
  });

  it('tells of a wait that the service asks for and nobody would sit through', () => {
    assert.equal(
      retryText({ ...wait, asked: 600_000 }, 120_000),
      'The service is overloaded. The service asks to wait for 10\u00a0min, which is longer than this waits by itself. Trying again in 2\u00a0min (2 of 4).',
    );
  });
});
