/**
 * One request to the service over HTTP: bytes in, text out. The only place where the key meets a request. Knows no conversation and
 * no editor; what the text says is read in the core.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { Client, type Dispatcher } from 'undici';

import type { CancelSignal } from '../core/cancel.ts';
import type { ModelChunk, ModelPort, OtherAddress } from '../core/conversation/modelPort.ts';
import { cutAt } from '../core/cutAt.ts';
import { failureFromHttp } from '../core/responses/classify.ts';
import type { Failure } from '../core/responses/failure.ts';
import type { RequestBody } from '../core/responses/wire.ts';
import type { Result } from '../core/result.ts';
import type { AddressProblem, ServiceAddress } from './address.ts';
import { KeyFilter, KeysSent, withoutKey } from './keyFilter.ts';
import type { Network } from './network.ts';
import { networkFailure } from './networkFailure.ts';
import { Watchdog } from './watchdog.ts';

export interface KimiClientPorts {
  /** Asked at each request, as are the key and the seconds. */
  address(): Result<ServiceAddress, AddressProblem>;
  /** Where a request may go instead, with the same key. Asked at each request. */
  otherAddress?(): ServiceAddress | undefined;
  /** The key for exactly this origin. May reject when the store can't be read. */
  key(origin: string): Promise<string | undefined>;
  /** Keys of other addresses too, as far as they are known: no text that is sent holds one. */
  knownKeys?(): Iterable<string>;
  /** Seconds without a byte after which a request is given up; 0 waits for ever. */
  silenceSeconds(): number;
  readonly network: Network;
  readonly userAgent: string;
  readonly log: ClientLog;
}

/** Ids, counts and kinds only: never content or a key. */
export interface ClientLog {
  info(message: string, figures?: Readonly<Record<string, string | number | boolean | undefined>>): void;
  warn(message: string, cause?: unknown): void;
}

export class KimiClient implements ModelPort {
  readonly #ports: KimiClientPorts;
  readonly #keys = new KeysSent();

  constructor(ports: KimiClientPorts) {
    this.#ports = ports;
  }

  origin(): string | undefined {
    const address = this.#ports.address();
    return address.ok ? address.value.origin : undefined;
  }

  otherAddress(): OtherAddress | undefined {
    const other = this.#ports.otherAddress?.();
    return other === undefined ? undefined : { host: new URL(other.origin).host };
  }

  /** A text without any key that a request has carried, or that is known. */
  withoutKeys(text: string): string {
    return this.#keys.without(text, this.#ports.knownKeys?.());
  }

  async *send(
    body: RequestBody,
    signal: CancelSignal,
    via?: OtherAddress,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    const address = this.#ports.address();
    if (!address.ok) {
      yield failed({ kind: 'network', code: 'EADDRESS', message: address.error, sent: false });
      return;
    }
    // A keyring may wait for its own password dialog, or for ever: stopping must not wait with it.
    const key = await unlessAborted(this.#key(address.value), signal);
    if (signal.aborted) return;
    if (key === undefined && !address.value.loopback) {
      yield failed({ kind: 'noKey' });
      return;
    }
    if (key !== undefined) this.#keys.add(key);
    // The settings may have changed since the other address was named: then it is none any more.
    const other = via === undefined ? undefined : this.#ports.otherAddress?.();
    const text = JSON.stringify(body, (_name, value: unknown) => this.#sendable(value));
    yield* this.#exchange(other ?? address.value, key, text, signal);
  }

  /**
   * Half a character (a lone surrogate) is no text, and servers refuse every later request over one in the history. And no key leaves in
   * a body, whoever wrote it there and whatever was decided about it: a body is kept, and shown, by more than the header is.
   */
  #sendable(value: unknown): unknown {
    return typeof value === 'string' ? this.withoutKeys(value.toWellFormed()) : value;
  }

  async #key({ origin }: ServiceAddress): Promise<string | undefined> {
    try {
      return (await this.#ports.key(origin)) || undefined;
    } catch (error) {
      this.#ports.log.warn('The key could not be read.', error);
      return undefined;
    }
  }

  async *#exchange(
    address: ServiceAddress,
    key: string | undefined,
    body: string,
    signal: CancelSignal,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    const { network, log, userAgent } = this.#ports;
    const seconds = this.#ports.silenceSeconds();
    const abort = new AbortController();
    const onAbort = (): void => {
      abort.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const watchdog = new Watchdog(seconds * 1000, onAbort);
    // A client of its own for each request: nothing is left over from one to the next, and destroying it ends the request at whatever
    // step it is. An answer is left at its last event, so a connection could not be used again anyway.
    const client = new Client(address.origin, {
      connect: network.connector(abort.signal),
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 0,
    });
    const started = performance.now();
    // Unless something else is noted: whoever reads had what it needed, as a turn has at the terminal event.
    let outcome = 'answered';
    try {
      const { pathname } = new URL(address.responsesUrl);
      const response = await watchdog.over(
        client.request({
          method: 'POST',
          path: pathname,
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream, application/json',
            'accept-encoding': 'identity',
            'user-agent': userAgent,
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body,
          signal: abort.signal,
        }),
      );
      // Without a listener an error of an answer that nobody reads to its end would be uncaught.
      response.body.on('error', () => undefined);
      log.info('Answered.', { status: response.statusCode, ms: Math.round(performance.now() - started) });
      if (response.statusCode < 200 || response.statusCode > 299) {
        const failure = await refusal(response, decoded(response, watchdog, key), key);
        if (signal.aborted) return;
        outcome = failure.kind;
        yield failed(failure);
        return;
      }
      yield* readAnswer(decoded(response, watchdog, key));
      outcome = 'read to the end';
    } catch (error) {
      if (signal.aborted) return;
      const failure: Failure = watchdog.fired ? { kind: 'silence', seconds } : networkFailure(error);
      outcome = failure.kind === 'network' ? `network ${failure.code}` : failure.kind;
      yield failed(failure);
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) outcome = 'cancelled';
      log.info('Done.', {
        outcome,
        bytesSent: Buffer.byteLength(body),
        ms: Math.round(performance.now() - started),
      });
      await client.destroy();
    }
  }
}

