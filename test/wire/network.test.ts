import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { constants } from 'node:crypto';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import * as https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import * as net from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import tlsModule, * as tls from 'node:tls';
import { promisify } from 'node:util';

import { mostAttempts } from '../../src/core/conversation/retry.ts';
import type { Failure } from '../../src/core/responses/failure.ts';
import { Network, type NetworkSettings } from '../../src/host/network.ts';
import {
  clientFor,
  collect,
  listen,
  plainNetwork,
  streamHead,
  textOf,
  type ClientOptions,
  type TestServer,
} from '../support/client.ts';
import { ask, ports, run } from '../support/turns.ts';

const folder = join(import.meta.dirname, '../fixtures/tls');
/** Signed by itself, for `kimi.test` and 127.0.0.1. Secret to nobody. */
const identity = {
  key: readFileSync(join(folder, 'key.pem')),
  cert: readFileSync(join(folder, 'certificate.pem')),
};

const lax = { strictSsl: false };

/** Otherwise no certificate is shown a second time. */
const noResumption = constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION;

/** Names are looked up by the test. */
function resolving(
  lookUp: (
    host: string,
    tell: (error: Error | null, addresses: readonly dns.LookupAddress[]) => void,
  ) => void,
): { readonly mock: { restore(): void } } {
  return mock.method(dns, 'lookup', ((host: string, _options: object, tell: Parameters<typeof lookUp>[1]) => {
    lookUp(host, tell);
  }) as never);
}

