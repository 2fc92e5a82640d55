/** Carries an answer to the socket: pacing, gates, breaks, cutting. Knows nothing of what the events mean. */
import type { ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { Cutter } from './cutter.ts';
import { Framer } from './frames.ts';
import type { Gates } from './gates.ts';
import type { Closing, Exchange } from './journal.ts';
import type { Beat } from './perform.ts';
import { Bender, type Quirks } from './quirks.ts';
import type { Break, Cut, Literal, Pace } from './script.ts';
import { isJsonObject, type SentEvent } from './wire.ts';

export interface Delivery {
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  readonly gates: Gates;
  /** Aborted when the client has gone or the simulator closes. */
  readonly gone: AbortSignal;
}

export interface StreamStyle {
  readonly cut: Cut;
  readonly pace: Pace | undefined;
  readonly quirks: Quirks;
}

/** Sends the beats as an event stream. */
export async function deliverStream(
  delivery: Delivery,
  beats: Iterable<Beat>,
  style: StreamStyle,
): Promise<void> {
  const { response, exchange, gates, gone } = delivery;
  exchange.status = 200;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': `req-${exchange.index}`,
    ...(style.quirks.gzip === true ? { 'content-encoding': 'gzip' } : {}),
  });
  response.flushHeaders();
  const writer = new Writer(delivery, new Cutter(style.cut), style.quirks.gzip === true);
  const pacer = new Pacer(style.pace, gone);
  const bender = new Bender(style.quirks);
  const framer = new Framer(style.quirks);
  // One frame is held back, so that the last one is known to be the last.
  let held: Buffer = Buffer.alloc(0);
  const send = async (bytes: Buffer) => {
    await writer.write(held);
    held = bytes;
  };
  const release = async () => {
    await send(Buffer.alloc(0));
    await writer.flush();
  };
  for (const beat of beats) {
    if (gone.aborted) return;
    switch (beat.kind) {
      case 'event':
        await pacer.before(beat.tokens);
        if (gone.aborted) return;
        for (const bent of bender.bend(beat.event)) {
          const numbered = framer.number(bent);
          exchange.events.push(numbered);
          await send(Buffer.from(framer.frame(numbered)));
        }
        if (style.pace !== undefined) await release();
        break;
      case 'rawFrame':
        await send(Buffer.from(beat.text));
        break;
      case 'gate':
        await release();
        await gates.arrive(beat.name, gone);
        break;
      default:
        await release();
        await breakOff(delivery, beat);
        return;
    }
  }
  const trailer = Buffer.from(framer.trailer());
  if (trailer.length > 0) await send(trailer);
  if (style.quirks.lastBlankLine === 'absent') held = held.subarray(0, held.length - framer.blankLine);
  await release();
  await writer.end();
  finish(delivery, 'answered');
}

/** Runs the beats without a stream and sends the last response as one JSON body. */
export async function deliverJson(
  delivery: Delivery,
  beats: Iterable<Beat>,
  style: Omit<StreamStyle, 'cut'>,
): Promise<void> {
  const { response, exchange, gates, gone } = delivery;
  const pacer = new Pacer(style.pace, gone);
  const bender = new Bender(style.quirks);
  let last: SentEvent | undefined;
  for (const beat of beats) {
    if (gone.aborted) return;
    if (beat.kind === 'event') {
      await pacer.before(beat.tokens);
      for (const bent of bender.bend(beat.event)) last = terminalOf(bent) ?? last;
    } else if (beat.kind === 'gate') {
      await gates.arrive(beat.name, gone);
    } else if (beat.kind !== 'rawFrame') {
      await breakOff(delivery, beat);
      return;
    }
  }
  if (gone.aborted) return;
  const failed = last?.type === 'error';
  exchange.status = failed ? 500 : 200;
  response.writeHead(exchange.status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(failed ? errorBody(last) : last?.['response']));
  exchange.close('answered');
}