/** What an answer holds, told by its first character: some servers name the wrong content type, and none of the three can be mistaken. */
async function* readAnswer(texts: AsyncIterable<string>): AsyncGenerator<ModelChunk, void, undefined> {
  const pieces: string[] = [];
  let length = 0;
  let first: string | undefined;
  let stream = false;
  for await (const text of texts) {
    if (stream) {
      yield { kind: 'text', text };
      continue;
    }
    pieces.push(text);
    length += text.length;
    first ??= text.trimStart()[0];
    if (first === '<' && length > excerptSize) break;
    if (length > largestBody) {
      yield failed({ kind: 'brokenStream', detail: `the answer is longer than ${largestBody} characters` });
      return;
    }
    if (first === undefined || first === '{' || first === '<') continue;
    stream = true;
    yield { kind: 'text', text: pieces.join('') };
  }
  if (stream) return;
  const body = pieces.join('').trim();
  if (first === '{') {
    yield { kind: 'json', text: body };
  } else {
    const excerpt =
      first === undefined ? 'is empty' : `is a web page; it starts with: ${cutAt(body, excerptSize)}`;
    yield failed({ kind: 'brokenStream', detail: `the answer ${excerpt}` });
  }
}

const excerptSize = 300;

/** Characters. As large as the largest message of a stream may be. */
const largestBody = 64 * 1024 * 1024;

/**
 * One decoder for the whole answer: characters are cut anywhere between chunks. Bytes that are no text become U+FFFD. The key is
 * taken out: what a server says is shown and kept.
 */
async function* decoded(
  response: Dispatcher.ResponseData,
  watchdog: Watchdog,
  key: string | undefined,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: false });
  const filter = new KeyFilter(key);
  for await (const bytes of plain(response, watchdog)) {
    const text = filter.feed(decoder.decode(bytes, { stream: true }));
    if (text !== '') yield text;
  }
  const rest = filter.feed(decoder.decode()) + filter.end();
  if (rest !== '') yield rest;
}

/** No encoding was asked for; some gateways compress all the same. */
function plain(response: Dispatcher.ResponseData, watchdog: Watchdog): AsyncIterable<Uint8Array> {
  const bytes = watched(response.body, watchdog);
  const encoding = header(response, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return bytes;
  const decompressor = decompressorFor(encoding);
  // Its error reaches whoever reads the decompressor.
  pipeline(Readable.from(bytes), decompressor).catch(() => undefined);
  return decompressor;
}

function decompressorFor(encoding: string): NodeJS.ReadWriteStream & AsyncIterable<Uint8Array> {
  // Each piece is given out as soon as it is there, and an end that was cut off is no error here: the stream's own end tells.
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(flush);
    case 'deflate':
      return zlib.createInflate(flush);
    case 'br':
      return zlib.createBrotliDecompress({
        flush: zlib.constants.BROTLI_OPERATION_FLUSH,
        finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
      });
    default:
      throw Object.assign(new Error(`The answer is encoded as ${encoding}.`), { code: 'EENCODING' });
  }
}

async function* watched(body: Readable, watchdog: Watchdog): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await watchdog.over(iterator.next());
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    body.destroy();
  }
}

async function refusal(
  response: Dispatcher.ResponseData,
  texts: AsyncIterable<string>,
  key: string | undefined,
): Promise<Failure> {
  let body = '';
  try {
    for await (const text of texts) {
      body += text;
      if (body.length > longestRefusal) break;
    }
  } catch {
    // The status tells enough; a body that breaks off adds what came of it.
  }
  const answer = {
    status: response.statusCode,
    retryAfter: header(response, 'retry-after'),
    location: withoutKey(header(response, 'location') ?? '', key) || undefined,
    body,
  };
  return failureFromHttp(answer, Date.now());
}

const longestRefusal = 64 * 1024;

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** What the promise gives, or undefined as soon as the signal is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: CancelSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let leave = (): void => undefined;
  const left = new Promise<undefined>((resolve) => {
    leave = () => {
      resolve(undefined);
    };
  });
  signal.addEventListener('abort', leave);
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function failed(failure: Failure): ModelChunk {
  return { kind: 'failed', failure };
}
