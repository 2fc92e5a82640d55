/** HTTP: reads requests, turns away what the door objects to, and sends each other one to the reply that is due. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { PrefixCache } from './cache.ts';
import { breakOff, deliverJson, deliverLiteral, deliverStream, type Delivery } from './deliver.ts';
import { objectionTo, type DoorSettings } from './door.ts';
import { Gates } from './gates.ts';
import { Ids } from './ids.ts';
import { Exchange, Journal } from './journal.ts';
import { modelOrStandIn } from './models.ts';
import type { Beat } from './beats.ts';
import { perform } from './perform.ts';
import { renderPrompt } from './prompt.ts';
import { appliedCacheOptions, describeResponse } from './response.ts';
import type { Answer, Cut, Mind, Pace, Refusal, Reply } from './script.ts';
import { Sockets } from './sockets.ts';
import { checkStructured } from './structured.ts';
import { isCall, itemsOf } from './validate/items.ts';
import { Memory } from './validate/memory.ts';
import type { JsonObject, OutputItem } from './wire.ts';

export interface ServerSettings extends DoorSettings {
  readonly mind: Mind;
  readonly callIds: 'repeating' | 'counted';
  readonly now: () => number;
  readonly pace: Pace | undefined;
  readonly cut: Cut;
}

const largestBody = 64 * 1024 * 1024;

export class ResponsesServer {
  readonly journal = new Journal();
  readonly gates = new Gates();
  readonly sockets: Sockets;
  /** Replies for the next requests; when it is empty the mind answers. */
  readonly queue: (Reply | Mind)[] = [];
  readonly #settings: ServerSettings;
  readonly #ids: Ids;
  readonly #cache: PrefixCache;
  readonly #memory = new Memory();
  readonly #server: Server;
  readonly #closing = new AbortController();

  constructor(settings: ServerSettings) {
    this.#settings = settings;
    this.#ids = new Ids(settings.now);
    this.#cache = new PrefixCache(settings.now);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.stderr.write(`simulator: ${said}\n`);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The simulator failed: ${said}\n`);
      });
    });
    this.#server.requestTimeout = 0;
    this.sockets = new Sockets(this.#server);
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  closeIdleSockets(): void {
    this.#server.closeIdleConnections();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.sockets.end();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bodyText = await readBody(request);
    if (bodyText === undefined) return;
    const exchange = this.journal.add(
      (index) =>
        new Exchange(
          index,
          { method: request.method ?? '', path: request.url ?? '', headers: request.headers },
          bodyText,
          this.#settings.now(),
        ),
    );
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) exchange.close(this.#closing.signal.aborted ? 'broken' : 'clientLeft');
      left.abort();
    });
    const gone = AbortSignal.any([left.signal, this.#closing.signal]);
    const delivery: Delivery = { response, exchange, gates: this.gates, gone };

    const objection = objectionTo(exchange, this.#settings, this.#memory);
    if (objection !== undefined) {
      sendRefusal(delivery, objection);
      return;
    }
    const due = this.queue.shift() ?? this.#settings.mind;
    const reply = typeof due === 'function' ? await due({ index: exchange.index, body: exchange.body }) : due;
    await this.#play(delivery, reply);
  }

  async #play(delivery: Delivery, reply: Reply): Promise<void> {
    switch (reply.kind) {
      case 'answer':
        return this.#answer(delivery, reply);
      case 'refusal':
        sendRefusal(delivery, reply);
        return;
      case 'literal':
        return deliverLiteral(delivery, reply, this.#settings.cut);
      case 'mute':
        return breakOff(delivery, { kind: 'silence' });
      case 'drop':
        return breakOff(delivery, { kind: 'cutSocket', how: reply.how });
    }
  }

  async #answer(delivery: Delivery, answer: Answer): Promise<void> {
    const { body } = delivery.exchange;
    checkStructured(body, answer);
    const model = modelOrStandIn(String(body['model']));
    const input = this.#cache.take(model.id, renderPrompt(body), appliedCacheOptions(body).ttl);
    const asked =
      typeof body['max_output_tokens'] === 'number' ? body['max_output_tokens'] : model.defaultOutput;
    const beats = perform(answer, {
      describe: describeResponse(body, this.#ids.next('resp'), input, this.#settings.now),
      nextId: (prefix) => this.#ids.next(prefix),
      budget: Math.min(asked, Math.max(0, model.contextWindow - input.tokens)),
      include: includeOf(body),
      firstCall: this.#settings.callIds === 'counted' ? callsIn(body) : 0,
      seal: (itemId, plain) => seal(model.id, itemId, plain),
    });
    const { options } = answer;
    const quirks = options.quirks ?? {};
    const pace = options.pace ?? this.#settings.pace;
    // A quirky answer may not be valid to send back, so nobody is held to it.
    const watched = options.quirks === undefined ? this.#remembering(beats, model.id) : beats;
    if (body['stream'] === true && quirks.body !== 'json') {
      await deliverStream(delivery, watched, { cut: options.cut ?? this.#settings.cut, pace, quirks });
    } else {
      await deliverJson(delivery, watched, { pace, quirks });
    }
  }

  /** The same beats; the memory hears of each item before it goes out. */
  *#remembering(beats: Iterable<Beat>, model: string): Generator<Beat, void, void> {
    const items: OutputItem[] = [];
    for (const beat of beats) {
      if (beat.kind === 'event' && beat.event.type === 'response.output_item.done') {
        items.push(beat.event['item'] as OutputItem);
        this.#memory.record(items, model);
      }
      yield beat;
    }
  }
}

function callsIn(body: JsonObject): number {
  return [...itemsOf(body)].filter(([, , type]) => isCall(type)).length;
}

function includeOf(body: JsonObject): ReadonlySet<unknown> {
  return new Set(Array.isArray(body['include']) ? body['include'] : []);
}

/** Undefined when the client left while sending. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBody) {
        request.destroy();
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendRefusal({ response, exchange }: Delivery, refusal: Refusal): void {
  exchange.status = refusal.status;
  response.writeHead(refusal.status, refusal.headers);
  response.end(refusal.body);
  exchange.close('answered');
}

function seal(model: string, itemId: string, plain: string): string {
  return createHash('sha512').update(`${model}\0${itemId}\0${plain}`).digest('base64');
}
