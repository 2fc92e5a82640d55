/** Carries an answer to the socket: pacing, gates, breaks, cutting. Knows nothing of what the events mean. */
import type { ServerResponse } from 'node:http';
import { Cutter } from './cutter.ts';
import { frameOf } from './frames.ts';
import type { Gates } from './gates.ts';
import type { Closing, Exchange } from './journal.ts';
import type { Beat } from './perform.ts';
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
  });
  response.flushHeaders();
  const writer = new Writer(response, new Cutter(style.cut), gone);
  const pacer = new Pacer(style.pace, gone);
  let sequence = 0;
  for (const beat of beats) {
    if (gone.aborted) return;
    switch (beat.kind) {
      case 'event': {
        await pacer.before(beat.tokens);
        if (gone.aborted) return;
        const { type, ...rest } = beat.event;
        const numbered: SentEvent = { type, sequence_number: sequence++, ...rest };
        exchange.events.push(numbered);
        await writer.write(Buffer.from(frameOf(numbered)));
        break;
      }
      case 'rawFrame':
        await writer.write(Buffer.from(beat.text));
        break;
      case 'gate':
        await writer.flush();
        await gates.arrive(beat.name, gone);
        break;
      default:
        await writer.flush();
        await breakOff(delivery, beat);
        return;
    }
  }
  await writer.flush();
  finish(delivery, 'answered');
}

/** Runs the beats without a stream and sends the last response as one JSON body. */
export async function deliverJson(
  delivery: Delivery,
  beats: Iterable<Beat>,
  pace: Pace | undefined,
): Promise<void> {
  const { response, exchange, gates, gone } = delivery;
  const pacer = new Pacer(pace, gone);
  let last: SentEvent | undefined;
  for (const beat of beats) {
    if (gone.aborted) return;
    if (beat.kind === 'event') {
      await pacer.before(beat.tokens);
      last = terminalOf(beat.event) ?? last;
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
  const writer = new Writer(response, new Cutter(reply.cut ?? cut), gone);
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
      if (!gone.aborted) {
        await new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
      }
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
  readonly #cutter: Cutter;
  readonly #gone: AbortSignal;

  constructor(response: ServerResponse, cutter: Cutter, gone: AbortSignal) {
    this.#response = response;
    this.#cutter = cutter;
    this.#gone = gone;
  }

  async write(bytes: Buffer): Promise<void> {
    for (const piece of this.#cutter.take(bytes)) await this.#send(piece);
  }

  /** Resolves when everything so far has been handed to the socket. */
  async flush(): Promise<void> {
    for (const piece of this.#cutter.rest()) await this.#send(piece);
    if (this.#gone.aborted || !this.#response.writableNeedDrain) return;
    await this.#drained();
  }

  async #send(piece: Buffer): Promise<void> {
    if (this.#gone.aborted) return;
    if (!this.#response.write(piece)) await this.#drained();
  }

  async #drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#response.off('drain', go);
        this.#gone.removeEventListener('abort', go);
        resolve();
      };
      this.#response.once('drain', go);
      this.#gone.addEventListener('abort', go);
    });
  }
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
  if (gone.aborted) return;
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
