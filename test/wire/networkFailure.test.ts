import assert from 'node:assert/strict';

import { ConnectFailure, ProxyFailure } from '../../src/host/network.ts';
import { networkFailure } from '../../src/host/networkFailure.ts';

const coded = (code: unknown, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

describe('wire: errors of the platform', () => {
  it('tell by the innermost code what happened', () => {
    const error = new TypeError('terminated', { cause: coded('UND_ERR_SOCKET', 'other side closed') });
    assert.deepEqual(networkFailure(error), {
      kind: 'network',
      code: 'UND_ERR_SOCKET',
      message: 'other side closed',
      sent: true,
    });
    assert.deepEqual(networkFailure(coded('OUTER', 'o', new Error('no code'))), {
      kind: 'network',
      code: 'OUTER',
      message: 'o',
      sent: true,
    });
  });

  it('have sent nothing when the connection was not open', () => {
    assert.deepEqual(
      networkFailure(new ConnectFailure(coded('ENOTFOUND', 'getaddrinfo ENOTFOUND kimi.test'))),
      {
        kind: 'network',
        code: 'ENOTFOUND',
        message: 'getaddrinfo ENOTFOUND kimi.test',
        sent: false,
      },
    );
  });

  it('name the proxy where it was on the way there', () => {
    assert.deepEqual(
      networkFailure(
        new ConnectFailure(new ProxyFailure('proxy.test:3128', coded('ECONNREFUSED', 'refused'))),
      ),
      { kind: 'network', code: 'ECONNREFUSED', message: 'refused', sent: false, proxy: 'proxy.test:3128' },
    );
  });

  it('stand for all attempts when one was made to each address of a host', () => {
    const attempts = new AggregateError([
      coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:9'),
      coded('ETIMEDOUT', 't'),
    ]);
    assert.deepEqual(networkFailure(new ConnectFailure(attempts)), {
      kind: 'network',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED ::1:9',
      sent: false,
    });
  });

  it('go by their name where they have no code', () => {
    assert.deepEqual(networkFailure(new RangeError('r')), {
      kind: 'network',
      code: 'RangeError',
      message: 'r',
      sent: true,
    });
    assert.deepEqual(networkFailure(coded(20, '')), {
      kind: 'network',
      code: 'Error',
      message: 'Error',
      sent: true,
    });
    assert.deepEqual(networkFailure('text'), { kind: 'network', code: 'Error', message: 'text', sent: true });
  });

  it('call a connection cut that the library takes for bad grammar', () => {
    const parserError = (message: string): Error =>
      Object.assign(new Error(message), { name: 'HTTPParserError' });
    const codeOf = (message: string): string => {
      const failure = networkFailure(parserError(message));
      return failure.kind === 'network' ? failure.code : failure.kind;
    };
    assert.equal(codeOf('Response does not match the HTTP/1.1 protocol (Invalid EOF state)'), 'ECONNRESET');
    assert.equal(codeOf('Response does not match the HTTP/1.1 protocol (Expected HTTP/)'), 'HTTPParserError');
  });

  it('may cause one another in a circle', () => {
    const one = new Error('one');
    one.cause = one;
    assert.equal(networkFailure(one).kind, 'network');
  });
});
