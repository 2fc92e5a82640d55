import assert from 'node:assert/strict';

import { failureFromHttp, failureFromStream } from '../../../src/core/responses/classify.ts';
import type { Failure } from '../../../src/core/responses/failure.ts';

const now = Date.UTC(2026, 10, 29);

function http(status: number, body: unknown, more: { retryAfter?: string; location?: string } = {}): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return failureFromHttp({ status, body: text, ...more }, now);
}

function typed(status: number, type: string, message = 'm', more: { retryAfter?: string } = {}): Failure {
  return http(status, { error: { message, type, code: null } }, more);
}

describe('responses/classify', () => {
  describe('an HTTP answer', () => {
    it('is known by the documented error types', () => {
      const message = 'm';
      assert.deepEqual(typed(401, 'invalid_authentication_error'), { kind: 'badKey', message });
      assert.deepEqual(typed(401, 'incorrect_api_key_error'), { kind: 'badKey', message });
      assert.deepEqual(typed(403, 'permission_denied_error'), { kind: 'forbidden', message });
      assert.deepEqual(typed(404, 'resource_not_found_error'), { kind: 'modelUnknown', message });
      assert.deepEqual(typed(429, 'rate_limit_reached_error'), { kind: 'rateLimited', message });
      assert.deepEqual(typed(429, 'engine_overloaded_error'), { kind: 'overloaded', message, status: 429 });
      assert.deepEqual(typed(400, 'content_filter'), { kind: 'contentFilter', message });
      assert.deepEqual(typed(400, 'invalid_request_error'), { kind: 'refused', message, status: 400 });
      assert.deepEqual(typed(499, 'client_closed_request'), { kind: 'serverError', message, status: 499 });
      assert.deepEqual(typed(500, 'server_error'), { kind: 'serverError', message, status: 500 });
      assert.deepEqual(typed(500, 'unexpected_output'), { kind: 'serverError', message, status: 500 });
      assert.deepEqual(typed(503, 'server_unavailable'), { kind: 'overloaded', message, status: 503 });
    });

    it('tells a quota that is used up from a rate limit, both being 429', () => {
      assert.equal(typed(429, 'exceeded_current_quota_error').kind, 'outOfQuota');
      assert.equal(http(429, { error: { message: 'm', code: 'insufficient_quota' } }).kind, 'outOfQuota');
      assert.equal(typed(429, 'something_else').kind, 'rateLimited');
    });

    it('goes by the status where the type is a general one', () => {
      assert.equal(typed(401, 'server_error').kind, 'badKey');
      assert.equal(typed(429, 'invalid_request_error').kind, 'rateLimited');
    });

    it('takes no rate limit for its own that comes under the status of a server’s error', () => {
      for (const status of [500, 502, 504])
        assert.equal(typed(status, 'rate_limit_error').kind, 'serverError', String(status));
      assert.deepEqual(typed(503, 'rate_limit_error', 'm', { retryAfter: '2' }), {
        kind: 'overloaded',
        message: 'm',
        status: 503,
        retryAfter: 2000,
      });
    });

    it('prefers the code to the type', () => {
      const error = { message: 'm', type: 'invalid_request_error', code: 'model_not_found' };
      assert.equal(http(404, { error }).kind, 'modelUnknown');
    });

    it('goes by the status where the body says nothing', () => {
      const kinds = [400, 401, 402, 403, 404, 408, 413, 422, 429, 499, 500, 502, 503, 504, 529].map(
        (status) => `${status} ${http(status, '').kind}`,
      );
      assert.deepEqual(kinds, [
        '400 refused',
        '401 badKey',
        '402 outOfQuota',
        '403 forbidden',
        '404 refused',
        '408 serverError',
        '413 contextTooLong',
        '422 refused',
        '429 rateLimited',
        '499 serverError',
        '500 serverError',
        '502 serverError',
        '503 overloaded',
        '504 serverError',
        '529 overloaded',
      ]);
      assert.deepEqual(http(502, ''), { kind: 'serverError', message: 'HTTP 502', status: 502 });
    });

    it('finds a context that is too long in the message of a plain 400', () => {
      for (const message of [
        'Invalid request: Your request exceeded model token limit: 1048576',
        'This model’s maximum context length is 1048576 tokens',
        'the prompt is too long',
      ]) {
        assert.deepEqual(typed(400, 'invalid_request_error', message), { kind: 'contextTooLong', message });
      }
      assert.equal(typed(500, 'server_error', 'context length').kind, 'serverError');
      assert.equal(typed(400, 'invalid_request_error', 'name is too long').kind, 'refused');
    });

    it('finds in it that the web is not searched', () => {
      for (const message of [
        'tools.3: tool type "web_search" is not supported',
        'include: web_search_call.results is for requests with the web_search tool',
        'include[0]: web_search_call.action.sources is unknown',
      ])
        assert.deepEqual(typed(400, 'invalid_request_error', message), { kind: 'noWebSearch', message });
      for (const [status, message] of [
        [500, 'web_search failed'],
        [400, 'input[3]: web_search_call is not supported'],
      ] as const)
        assert.notEqual(typed(status, 'invalid_request_error', message).kind, 'noWebSearch');
    });

    it('reads Retry-After as seconds or a date', () => {
      assert.deepEqual(typed(429, 'rate_limit_reached_error', 'm', { retryAfter: '2' }), {
        kind: 'rateLimited',
        message: 'm',
        retryAfter: 2000,
      });
      const retryAfter = new Date(now + 5000).toUTCString();
      assert.deepEqual(typed(503, '', 'm', { retryAfter }), {
        kind: 'overloaded',
        message: 'm',
        status: 503,
        retryAfter: 5000,
      });
    });

    it('gets a message out of other bodies', () => {
      const message = (status: number, body: unknown): string => {
        const failure = http(status, body);
        return 'message' in failure ? failure.message : '';
      };
      assert.equal(message(500, { error: 'plain' }), 'plain');
      assert.equal(message(500, { message: 'outside' }), 'outside');
      assert.equal(message(500, { error: null, message: 'outside' }), 'outside');
      assert.equal(message(500, { error: { message: 7 } }), '7');
      assert.equal(message(500, 'upstream  connect\nerror'), 'upstream connect error');
      assert.equal(
        message(504, '<html><head><title>504 Gateway\nTime-out</title></head></html>'),
        '504 Gateway Time-out',
      );
      assert.equal(message(504, '<!DOCTYPE html><p>no title'), 'HTTP 504');
      assert.equal(message(500, '[1]'), 'HTTP 500');
      assert.equal(message(500, 'null'), 'HTTP 500');
      assert.equal(message(500, '"text"'), 'HTTP 500');
    });

    it('takes a number as a code', () => {
      assert.equal(http(401, { error: { message: 'm', code: 401 } }).kind, 'badKey');
    });

    it('names where a redirect leads, and does not go there', () => {
      assert.deepEqual(http(302, '', { location: 'https://example.test/login' }), {
        kind: 'refused',
        message: 'HTTP 302, redirected to https://example.test/login',
        status: 302,
      });
      assert.deepEqual(http(302, ''), { kind: 'refused', message: 'HTTP 302', status: 302 });
    });

    it('shortens an endless message', () => {
      const failure = typed(400, 'invalid_request_error', 'x'.repeat(100_000));
      assert.ok(failure.kind === 'refused' && failure.message.length < 1100);
    });

    it('cuts no character in two', () => {
      const family = '👨‍👩‍👧';
      const failure = typed(400, 'invalid_request_error', family.repeat(1_000));
      assert.ok(failure.kind === 'refused');
      assert.equal(failure.message, `${family.repeat(Math.floor(1_000 / family.length))}…`);
    });
  });

  describe('an error inside a stream', () => {
    const from = (code: string, message = 'm', type = ''): Failure =>
      failureFromStream({ code, type, message });

    it('is known by the same names', () => {
      assert.deepEqual(from('rate_limit_exceeded'), { kind: 'rateLimited', message: 'm' });
      assert.deepEqual(from('', 'm', 'engine_overloaded_error'), {
        kind: 'overloaded',
        message: 'm',
        status: 200,
      });
      assert.deepEqual(from('invalid_prompt'), { kind: 'refused', message: 'm', status: 200 });
    });

    it('means the same as over HTTP when the context is too long', () => {
      const inStream = from('context_length_exceeded', 'Too long.');
      const overHttp = http(400, { error: { message: 'Too long.', code: 'context_length_exceeded' } });
      assert.deepEqual(inStream, overHttp);
      assert.deepEqual(inStream, { kind: 'contextTooLong', message: 'Too long.' });
    });

    it('is the server’s when it has no known name', () => {
      assert.deepEqual(from('weird'), { kind: 'serverError', message: 'm', status: 200 });
      assert.deepEqual(from('weird', ''), { kind: 'serverError', message: 'weird', status: 200 });
      assert.deepEqual(from('', '', 'odd'), { kind: 'serverError', message: 'odd', status: 200 });
      assert.deepEqual(from('', ''), {
        kind: 'serverError',
        message: 'The server gave no reason.',
        status: 200,
      });
    });
  });
});