describe('wire: connections', () => {
  const servers: TestServer[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  /** What `name` is said to be the certificate of: signed by a private authority, with the same key. */
  const issued = (name: string): typeof identity => ({
    ...identity,
    cert: readFileSync(join(folder, `${name}.pem`)),
  });

  async function secureServer(as = identity): Promise<TestServer> {
    const server = await listen(
      https.createServer(as, (request, response) => response.end(`data: ${request.headers.host}\n\n`)),
      'https',
    );
    servers.push(server);
    return server;
  }

  /** A proxy that hands each CONNECT to the test, with the head as it came. */
  async function proxy(
    onConnect: (socket: net.Socket, head: string) => void,
    as?: typeof identity,
  ): Promise<TestServer> {
    const onSocket = (socket: net.Socket): void => {
      let head = '';
      socket.on('error', () => undefined);
      const onData = (chunk: Buffer): void => {
        head += chunk.toString('latin1');
        if (!head.includes('\r\n\r\n')) return;
        socket.off('data', onData);
        onConnect(socket, head);
      };
      socket.on('data', onData);
    };
    const server = as === undefined ? net.createServer(onSocket) : tls.createServer(as, onSocket);
    const listening = await listen(server, as === undefined ? 'http' : 'https');
    servers.push(listening);
    return listening;
  }

  /** Joins a CONNECT to a server of the test, whatever host it asked for. */
  function passThrough(
    socket: net.Socket,
    target: TestServer,
    answer = 'HTTP/1.1 200 Connection established\r\n\r\n',
  ): void {
    const upstream = net.connect(Number(new URL(target.url).port), '127.0.0.1');
    upstream.on('error', () => undefined);
    upstream.on('connect', () => {
      socket.write(answer);
      socket.pipe(upstream).pipe(socket);
    });
    socket.on('close', () => upstream.destroy());
  }

  async function failure(
    url: string,
    options: ClientOptions,
  ): Promise<Extract<Failure, { kind: 'network' }>> {
    const [chunk, ...more] = await collect(clientFor(url, options));
    assert.deepEqual(more, []);
    assert.ok(chunk?.kind === 'failed' && chunk.failure.kind === 'network');
    return chunk.failure;
  }

  describe('with TLS', () => {
    it('need a certificate that is trusted, unless the person has switched that off', async () => {
      const server = await secureServer();
      const refused = await failure(server.url, {});
      assert.deepEqual([refused.code, refused.sent], ['DEPTH_ZERO_SELF_SIGNED_CERT', false]);
      assert.match(textOf(await collect(clientFor(server.url, { settings: lax }))), /^data: 127\.0\.0\.1/);
      await server.allClosed();
    });

    it('are refused when the other side speaks no TLS', async () => {
      const server = await listen(
        net.createServer((socket) => socket.on('error', () => undefined).end('hello')),
      );
      servers.push(server);
      const { code, sent } = await failure(server.url.replace('http:', 'https:'), { settings: lax });
      assert.match(code, /^(ERR_SSL_|EPROTO|ECONNRESET)/);
      assert.equal(sent, false);
    });

    it('trust what the process was told to trust, with and without the system’s certificates', async () => {
      const server = await secureServer();
      for (const systemCertificates of [false, true]) {
        const script = `
          const { clientFor, collect } = await import(${JSON.stringify(join(import.meta.dirname, '../support/client.ts'))});
          console.log(JSON.stringify(await collect(clientFor(${JSON.stringify(server.url)}, { settings: { systemCertificates: ${systemCertificates} } }))));
        `;
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['--input-type=module', '--eval', script],
          {
            env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') },
          },
        );
        assert.match(stdout, /"kind":"text"/);
      }
    }).timeout(30_000);
  });

  describe('with TLS and a certificate', () => {
    for (const [what, certificate, code, message] of [
      [
        'signed by itself',
        identity,
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        /of “kimi\.test” was issued by “kimi\.test” and/,
      ],
      [
        'of an authority that nobody knows',
        issued('issued'),
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        /was issued by “Test Company Root”, “Test Company” and/,
      ],
      [
        'of nobody',
        issued('nameless'),
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        /of nobody named was issued by nobody named and/,
      ],
    ] as const) {
      it(`${what} say whose it is`, async () => {
        const server = await secureServer(certificate);
        const refused = await failure(server.url, {});
        assert.deepEqual([refused.code, refused.sent, refused.untrusted], [code, false, true]);
        assert.match(refused.message, message);
        await server.allClosed();
      });
    }

    describe('of an authority that the system knows', () => {
      const system = { systemCertificates: true };
      beforeEach(() => {
        mock.method(tlsModule, 'getCACertificates', (which: string) =>
          which === 'system' ? [readFileSync(join(folder, 'authority.pem'), 'utf8')] : [],
        );
        syncBuiltinESMExports();
      });
      afterEach(() => {
        mock.restoreAll();
        syncBuiltinESMExports();
      });

      it('are made, unless the system’s certificates are not to count', async () => {
        const server = await secureServer(issued('issued'));
        let settings = { ...plainNetwork, ...system };
        const client = clientFor(server.url, { network: new Network(() => settings) });
        assert.match(textOf(await collect(client)), /^data: 127/);
        settings = plainNetwork;
        assert.equal(textOf(await collect(client)), '<network>');
        settings = { ...plainNetwork, ...lax };
        assert.match(textOf(await collect(client)), /^data: 127/);
      });

      for (const [what, certificate, code, message] of [
        [
          'that has expired',
          'expired',
          'CERT_HAS_EXPIRED',
          /“Test Company Root”.* to Jan +1 00:00:00 2021 GMT\./,
        ],
        [
          'of another host',
          'other-host',
          'ERR_TLS_CERT_ALTNAME_INVALID',
          /of “other\.test” was issued by “Test Company Root”/,
        ],
      ] as const) {
        it(`say whose it is when it is one ${what}`, async () => {
          const server = await secureServer(issued(certificate));
          const refused = await failure(server.url, { settings: system });
          assert.deepEqual([refused.code, refused.sent], [code, false]);
          assert.match(refused.message, message);
          assert.equal(refused.issuer, 'Test Company Root, Test Company');
          assert.equal(refused.untrusted, true);
        });
      }

      it('are ended when the other side comes with another certificate later on', async () => {
        for (const later of ['issued', 'expired']) {
          const server = await listen(
            tls.createServer(
              { ...issued('issued'), maxVersion: 'TLSv1.2', secureOptions: noResumption },
              (socket) => {
                socket.on('error', () => undefined);
                socket.once('data', () => {
                  socket.setKeyCert(tls.createSecureContext(issued(later)));
                  socket.renegotiate({ rejectUnauthorized: false }, () =>
                    socket.end(`${streamHead}data: 1\n\n`),
                  );
                });
              },
            ),
            'https',
          );
          servers.push(server);
          if (later === 'issued') {
            assert.equal(textOf(await collect(clientFor(server.url, { settings: system }))), 'data: 1\n\n');
          } else {
            const refused = await failure(server.url, { settings: system });
            assert.deepEqual(
              [refused.code, refused.sent, refused.untrusted],
              ['CERT_HAS_EXPIRED', true, true],
            );
          }
        }
      });

      it('are made through a proxy, too, and judge both certificates', async () => {
        const target = await secureServer(issued('issued'));
        const through = await proxy((socket) => passThrough(socket, target), issued('issued'));
        const settings = { ...system, proxy: through.url };
        assert.equal(
          textOf(await collect(clientFor('https://kimi.test', { settings }))),
          'data: kimi.test\n\n',
        );
        const elsewhere = await failure('https://elsewhere.test', { settings });
        assert.equal(elsewhere.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
        const untrusted = await proxy(() => assert.fail('spoke to a proxy that is not trusted'), identity);
        const refused = await failure('https://kimi.test', { settings: { ...system, proxy: untrusted.url } });
        assert.match(refused.message, /issued by “kimi\.test”/);
      });
    });
  });

  it('to a name that nobody knows have sent nothing', async () => {
    const lookup = resolving((host, tell) => {
      tell(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    });
    try {
      const found = await failure('https://kimi.test', {});
      assert.deepEqual([found.code, found.sent], ['ENOTFOUND', false]);
    } finally {
      lookup.mock.restore();
    }
  });

  it('do with Node’s own list where the system’s certificates can not be read', async () => {
    const broken = mock.method(tlsModule, 'getCACertificates', () => {
      throw new Error('not here');
    });
    syncBuiltinESMExports();
    try {
      const server = await secureServer();
      const refused = await failure(server.url, { settings: { systemCertificates: true } });
      assert.equal(refused.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
      assert.equal(broken.mock.callCount(), 1);
    } finally {
      broken.mock.restore();
      syncBuiltinESMExports();
    }
  });

  describe('through a proxy', () => {
    it('ask it for the host and port, and speak TLS with the server behind it', async () => {
      const target = await secureServer();
      const heads: string[] = [];
      const through = await proxy((socket, head) => {
        heads.push(head);
        passThrough(socket, target);
      });
      const text = textOf(
        await collect(clientFor('https://kimi.test', { settings: { ...lax, proxy: through.url } })),
      );
      assert.equal(text, 'data: kimi.test\n\n');
      assert.deepEqual(heads, ['CONNECT kimi.test:443 HTTP/1.1\r\nHost: kimi.test:443\r\n\r\n']);
      await Promise.all([through.allClosed(), target.allClosed()]);
    });

    it('may be to a proxy that speaks TLS itself', async () => {
      const target = await secureServer();
      const through = await proxy((socket) => {
        passThrough(socket, target);
      }, identity);
      const settings = { ...lax, proxy: through.url };
      assert.equal(
        textOf(await collect(clientFor('https://[2001:db8::1]:8443', { settings }))),
        'data: [2001:db8::1]:8443\n\n',
      );
      assert.equal((await failure('https://kimi.test', { settings: { proxy: through.url } })).sent, false);
    });

    it('name the person as the settings or the address of the proxy say', async () => {
      const target = await secureServer();
      const heads: string[] = [];
      const through = await proxy((socket, head) => {
        heads.push(/^proxy-authorization: (.*)$/im.exec(head)?.[1] ?? 'none');
        passThrough(socket, target);
      });
      const named = through.url.replace('http://', 'http://me%40work:p%3A%C3%A9@');
      await collect(clientFor('https://kimi.test', { settings: { ...lax, proxy: named } }));
      await collect(
        clientFor('https://kimi.test', {
          settings: { ...lax, proxy: named, proxyAuthorization: 'Bearer t' },
        }),
      );
      const unescaped = through.url.replace('http://', 'http://me:50%off@');
      await collect(clientFor('https://kimi.test', { settings: { ...lax, proxy: unescaped } }));
      const basic = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`;
      assert.deepEqual(heads, [basic('me@work:p:é'), 'Bearer t', basic('me:50%off')]);
    });

    it('take what the server said along with the proxy’s answer, in whatever pieces', async () => {
      const target = await secureServer();
      const through = await proxy((socket) => {
        const answer = 'HTTP/1.1 200 OK\r\nX: y\r\n\r\n';
        for (const byte of answer.slice(0, -1)) socket.write(byte);
        passThrough(socket, target, answer.slice(-1));
      });
      const settings = { ...lax, proxy: through.url };
      assert.equal(
        textOf(await collect(clientFor('https://kimi.test', { settings }))),
        'data: kimi.test\n\n',
      );
      const chatty = await proxy((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nnot TLS'));
      assert.match(
        (await failure('https://kimi.test', { settings: { ...lax, proxy: chatty.url } })).code,
        /^(ERR_SSL_|EPROTO)/,
      );
    });

    for (const [what, answer, code, message] of [
      ['asks who it is', 'HTTP/1.1 407 Who\r\n\r\n', 'EPROXYAUTH', /407/],
      ['refuses', 'HTTP/1.1 502 Bad\r\n\r\n', 'EPROXY', /502/],
      ['speaks no HTTP', 'hello\r\n\r\n', 'EPROXY', /HTTP/],
      ['never ends its answer', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(20_000)}`, 'EPROXY', /HTTP/],
    ] as const) {
      it(`are a failure when the proxy ${what}`, async () => {
        const through = await proxy((socket) => socket.write(answer));
        const found = await failure('https://kimi.test', { settings: { proxy: through.url } });
        assert.deepEqual([found.code, found.sent], [code, false]);
        assert.match(found.message, message);
        await through.allClosed();
      });
    }

    it('are a failure, and one only, when the proxy hangs up', async () => {
      let connections = 0;
      const through = await proxy((socket) => {
        connections += 1;
        socket.destroy();
      });
      const found = await failure('https://kimi.test', { settings: { proxy: through.url } });
      assert.deepEqual([found.code, found.sent, connections], ['ECONNRESET', false, 1]);
      assert.equal(found.proxy, new URL(through.url).host);
    });

    it('are a failure when the proxy stays mute', async () => {
      const through = await proxy(() => undefined);
      const found = await failure('https://kimi.test', {
        settings: { proxy: through.url },
        connectTimeout: 50,
      });
      assert.deepEqual([found.code, found.sent], ['ETIMEDOUT', false]);
      assert.equal(found.message, 'No connection within 0.05 s.');
      assert.equal(found.proxy, new URL(through.url).host);
      await through.allClosed();
    });

    it('can be cancelled while the proxy stays mute, and are then closed at once', async () => {
      const abort = new AbortController();
      const through = await proxy(() => {
        abort.abort();
      });
      const client = clientFor('https://kimi.test', { settings: { proxy: through.url } });
      assert.deepEqual(await collect(client, abort.signal), []);
      await through.allClosed();
    });

    it('can be cancelled while the server stays mute in the handshake', async () => {
      const abort = new AbortController();
      const mute = await listen(
        net.createServer((socket) => socket.on('error', () => undefined).once('data', () => abort.abort())),
      );
      servers.push(mute);
      assert.deepEqual(await collect(clientFor(mute.url.replace('http:', 'https:')), abort.signal), []);
      await mute.allClosed();
    });

    it('are a failure when the proxy’s address is none', async () => {
      const found = await failure('https://kimi.test', { settings: { proxy: 'socks5://127.0.0.1:1' } });
      assert.deepEqual([found.code, found.sent], ['EPROXYADDRESS', false]);
    });

    it('are never made to this machine', async () => {
      const server = await secureServer();
      const through = await proxy(() => assert.fail('loopback was sent to the proxy'));
      const text = textOf(await collect(clientFor(server.url, { settings: { ...lax, proxy: through.url } })));
      assert.match(text, /^data: 127/);
    });

    it('are used, passed by and changed as the settings and the environment of the moment say', async () => {
      const lookup = resolving((_host, tell) => tell(null, [{ address: '127.0.0.1', family: 4 }]));
      try {
        const target = await secureServer();
        let connections = 0;
        const through = await proxy((socket) => {
          connections += 1;
          passThrough(socket, target);
        });
        let settings: Partial<NetworkSettings> = {};
        const { port } = new URL(target.url);
        const client = clientFor(`https://kimi.test:${port}`, {
          network: new Network(() => ({ ...plainNetwork, ...lax, ...settings })),
        });
        const { url } = through;
        const table: readonly (readonly [Partial<NetworkSettings>, number])[] = [
          [{}, 0],
          [{ proxy: url }, 1],
          [{ proxy: url, proxySupport: false }, 0],
          [{ proxy: url, noProxy: ['kimi.test'] }, 0],
          [{ proxy: url, noProxy: ['.test'] }, 0],
          [{ proxy: url, noProxy: ['other.test'] }, 1],
          [{ environment: { HTTPS_PROXY: url } }, 1],
          [{ environment: { https_proxy: url } }, 1],
          [{ environment: { HTTPS_PROXY: url, NO_PROXY: 'kimi.test' } }, 0],
          [{ environment: { HTTPS_PROXY: url }, proxySupport: false }, 0],
          [{ proxy: url, environment: { HTTPS_PROXY: 'http://127.0.0.1:1' } }, 1],
        ];
        for (const [next, wanted] of table) {
          settings = next;
          connections = 0;
          assert.equal(textOf(await collect(client)), `data: kimi.test:${port}\n\n`, JSON.stringify(next));
          assert.equal(connections, wanted, JSON.stringify(next));
        }
      } finally {
        lookup.mock.restore();
      }
    });

    it('are asked for once when the proxy does not take the password: asked on, it would lock the account', async () => {
      let connections = 0;
      const through = await proxy((socket) => {
        connections += 1;
        socket.end('HTTP/1.1 407 Who\r\n\r\n');
      });
      const client = clientFor('https://kimi.test', { settings: { proxy: through.url } });
      const { turn } = await run(ports(client), ask('q'));
      assert.ok(turn.end?.kind === 'failed' && turn.end.failure.kind === 'network');
      assert.deepEqual([turn.end.failure.code, connections], ['EPROXYAUTH', 1]);
      assert.equal(turn.requests[0]?.unbilled, true);
    });

    it('do not go in a loop when the proxy hangs up each time: the turn ends', async () => {
      let connections = 0;
      const through = await proxy((socket) => {
        connections += 1;
        socket.destroy();
      });
      const client = clientFor('https://kimi.test', { settings: { proxy: through.url } });
      const { turn } = await run(ports(client), ask('q'));
      assert.ok(turn.end?.kind === 'failed' && turn.end.failure.kind === 'network');
      assert.equal(connections, mostAttempts);
      await through.allClosed();
    });

    it('follow the settings of the moment', async () => {
      const target = await secureServer();
      const through = await proxy((socket) => {
        passThrough(socket, target);
      });
      let proxyUrl = 'http://127.0.0.1:1';
      const network = new Network(() => ({ ...plainNetwork, ...lax, proxy: proxyUrl }));
      const client = clientFor('https://kimi.test', { network });
      assert.equal(textOf(await collect(client)), '<network>');
      proxyUrl = through.url;
      assert.equal(textOf(await collect(client)), 'data: kimi.test\n\n');
    });
  });
});
