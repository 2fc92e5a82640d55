/** What reached the simulator and what became of it, with promises for everything a test may wait for. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Violation } from './validate/violation.ts';
import { isJsonObject, type JsonObject, type SentEvent } from './wire.ts';

/** Who ended the exchange: the server by answering to the end, the client by going away, or a scripted break. */
export type Closing = 'answered' | 'clientLeft' | 'broken';

/** One request, in the order of arrival; refused ones too. */
export interface ReceivedRequest {
  /** Counted from 0. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body byte for byte, as text. */
  readonly bodyText: string;
  /** The body as an object; empty when it is not one. */
  readonly body: JsonObject;
  /** By the simulator's clock. */
  readonly receivedAt: number;
  /** The rule the request broke, when it was refused for that. */
  readonly violation: Violation | undefined;
  /** Status of the answer, once there is one. */
  readonly status: number | undefined;
  /** Events sent so far, numbered, as they went out. */
  readonly events: readonly SentEvent[];
  /** Resolves when the exchange is over. */
  readonly closed: Promise<Closing>;
  /** The client went away before the answer was complete. */
  readonly abortedByClient: boolean;
}

/** The writing side of a journal entry. */
export class Exchange implements ReceivedRequest {
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
  readonly body: JsonObject;
  readonly receivedAt: number;
  readonly closed: Promise<Closing>;
  readonly events: SentEvent[] = [];
  violation: Violation | undefined;
  status: number | undefined;
  abortedByClient = false;
  readonly #settle: (closing: Closing) => void;
  #over = false;

  constructor(
    index: number,
    head: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders },
    bodyText: string,
    receivedAt: number,
  ) {
    this.index = index;
    this.method = head.method;
    this.path = head.path;
    this.headers = head.headers;
    this.bodyText = bodyText;
    this.body = parseObject(bodyText);
    this.receivedAt = receivedAt;
    const { promise, resolve } = Promise.withResolvers<Closing>();
    this.closed = promise;
    this.#settle = resolve;
  }

  /** The first word counts. */
  close(closing: Closing): void {
    if (this.#over) return;
    this.#over = true;
    this.abortedByClient = closing === 'clientLeft';
    this.#settle(closing);
  }
}

export class Journal {
  readonly #requests: Exchange[] = [];
  readonly #waiting = new Map<number, ((request: ReceivedRequest) => void)[]>();
  #taken = 0;

  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  add(make: (index: number) => Exchange): Exchange {
    const exchange = make(this.#requests.length);
    this.#requests.push(exchange);
    for (const tell of this.#waiting.get(exchange.index) ?? []) tell(exchange);
    this.#waiting.delete(exchange.index);
    return exchange;
  }

  /** The request with this index, when it comes. */
  async request(index: number): Promise<ReceivedRequest> {
    const known = this.#requests[index];
    if (known !== undefined) return known;
    return new Promise((tell) => {
      const waiting = this.#waiting.get(index) ?? [];
      waiting.push(tell);
      this.#waiting.set(index, waiting);
    });
  }

  /** The first request no earlier call of this has given. */
  async next(): Promise<ReceivedRequest> {
    return this.request(this.#taken++);
  }
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
