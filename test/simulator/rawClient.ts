/** A client for tests that sees the bytes: no library between the test and the socket but Node's own HTTP. */
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { readFrames } from './checker.ts';
import { defaultKey } from './main.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As the HTTP parser gave them. */
  readonly chunks: readonly Buffer[];
  readonly text: string;
  /** Code of the error the body ended with, `ECONNRESET` when the socket went. */
  readonly broken: string | undefined;
}

export interface RawCall {
  /** Rejects when the socket goes before the headers. */
  readonly answer: Promise<RawAnswer>;
  /** Resolves with the headers. */
  readonly begun: Promise<IncomingMessage>;
  /** Leaves, as a client does that no longer wants the answer. */
  leave(): void;
}

export interface CallOptions {
  readonly method?: string;
  readonly path?: string;
  /** Beside the type of the body and the default key of a simulator; undefined leaves one of them out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends a body: an object as JSON, a string as it is. */
export function call(url: string, body: JsonObject | string, options: CallOptions = {}): RawCall {
  const begun = Promise.withResolvers<IncomingMessage>();
  const all = {
    'content-type': 'application/json',
    authorization: `Bearer ${defaultKey}`,
    ...options.headers,
  };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const sending: ClientRequest = request(
    `${url}${options.path ?? '/v1/responses'}`,
    { method: options.method ?? 'POST', headers, agent: false },
    (message) => begun.resolve(message),
  );
  sending.once('error', begun.reject);
  sending.end(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = begun.promise.then(readAll);
  // Whoever waits for only one of them must not be punished for the other.
  begun.promise.catch(() => undefined);
  answer.catch(() => undefined);
  return { answer, begun: begun.promise, leave: () => void sending.destroy() };
}

/** Sends and waits for the whole answer. */
export async function ask(
  url: string,
  body: JsonObject | string,
  options: CallOptions = {},
): Promise<RawAnswer> {
  return call(url, body, options).answer;
}

/** The answer's body as JSON. */
export function jsonOf(answer: RawAnswer): JsonObject {
  return JSON.parse(answer.text) as JsonObject;
}

/** The answer's events, for streams in the documented form. */
export function eventsOf(answer: RawAnswer): readonly ({ readonly type: string } & JsonObject)[] {
  return readFrames(answer.text).events;
}

/** The response object of the terminal event. */
export function responseOf(answer: RawAnswer): JsonObject {
  const response = eventsOf(answer).at(-1)?.['response'];
  if (!isJsonObject(response)) throw new Error('The stream has no terminal event with a response');
  return response;
}

/** The output items of the terminal event. */
export function outputOf(answer: RawAnswer): readonly JsonObject[] {
  const output = responseOf(answer)['output'];
  return Array.isArray(output) ? output.filter(isJsonObject) : [];
}

async function readAll(message: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  let broken: string | undefined;
  await new Promise<void>((resolve) => {
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('error', (error: NodeJS.ErrnoException) => {
      broken = error.code ?? error.message;
    });
    message.once('close', resolve);
  });
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: message.statusCode ?? 0, headers: message.headers, chunks, text, broken };
}