export async function deliverLiteral(delivery: Delivery, reply: Literal, cut: Cut): Promise<void> {
  const { response, exchange, gates, gone } = delivery;
  exchange.status = reply.status;
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  const writer = new Writer(delivery, new Cutter(reply.cut ?? cut), false);
  for (const piece of reply.pieces) {
    if (gone.aborted) return;
    if (typeof piece === 'string' || piece instanceof Uint8Array) {
      await writer.write(Buffer.from(piece as Uint8Array));
    } else if (piece.kind === 'gate') {
      await writer.flush();
      await gates.arrive(piece.name, gone);
    } else {
      await writer.flush();
      await breakOff(delivery, piece);
      return;
    }
  }
  await writer.flush();
  finish(delivery, 'answered');
}

/** Does what the break says. For a silence it waits until the client has gone. */
export async function breakOff(delivery: Delivery, what: Break): Promise<void> {
  const { response, gone } = delivery;
  switch (what.kind) {
    case 'silence':
      await aborted(gone);
      return;
    case 'endEarly':
      finish(delivery, 'broken');
      return;
    case 'cutSocket':
      delivery.exchange.close('broken');
      if (what.how === 'reset') response.socket?.resetAndDestroy();
      else response.socket?.destroy();
  }
}

function finish(delivery: Delivery, closing: Closing): void {
  if (delivery.gone.aborted) return;
  delivery.exchange.close(closing);
  delivery.response.end();
}

function terminalOf(event: SentEvent): SentEvent | undefined {
  return ['response.completed', 'response.incomplete', 'response.failed', 'error'].includes(event.type)
    ? event
    : undefined;
}

function errorBody(event: SentEvent | undefined): unknown {
  if (isJsonObject(event?.['error'])) return { error: event['error'] };
  return { error: { message: event?.['message'], type: 'server_error', code: event?.['code'] } };
}

/** Writes through the cutter and waits where the socket asks for it. */
class Writer {
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;
  readonly #cutter: Cutter;
  readonly #gzip: Gzip | undefined;
  readonly #left: Promise<void>;
  #flushed: Promise<void> = Promise.resolve();

  constructor({ response, gone }: Delivery, cutter: Cutter, gzip: boolean) {
    this.#response = response;
    this.#gone = gone;
    this.#left = aborted(gone);
    this.#cutter = cutter;
    this.#gzip = gzip ? createGzip() : undefined;
  }

  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.#cut(this.#gzip === undefined ? bytes : await squeeze(this.#gzip, bytes));
  }

  /** Resolves when the operating system has everything so far, so that not even a reset takes it back. */
  async flush(): Promise<void> {
    for (const piece of this.#cutter.rest()) await this.#send(piece);
    await Promise.race([this.#flushed, this.#left]);
  }

  /** Closes the compression, where there is one. */
  async end(): Promise<void> {
    if (this.#gzip === undefined) return;
    const gzip = this.#gzip;
    const rest: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => rest.push(chunk));
    await new Promise<void>((resolve) => {
      gzip.once('end', resolve);
      gzip.end();
    });
    await this.#cut(Buffer.concat(rest));
    await this.flush();
  }

  async #cut(bytes: Buffer): Promise<void> {
    for (const piece of this.#cutter.take(bytes)) await this.#send(piece);
  }

  async #send(piece: Buffer): Promise<void> {
    if (this.#gone.aborted) return;
    let goesOn = true;
    this.#flushed = new Promise((resolve) => {
      goesOn = this.#response.write(piece, () => resolve());
    });
    if (!goesOn) await Promise.race([this.#flushed, this.#left]);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What the compression gives for these bytes, flushed. */
async function squeeze(gzip: Gzip, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer) => chunks.push(chunk);
  gzip.on('data', take);
  gzip.write(bytes);
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
  gzip.off('data', take);
  return Buffer.concat(chunks);
}

/** Waits as long as a model would take for so many tokens. */
class Pacer {
  readonly #pace: Pace | undefined;
  readonly #gone: AbortSignal;
  #thought = false;

  constructor(pace: Pace | undefined, gone: AbortSignal) {
    this.#pace = pace;
    this.#gone = gone;
  }

  async before(tokens: number): Promise<void> {
    if (this.#pace === undefined || tokens === 0) return;
    let wait = (1000 * tokens) / this.#pace.tokensPerSecond;
    if (!this.#thought) {
      this.#thought = true;
      wait += this.#pace.thinkFor ?? 0;
    }
    await pause(wait, this.#gone);
  }
}

async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
  if (gone.aborted || milliseconds <= 0) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    gone.addEventListener('abort', done);
  });
}
