/** Carries an answer to its client: pacing, gates, breaks, quirks, frames. Knows nothing of how the events came to be. */
import type { ServerResponse } from 'node:http';
import { Cutter } from './cutter.ts';
import { Framer } from './frames.ts';
import type { Gates } from './gates.ts';
import type { Closing, Exchange } from './journal.ts';
import { Pacer } from './pacer.ts';
import type { Beat } from './beats.ts';
import { Bender, type Quirks } from './quirks.ts';
import type { Break, Cut, Literal, Pace } from './script.ts';
import { aborted } from './signals.ts';
import { isJsonObject, type SentEvent } from './wire.ts';
import { Writer } from './writer.ts';

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
