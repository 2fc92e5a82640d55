/**
 * A stand-in for the service: `POST /v1/responses` on loopback, strict about requests and exact about answers.
 * It is written from the API's documentation alone and must import nothing of the product: it is there to contradict it.
 *
 *     const simulator = await startSimulator({ script: [answer(reasoning('Hm.'), text('Hel', gate('half'), 'lo'))] });
 *     // … the client sends its request to simulator.url …
 *     const request = await simulator.nextRequest();      // body, headers, time
 *     await simulator.reached('half');                     // "Hel" has been handed to the socket
 *     simulator.open('half');
 *     await request.closed;                                // 'answered' | 'clientLeft' | 'broken'
 *     assert.deepEqual(simulator.violations, []);          // the client kept to the documentation
 *     await simulator.close();                             // ends every socket
 *
 * Replies come from the script first, then from `reply(...)`, in the order of the requests; each may also be a function of
 * the request. When none is left the mind answers, or, without one, an error says so. A request that breaks a rule is
 * refused (400, or 404 for the model) and uses up no reply: see `violation` in its journal entry.
 *
 * What can be scripted, all of it in `script.ts`:
 * - Answers: `reasoning`, `text`, `applyPatch`, `functionCall`, `webSearch`, `parallel`; in and between them `gate`, `event`, `rawFrame`.
 * - Endings, anywhere: `incomplete`, `failed`, `errorEvent`; without one an answer is completed.
 * - Breaks, anywhere: `endEarly`, `cutSocket`, `resetSocket`, `silence`; and instead of an answer `mute`, `dropConnection`.
 * - HTTP errors: `refuse(429, { message, type, code }, { 'retry-after': '7' })`, `refuseWith` for any other body.
 * - Any bytes: `literalStream`.
 * - `vary(answer, { cut, pace, deltas, quirks })`: bytes cut anywhere, slow answers, the oddities of gateways (`quirks.ts`).
 */
import { demoMind, demoPace } from './demoMind/demoMind.ts';
import { ResponsesServer } from './server.ts';
import { refuse, type Cut, type Mind, type Pace, type Reply, type Script } from './script.ts';
import type { ReceivedRequest } from './journal.ts';
import type { Mode } from './validate/validate.ts';
import type { Violation } from './validate/violation.ts';

export * from './script.ts';
export type { Closing, ReceivedRequest } from './journal.ts';
export type { Violation } from './validate/violation.ts';
export type { Mode } from './validate/validate.ts';

export interface SimulatorOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** `strict` (default) refuses whatever the documentation does not allow; `lenient` serves other clients. */
  readonly mode?: Mode;
  /** `required` (default): without the right key 401. `optional`: any key or none, as clients send none to loopback. */
  readonly auth?: 'required' | 'optional';
  readonly key?: string;
  /** Answers when no reply is queued: the rule-based demo, or a function. */
  readonly mind?: 'demo' | Mind;
  readonly script?: Script;
  /**
   * `repeating` (default): call ids start again with every response, `apply_patch:0`. `counted`: they go on over the conversation,
   * for clients that take an id they have seen before for an error.
   */
  readonly callIds?: 'repeating' | 'counted';
  /** Milliseconds since the epoch; drives timestamps and the cache. */
  readonly now?: () => number;
  /** Default: as fast as the socket takes it, and as fast as one reads with the demo mind. `Infinity` tokens for no pace at all. */
  readonly pace?: Pace;
  /** Default: one event a write. */
  readonly cut?: Cut;
}

export interface Simulator {
  /** The origin: `http://127.0.0.1:PORT`, without `/v1`. */
  readonly url: string;
  /** The key that is accepted where one is required. */
  readonly key: string;
  /** All requests so far, refused ones too. */
  readonly requests: readonly ReceivedRequest[];
  /** The rules broken so far: empty as long as the client sends what the documentation allows. */
  readonly violations: readonly Violation[];
  /** The first request no earlier call has given; waits for it. */
  nextRequest(): Promise<ReceivedRequest>;
  /** The request with this index, counted from 0; waits for it. */
  request(index: number): Promise<ReceivedRequest>;
  /** Queues replies for the next requests. */
  reply(...replies: Script): void;
  /** Replies queued and not used yet. */
  readonly repliesLeft: number;
  /** Forgets the replies queued and not used: after a test that failed, so that the next one does not get them. */
  dropReplies(): void;
  /** Lets one answer pass the gate: the one that waits there, else the next that comes. */
  open(gate: string): void;
  /** Resolves when answers have come to the gate `times` times (default 1) since the start. */
  reached(gate: string, times?: number): Promise<void>;
  readonly openSockets: number;
  /** Resolves when no socket is open. Clients that keep connections alive keep sockets open. */
  allSocketsClosed(): Promise<void>;
  /** Ends the connections kept alive without a request, as servers do after a while. */
  closeIdleSockets(): void;
  /** Ends all sockets and stops listening. */
  close(): Promise<void>;
}

/** The key of a simulator that was given none. */
export const defaultKey = 'sk-simulator';

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const key = options.key ?? defaultKey;
  const server = new ResponsesServer({
    mode: options.mode ?? 'strict',
    auth: options.auth ?? 'required',
    key,
    mind: options.mind === 'demo' ? demoMind : (options.mind ?? noMind),
    callIds: options.callIds ?? 'repeating',
    now: options.now ?? Date.now,
    pace: options.pace ?? (options.mind === 'demo' ? demoPace : undefined),
    cut: options.cut ?? { kind: 'frames' },
  });
  server.queue.push(...(options.script ?? []));
  const port = await server.listen(options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    get requests() {
      return server.journal.requests;
    },
    get violations() {
      return server.journal.requests.flatMap(({ violation }) => violation ?? []);
    },
    nextRequest: () => server.journal.next(),
    request: (index) => server.journal.request(index),
    reply: (...replies) => void server.queue.push(...replies),
    get repliesLeft() {
      return server.queue.length;
    },
    dropReplies: () => {
      server.queue.length = 0;
    },
    open: (gate) => server.gates.open(gate),
    reached: (gate, times = 1) => server.gates.reached(gate, times),
    get openSockets() {
      return server.sockets.count;
    },
    allSocketsClosed: () => server.sockets.allClosed(),
    closeIdleSockets: () => server.closeIdleSockets(),
    close: () => server.close(),
  };
}

function noMind(): Reply {
  return refuse(500, {
    message: 'The simulator has no reply left in its script',
    type: 'server_error',
    code: 'no_reply',
  });
}
