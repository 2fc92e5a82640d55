import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as zlib from 'node:zlib';

import type { ModelChunk } from '../../src/core/conversation/modelPort.ts';
import { err } from '../../src/core/result.ts';
import { readAddress } from '../../src/host/address.ts';
import { ask, fixture, fixtureBytes, fixtureNames, ports, run, shown } from '../support/turns.ts';
import {
  clientFor,
  collect,
  httpServer,
  rawServer,
  smallBody,
  streamHead,
  textOf,
  type TestServer,
} from '../support/client.ts';

const spaces = Buffer.alloc(1024 * 1024, ' ');

describe('wire: the client and a server', () => {
  let server: TestServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** Answers every request in the same way. */
  async function answering(
    status: number,
    headers: Record<string, string>,
    body: string | Buffer,
  ): Promise<string> {
    server = await httpServer((_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    return server.url;
  }

  async function rawAnswering(answer: string | Buffer): Promise<string> {
    server = await rawServer((socket) => socket.end(answer));
    return server.url;
  }

  function only(chunks: readonly ModelChunk[]): ModelChunk {
    assert.equal(chunks.length, 1);
    return chunks[0] ?? assert.fail();
  }

  describe('a request', () => {
    async function received(
      baseUrl: (url: string) => string,
      key: string | undefined,
    ): Promise<IncomingMessage & { body: string }> {
      const requests: (IncomingMessage & { body: string })[] = [];
      server = await httpServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          requests.push(Object.assign(request, { body }));
          response.end();
        });
      });
      await collect(clientFor(baseUrl(server.url), { key: async () => key }));
      return requests[0] ?? assert.fail('no request came');
    }

    it('is one POST with the key in one header', async () => {
      const request = await received((url) => url, 'sk-secret');
      assert.equal(request.method, 'POST');
      assert.equal(request.url, '/v1/responses');
      assert.deepEqual(JSON.parse(request.body), smallBody);
      const { host: _, ...headers } = request.headers;
      assert.deepEqual(headers, {
        connection: 'close',
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'accept-encoding': 'identity',
        'user-agent': 'kimi-chat/test',
        authorization: 'Bearer sk-secret',
        'content-length': String(Buffer.byteLength(request.body)),
      });
      assert.ok(!request.body.includes('sk-secret'));
    });

    it('has no key in its body, whoever wrote it there, nor one that an earlier request carried', async () => {
      const bodies: string[] = [];
      server = await httpServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          bodies.push(body);
          response.end();
        });
      });
      let key = 'sk-first"key';
      const client = clientFor(server.url, { key: async () => key });
      const body = { ...smallBody, instructions: 'sk-first"key and sk-second-key' };
      for (key of ['sk-first"key', 'sk-second-key']) {
        for await (const chunk of client.send(body, new AbortController().signal)) {
          assert.equal(chunk.kind, 'failed');
        }
      }
      assert.deepEqual(
        bodies.map((text) => (JSON.parse(text) as { readonly instructions: string }).instructions),
        ['•••••••• and sk-second-key', '•••••••• and ••••••••'],
      );
    });

    it('has no key of another address in its body either, though none was sent there yet', async () => {
      let sent = '';
      server = await httpServer((request, response) => {
        request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
        request.on('end', () => response.end());
      });
      const client = clientFor(server.url, {
        key: async () => undefined,
        knownKeys: () => ['sk-of-another-address'],
      });
      const body = { ...smallBody, instructions: 'Mine is sk-of-another-address.' };
      for await (const chunk of client.send(body, new AbortController().signal)) {
        assert.equal(chunk.kind, 'failed');
      }
      assert.match(sent, /Mine is ••••••••\./);
      assert.equal(client.withoutKeys('sk-of-another-address'), '••••••••');
    });

    it('has no key to show where none is set', async () => {
      for (const key of [undefined, '']) {
        const request = await received((url) => url, key);
        assert.equal(request.headers.authorization, undefined);
        await server?.close();
      }
    });

    it('goes to the path below the base', async () => {
      assert.equal((await received((url) => `${url}/gateway/v1/`, 'k')).url, '/gateway/v1/responses');
    });

    it('is not made without a key, unless the server is on this machine', async () => {
      const client = clientFor('https://kimi.test', { key: async () => undefined });
      assert.deepEqual(await collect(client), [{ kind: 'failed', failure: { kind: 'noKey' } }]);
    });

    it('asks for the key of exactly its origin, and does without when the store can not be read', async () => {
      const asked: string[] = [];
      const warned: string[] = [];
      const client = clientFor('https://kimi.test:8443/x', {
        key: async (origin) => {
          asked.push(origin);
          throw new Error('locked');
        },
        log: { info: () => undefined, warn: (message) => warned.push(message) },
      });
      assert.deepEqual(await collect(client), [{ kind: 'failed', failure: { kind: 'noKey' } }]);
      assert.deepEqual(asked, ['https://kimi.test:8443']);
      assert.deepEqual(warned, ['The key could not be read.']);
    });

    it('can be stopped while the store of keys does not answer', async () => {
      const stop = new AbortController();
      const client = clientFor('https://kimi.test', {
        key: (): Promise<undefined> => {
          queueMicrotask(() => {
            stop.abort();
          });
          return new Promise(() => undefined);
        },
      });
      assert.deepEqual(await collect(client, stop.signal), []);
    });

    it('goes to the other address when that is asked for, with the key of the address of the settings', async () => {
      const seen: unknown[] = [];
      server = await httpServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end('{}');
      });
      const other = readAddress(server.url);
      assert.ok(other.ok);
      const asked: string[] = [];
      const client = clientFor('https://kimi.test', {
        key: async (origin) => {
          asked.push(origin);
          return 'sk-own';
        },
        otherAddress: () => other.value,
      });
      assert.equal(client.origin(), 'https://kimi.test');
      const via = client.otherAddress();
      assert.equal(via?.host, new URL(server.url).host);
      for await (const chunk of client.send(smallBody, new AbortController().signal, via))
        assert.equal(chunk.kind, 'json');
      assert.deepEqual(seen, ['Bearer sk-own']);
      assert.deepEqual(asked, ['https://kimi.test']);
    });

    it('has no other address where the settings name none, and no origin where they can not be read', async () => {
      assert.equal(clientFor('https://kimi.test').otherAddress(), undefined);
      assert.equal(clientFor('', { address: () => err('notAUrl' as const) }).origin(), undefined);
    });

    it('is not made to an address that would show the key to the network', async () => {
      for (const address of [readAddress('http://kimi.test'), err('notAUrl' as const)]) {
        const chunk = only(await collect(clientFor('', { address: () => address })));
        assert.ok(!address.ok);
        assert.deepEqual(chunk, {
          kind: 'failed',
          failure: { kind: 'network', code: 'EADDRESS', message: address.error, sent: false },
        });
      }
    });

    it('is not made once it is cancelled', async () => {
      let requests = 0;
      server = await httpServer((_request, response) => {
        requests += 1;
        response.end();
      });
      assert.deepEqual(await collect(clientFor(server.url), AbortSignal.abort()), []);
      assert.equal(requests, 0);
    });
  });

  describe('an answer', () => {
    for (const name of fixtureNames) {
      it(`comes to the same whole and byte by byte: ${name}`, async () => {
        const bytes = fixtureBytes(name);
        const expected = new TextDecoder().decode(bytes);
        assert.equal(
          textOf(
            await collect(clientFor(await rawAnswering(Buffer.concat([Buffer.from(streamHead), bytes])))),
          ),
          expected,
        );
        await server?.close();
        server = await rawServer((socket) => {
          socket.write(streamHead);
          for (const byte of bytes) socket.write(Buffer.of(byte));
          socket.end();
        });
        assert.equal(textOf(await collect(clientFor(server.url))), expected);
        await server.allClosed();
      });
    }

    it('is handed on while it comes, with no character cut in two', async () => {
      const step = new EventEmitter();
      const text = 'data: "你👍é"\n\n';
      const bytes = Buffer.from(text);
      server = await rawServer((socket) => {
        socket.write(streamHead);
        let sent = 0;
        const next = (): void => {
          if (sent === bytes.length) socket.end();
          else socket.write(bytes.subarray(sent, (sent += 1)));
        };
        step.on('next', next);
        next();
      });
      // One byte for each piece of text that arrived; a byte that ends no character brings none, so the next one follows at once.
      const characters = [...text];
      const client = clientFor(server.url);
      let received = '';
      const pump = setInterval(() => step.emit('next'), 1);
      try {
        await collect(client, undefined, (chunk) => {
          assert.ok(chunk.kind === 'text');
          received += chunk.text;
          assert.ok(characters.join('').startsWith(received), received);
        });
      } finally {
        clearInterval(pump);
      }
      assert.equal(received, text);
    });

    it('may have bytes that are no text, which show as U+FFFD', async () => {
      const body = Buffer.concat([
        Buffer.from(`${streamHead}data: "`),
        Buffer.of(0xff, 0xe4, 0xbd),
        Buffer.from('"\n\ndata: "'),
        Buffer.of(0xe4),
      ]);
      assert.equal(
        textOf(await collect(clientFor(await rawAnswering(body)))),
        'data: "\uFFFD\uFFFD"\n\ndata: "\uFFFD',
      );
    });

    it('may be compressed all the same, and is still handed on piece by piece', async () => {
      for (const [encoding, compressor] of [
        ['gzip', zlib.createGzip()],
        ['x-gzip', zlib.createGzip()],
        ['deflate', zlib.createDeflate()],
        ['br', zlib.createBrotliCompress()],
        ['identity', undefined],
      ] as const) {
        const seen = new EventEmitter();
        server = await httpServer((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
          if (compressor === undefined) {
            response.write('data: "1"\n\n');
            seen.once('first', () => response.end('data: "2 你"\n\n'));
            return;
          }
          compressor.pipe(response);
          compressor.write('data: "1"\n\n');
          compressor.flush();
          seen.once('first', () => compressor.end('data: "2 你"\n\n'));
        });
        let text = '';
        await collect(clientFor(server.url), undefined, (chunk) => {
          text += textOf([chunk]);
          if (text === 'data: "1"\n\n') seen.emit('first');
        });
        assert.equal(text, 'data: "1"\n\ndata: "2 你"\n\n', encoding);
        await server.close();
      }
    });

    it('that is compressed and cut off ends as far as it came', async () => {
      const whole = zlib.gzipSync(fixture('answer'));
      const url = await answering(200, { 'content-encoding': 'gzip' }, whole.subarray(0, whole.length - 60));
      const text = textOf(await collect(clientFor(url)));
      assert.ok(text.length > 100 && fixture('answer').startsWith(text));
    });

    it('that is not what its encoding says, or in an unknown one, is a failure', async () => {
      const garbage = only(
        await collect(clientFor(await answering(200, { 'content-encoding': 'gzip' }, 'no gzip'))),
      );
      assert.ok(garbage.kind === 'failed' && garbage.failure.kind === 'network');
      assert.equal(garbage.failure.code, 'Z_DATA_ERROR');
      await server?.close();
      const unknown = only(
        await collect(clientFor(await answering(200, { 'content-encoding': 'rot13' }, 'x'))),
      );
      assert.ok(unknown.kind === 'failed' && unknown.failure.kind === 'network');
      assert.equal(unknown.failure.code, 'EENCODING');
    });

    it('may be JSON, whatever it is said to be', async () => {
      for (const type of ['application/json', 'text/event-stream']) {
        const url = await answering(200, { 'content-type': type }, ' \n{"object":"response"}\n');
        assert.deepEqual(await collect(clientFor(url)), [{ kind: 'json', text: '{"object":"response"}' }]);
        await server?.close();
      }
    });

    it('may be a stream, whatever it is said to be', async () => {
      const url = await answering(200, { 'content-type': 'application/json' }, '\n: hi\n\ndata: 1\n\n');
      assert.deepEqual(await collect(clientFor(url)), [{ kind: 'text', text: '\n: hi\n\ndata: 1\n\n' }]);
    });

    it('that is no stream and has no end is given up', async () => {
      server = await rawServer((socket) => {
        socket.write(`${streamHead}{`);
        const more = (): void => {
          while (socket.write(spaces));
        };
        socket.on('drain', more);
        more();
      });
      const chunk = only(await collect(clientFor(server.url)));
      assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'brokenStream');
      assert.match(chunk.failure.detail, /^the answer is longer than \d+ characters$/);
      await server.allClosed();
    }).timeout(30_000);

    it('that is a web page or nothing is a broken stream', async () => {
      const page = only(await collect(clientFor(await answering(200, {}, '<html>Log in</html>'))));
      assert.deepEqual(page, {
        kind: 'failed',
        failure: {
          kind: 'brokenStream',
          detail: 'the answer is a web page; it starts with: <html>Log in</html>',
        },
      });
      await server?.close();
      const long = only(await collect(clientFor(await answering(200, {}, `<html>${'x'.repeat(2_000_000)}`))));
      assert.ok(long.kind === 'failed' && long.failure.kind === 'brokenStream');
      assert.ok(long.failure.detail.length < 400);
      await server?.close();
      // The limit of 300 falls into the family.
      const html = `<html>${'x'.repeat(290)}👩‍👩‍👧‍👦</html>`;
      const whole = only(await collect(clientFor(await answering(200, {}, html))));
      assert.ok(whole.kind === 'failed' && whole.failure.kind === 'brokenStream');
      assert.ok(whole.failure.detail.endsWith('xxx'));
      await server?.close();
      for (const status of [200, 204]) {
        const empty = only(await collect(clientFor(await answering(status, {}, ''))));
        assert.deepEqual(empty, {
          kind: 'failed',
          failure: { kind: 'brokenStream', detail: 'the answer is empty' },
        });
        await server?.close();
      }
    });
  });

  describe('a refusal', () => {
    it('is known by status and body', async () => {
      for (const [status, type, kind] of [
        [400, 'invalid_request_error', 'refused'],
        [401, 'invalid_authentication_error', 'badKey'],
        [402, '', 'outOfQuota'],
        [403, 'permission_denied_error', 'forbidden'],
        [404, 'resource_not_found_error', 'modelUnknown'],
        [429, 'exceeded_current_quota_error', 'outOfQuota'],
        [500, 'server_error', 'serverError'],
        [502, '', 'serverError'],
        [503, '', 'overloaded'],
        [504, '', 'serverError'],
      ] as const) {
        const body = JSON.stringify({ error: { message: `no ${status}`, type, code: null } });
        const chunk = only(
          await collect(clientFor(await answering(status, { 'content-type': 'application/json' }, body))),
        );
        assert.ok(chunk.kind === 'failed');
        assert.equal(chunk.failure.kind, kind);
        assert.ok('message' in chunk.failure && chunk.failure.message === `no ${status}`);
        await server?.close();
      }
    });

    it('says how long to wait', async () => {
      const body = '{"error":{"message":"slow","type":"rate_limit_reached_error"}}';
      assert.deepEqual(only(await collect(clientFor(await answering(429, { 'retry-after': '2' }, body)))), {
        kind: 'failed',
        failure: { kind: 'rateLimited', message: 'slow', retryAfter: 2000 },
      });
    });

    it('may be a web page, compressed, empty, endless or cut off', async () => {
      const message = async (url: string): Promise<string> => {
        const chunk = only(await collect(clientFor(url)));
        assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'serverError');
        await server?.close();
        return chunk.failure.message;
      };
      const page = '<html><title>504 Gateway Time-out</title></html>';
      assert.equal(await message(await answering(504, {}, page)), '504 Gateway Time-out');
      assert.equal(
        await message(await answering(504, { 'content-encoding': 'gzip' }, zlib.gzipSync(page))),
        '504 Gateway Time-out',
      );
      assert.equal(await message(await answering(500, {}, '')), 'HTTP 500');
      assert.equal(
        await message(await rawAnswering('HTTP/1.1 500 X\r\ncontent-length: 99\r\n\r\nhalf a')),
        'half a',
      );
      server = await rawServer((socket) => {
        socket.write('HTTP/1.1 500 X\r\n\r\n');
        const more = (): void => {
          while (socket.write('x'.repeat(16_384)));
        };
        socket.on('drain', more);
        more();
      });
      assert.match(await message(server.url), /^x{1000}…$/);
    });

    it('may be a redirect, which is never followed', async () => {
      const followed: string[] = [];
      const other = await httpServer((request, response) => {
        followed.push(String(request.url));
        response.end();
      });
      try {
        for (const status of [301, 302, 303, 307, 308]) {
          for (const location of [other.url, '/v1/elsewhere', '//localhost/', 'https://evil.invalid/']) {
            const paths: string[] = [];
            server = await httpServer((request, response) => {
              paths.push(String(request.url));
              response.writeHead(status, { location }).end();
            });
            const chunk = only(await collect(clientFor(server.url)));
            assert.deepEqual(chunk, {
              kind: 'failed',
              failure: { kind: 'refused', message: `HTTP ${status}, redirected to ${location}`, status },
            });
            assert.deepEqual(paths, ['/v1/responses']);
            await server.close();
          }
        }
        assert.deepEqual(followed, []);
      } finally {
        server = undefined;
        await other.close();
      }
    });
  });

  describe('a connection', () => {
    it('that is refused has sent nothing', async () => {
      server = await httpServer(() => undefined);
      const { url } = server;
      await server.close();
      server = undefined;
      const chunk = only(await collect(clientFor(url)));
      assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'network');
      assert.equal(chunk.failure.code, 'ECONNREFUSED');
      assert.equal(chunk.failure.sent, false);
    });

    it('that is cut before the answer may have been worked on', async () => {
      for (const cut of ['end', 'reset'] as const) {
        server = await rawServer((socket) => {
          if (cut === 'end') socket.end();
          else socket.resetAndDestroy();
        });
        const chunk = only(await collect(clientFor(server.url)));
        assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'network');
        assert.equal(chunk.failure.sent, true);
        assert.match(chunk.failure.code, /^(UND_ERR_SOCKET|ECONNRESET)$/);
        await server.close();
      }
    });

    it('that is cut in the answer gives what came before', async () => {
      for (const cut of ['short', 'reset'] as const) {
        const reset = new EventEmitter();
        server = await rawServer((socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\ndata: 1\n\n');
          reset.once('now', () => {
            if (cut === 'short') socket.end();
            else socket.resetAndDestroy();
          });
        });
        const chunks = await collect(clientFor(server.url), undefined, () => reset.emit('now'));
        assert.equal(textOf(chunks), 'data: 1\n\n<network>');
        await server.close();
      }
    });

    it('that ends cleanly is no failure by itself', async () => {
      assert.deepEqual(await collect(clientFor(await rawAnswering(`${streamHead}data: 1\n\n`))), [
        { kind: 'text', text: 'data: 1\n\n' },
      ]);
    });

    it('that is reset right after the terminal event makes no failure of a success', async () => {
      server = await rawServer((socket) => {
        socket.write(streamHead + fixture('answer'), () => socket.resetAndDestroy());
      });
      const outcome = await run(ports(clientFor(server.url)), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.equal(shown(outcome.turn).length, 2);
    });

    it('is closed as soon as the terminal event has been read, though the server would go on', async () => {
      server = await rawServer((socket) => socket.write(streamHead + fixture('answer')));
      const outcome = await run(ports(clientFor(server.url)), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      await server.allClosed();
    });

    it('that speaks no HTTP is a failure', async () => {
      const chunk = only(await collect(clientFor(await rawAnswering('SSH-2.0-OpenSSH_9.9\r\n'))));
      assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'network');
      assert.match(chunk.failure.code, /^(HPE_|HTTPParserError$)/);
    });
  });

  describe('silence', () => {
    const silence = { kind: 'failed', failure: { kind: 'silence', seconds: 0.05 } } as const;

    it('before the answer ends the request and closes the connection', async () => {
      server = await rawServer(() => undefined);
      assert.deepEqual(await collect(clientFor(server.url, { silenceSeconds: () => 0.05 })), [silence]);
      await server.allClosed();
    });

    it('within the answer does so too, after what came', async () => {
      server = await rawServer((socket) => socket.write(`${streamHead}data: 1\n\n`));
      assert.deepEqual(await collect(clientFor(server.url, { silenceSeconds: () => 0.05 })), [
        { kind: 'text', text: 'data: 1\n\n' },
        silence,
      ]);
      await server.allClosed();
    });

    it('within a refusal leaves the status to tell what it is', async () => {
      server = await rawServer((socket) => socket.write('HTTP/1.1 401 X\r\ncontent-length: 99\r\n\r\n'));
      const chunk = only(await collect(clientFor(server.url, { silenceSeconds: () => 0.05 })));
      assert.ok(chunk.kind === 'failed' && chunk.failure.kind === 'badKey');
    });
  });

  describe('a cancellation', () => {
    it('before the answer closes the connection at once and is no failure', async () => {
      const abort = new AbortController();
      server = await rawServer(() => {
        abort.abort();
      });
      assert.deepEqual(await collect(clientFor(server.url), abort.signal), []);
      await server.allClosed();
    });

    it('between the head of the answer and its first byte does so too', async () => {
      const abort = new AbortController();
      server = await rawServer((socket) => socket.write(streamHead));
      const log = {
        info: (message: string) => message === 'Answered.' && abort.abort(),
        warn: () => undefined,
      };
      assert.deepEqual(await collect(clientFor(server.url, { log }), abort.signal), []);
      await server.allClosed();
    });

    it('within the answer gives nothing more', async () => {
      const abort = new AbortController();
      server = await rawServer((socket) => socket.write(`${streamHead}data: 1\n\n`));
      const chunks = await collect(clientFor(server.url), abort.signal, () => {
        abort.abort();
      });
      assert.equal(textOf(chunks), 'data: 1\n\n');
      await server.allClosed();
    });

    it('within a refusal does so too', async () => {
      const abort = new AbortController();
      server = await rawServer((socket) => socket.write('HTTP/1.1 500 X\r\ncontent-length: 99\r\n\r\n'));
      const log = {
        info: (message: string) => message === 'Answered.' && abort.abort(),
        warn: () => undefined,
      };
      assert.deepEqual(await collect(clientFor(server.url, { log }), abort.signal), []);
      await server.allClosed();
    });

    it('leaves no listener behind, nor does any other end', async () => {
      const abort = new AbortController();
      let listeners = 0;
      const signal = {
        aborted: false,
        addEventListener: (...args: Parameters<AbortSignal['addEventListener']>) => {
          listeners += 1;
          abort.signal.addEventListener(...args);
        },
        removeEventListener: (...args: Parameters<AbortSignal['removeEventListener']>) => {
          listeners -= 1;
          abort.signal.removeEventListener(...args);
        },
      };
      const url = await answering(200, {}, 'data: 1\n\n');
      for await (const _ of clientFor(url).send(smallBody, signal)) assert.equal(listeners, 1);
      assert.equal(listeners, 0);
    });

    it('is what a reader does that goes away', async () => {
      server = await rawServer((socket) => socket.write(`${streamHead}data: 1\n\n`));
      for await (const chunk of clientFor(server.url).send(smallBody, new AbortController().signal)) {
        assert.equal(chunk.kind, 'text');
        break;
      }
      await server.allClosed();
    });
  });

  describe('a server that repeats the key', () => {
    const key = 'sk-Secret-0123456789';

    async function told(status: number, headers: Record<string, string>, body: string): Promise<string> {
      const chunks = await collect(
        clientFor(await answering(status, headers, body), { key: async () => key }),
      );
      await server?.close();
      server = undefined;
      return JSON.stringify(chunks);
    }

    it('does not have it shown in a refusal, a redirect or a web page', async () => {
      const refused = await told(401, {}, JSON.stringify({ error: { message: `No such key: ${key}.` } }));
      assert.match(refused, /"badKey","message":"No such key: ••••••••\."/);
      assert.match(
        await told(302, { location: `/login?key=${key}` }, ''),
        /redirected to \/login\?key=••••••••"/,
      );
      assert.match(await told(200, {}, `<html>Bearer ${key}</html>`), /<html>Bearer ••••••••<\/html>/);
    });

    it('does not have it shown in a stream either', async () => {
      const stream = `data: {"type":"error","message":"Bearer ${key}"}\n\ndata: sk-`;
      assert.equal(
        textOf(await collect(clientFor(await rawAnswering(streamHead + stream), { key: async () => key }))),
        'data: {"type":"error","message":"Bearer ••••••••"}\n\ndata: sk-',
      );
    });
  });

  it('sends half a character as the sign for one', async () => {
    const bodies: string[] = [];
    server = await httpServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.end();
      });
    });
    const asked = { ...smallBody, instructions: 'a\ud83d b\ude00 c\ud83d\ude00' };
    for await (const chunk of clientFor(server.url).send(asked, new AbortController().signal)) {
      assert.equal(chunk.kind, 'failed');
    }
    assert.equal(
      (JSON.parse(bodies[0] ?? '') as { instructions: string }).instructions,
      'a\ufffd b\ufffd c😀',
    );
    assert.ok(!/\\ud[89a-f]/i.test(bodies[0] ?? ''));
  });

  it('keeps key and content out of the log', async () => {
    const logged: string[] = [];
    const note = (...values: readonly unknown[]): void => {
      logged.push(JSON.stringify(values));
    };
    const url = await answering(401, {}, '{"error":{"message":"secret answer"}}');
    await collect(clientFor(url, { key: async () => 'sk-secret', log: { info: note, warn: note } }));
    assert.ok(logged.length >= 2);
    assert.ok(!logged.join().includes('secret'));
    assert.match(logged.join(), /badKey/);
  });

  it('holds back a server that sends faster than it is read', async () => {
    let paused: () => void = () => undefined;
    const full = new Promise<void>((resolve) => (paused = resolve));
    server = await rawServer((socket) => {
      socket.write(streamHead);
      while (socket.write(`data: "${'x'.repeat(65_536)}"\n\n`) && socket.writableLength < 64 * 1024 * 1024);
      paused();
      socket.end();
    });
    let length = 0;
    for await (const chunk of clientFor(server.url).send(smallBody, new AbortController().signal)) {
      if (length === 0) await full;
      if (chunk.kind === 'text') length += chunk.text.length;
    }
    assert.ok(length > 65_536);
  });

  it('serves several requests at the same time', async () => {
    server = await httpServer((_request, response) => {
      response.end('data: 1\n\n');
    });
    const client = clientFor(server.url);
    const all = await Promise.all([collect(client), collect(client), collect(client)]);
    assert.deepEqual(all.map(textOf), ['data: 1\n\n', 'data: 1\n\n', 'data: 1\n\n']);
    await server.allClosed();
  });
});
