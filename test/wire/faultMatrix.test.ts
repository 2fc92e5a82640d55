/**
 * Each fault at each phase of an answer, over real sockets. Whatever happens: what came is kept and marked, the turn says what went
 * wrong, nothing is sent twice that may have been billed, the strict service takes the next request, and nothing is left behind.
 */
import assert from 'node:assert/strict';

import type { FailureKind } from '../../src/core/responses/failure.ts';
import type { Turn } from '../../src/core/conversation/conversation.ts';
import { mostAttempts } from '../../src/core/conversation/retry.ts';
import type { TurnPorts } from '../../src/core/conversation/turn.ts';
import { maxMessageSize } from '../../src/core/responses/sse.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { seededRandom } from '../simulator/cutter.ts';
import {
  answer,
  applyPatch,
  cutSocket,
  dropConnection,
  endEarly,
  functionCall,
  gate,
  literalStream,
  mute,
  reasoning,
  refuse,
  refuseWith,
  resetConnection,
  resetSocket,
  silence,
  startSimulator,
  text,
  vary,
  type Break,
  type LiteralPiece,
  type Reply,
  type Simulator,
} from '../simulator/main.ts';
import * as raw from '../simulator/rawClient.ts';
import { clientFor, rawServer } from '../support/client.ts';
import { ask, ports, run, shown, usages, userMessage, type Outcome } from '../support/turns.ts';
import { heldSilence, HeldTimers, Ledger, TappedModel } from './faultStage.ts';

const tools: readonly Tool[] = [
  {
    declaration: {
      type: 'function',
      name: 'read_file',
      description: 'd',
      parameters: { type: 'object' },
      strict: false,
    },
    run: async ({ input }) => ({ kind: 'done', text: `read ${input}` }),
  },
  {
    declaration: {
      type: 'custom',
      name: 'apply_patch',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    run: async ({ input }) => ({ kind: 'done', text: `applied ${input.length}` }),
  },
];

/** Everything that an answer can hold, in scripts of one to four bytes a character. */
const wholeAnswer = vary(
  answer(
    reasoning(['想 of', ' it.'], 'Then é.'),
    text('Hello ', '你好 👩‍👩‍👧‍👦 "', '\r\n"'),
    functionCall('read_file', { path: '文' }),
    applyPatch('*** Begin Patch\n', '*** Add File: 文.txt\n+😀\n', '*** End Patch'),
  ),
  { deltas: 'pieces' },
);

describe('wire: the fault matrix', function () {
  this.timeout(60_000);
  const timers = new HeldTimers();
  let simulator: Simulator;
  let model: TappedModel;
  let ledger: Ledger;
  let stream: Stream;

  before(async () => {
    simulator = await startSimulator({ auth: 'optional' });
    simulator.reply(wholeAnswer);
    const body = {
      model: 'kimi-k3.1-pro',
      input: 'q',
      stream: true,
      tools: tools.map((tool) => tool.declaration),
    };
    stream = new Stream((await raw.ask(simulator.url, body)).text);
    await simulator.allSocketsClosed();
    timers.install();
  });
  after(async () => {
    timers.uninstall();
    await simulator.close();
  });

  beforeEach(async () => {
    model = tapped(simulator.url);
    ledger = await Ledger.open();
  });
  afterEach(async () => {
    simulator.dropReplies();
    assert.deepEqual(simulator.violations, []);
    await simulator.allSocketsClosed();
    await ledger.allGivenBack();
    assert.equal(timers.count, 0, 'timers of the watchdog');
  });

  function tapped(url: string): TappedModel {
    const made: TappedModel = new TappedModel(
      clientFor(url, {
        silenceSeconds: () => heldSilence,
        // The text holds nothing that could be the beginning of this key, so that none of it is held back.
        key: async () => '~key~of~the~matrix~',
        log: {
          info: (message) => {
            if (message === 'Answered.') made.answered();
          },
          warn: () => undefined,
        },
      }),
    );
    return made;
  }

  interface Faulty extends Outcome {
    readonly waits: readonly number[];
    /** Requests that the service saw. */
    readonly sent: number;
  }

  /** Runs one turn; `meanwhile` is done beside it. */
  async function faulty(
    replies: readonly Reply[],
    meanwhile: (turn: Promise<unknown>) => Promise<void> = async () => undefined,
    more: { readonly ports?: Partial<TurnPorts>; readonly signal?: AbortSignal } = {},
  ): Promise<Faulty> {
    const before = simulator.requests.length;
    simulator.reply(...replies);
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const signal = ledger.watch(more.signal ?? new AbortController().signal);
    const running = run({ ...ports(model, tools), wait, ...more.ports }, ask('q', { signal }));
    await meanwhile(running);
    const outcome = await running;
    return { ...outcome, waits, sent: simulator.requests.length - before };
  }

  /** The turn is told whole, and both ways on from it are taken by the service: going on with it, and asking something else. */
  async function goesOn({ turn, history, conversation, requests }: Outcome): Promise<void> {
    assert.ok(turn.end !== undefined);
    assert.ok(turn.parts.every(({ closedAt }) => closedAt !== undefined));
    assert.ok(turn.parts.every((part) => part.kind !== 'tool' || part.outcome !== undefined));
    assert.ok(turn.requests.every(({ endedAt }) => endedAt !== undefined));
    const good = answer(reasoning('Again.'), text('Good.'));
    let next = { history, conversation, requests };
    if (turn.end.kind !== 'completed') {
      simulator.reply(good);
      const start = { kind: 'resume', shown: turn, message: userMessage('Go on.') } as const;
      const resumed = await run(
        ports(clientFor(simulator.url), tools),
        ask('', { start, history, requests, signal: ledger.watch(new AbortController().signal) }),
        conversation,
      );
      assert.deepEqual(resumed.turn.end, { kind: 'completed' });
      assert.equal(resumed.turn.broken, undefined);
      next = resumed;
    }
    simulator.reply(good);
    const other = await run(
      ports(clientFor(simulator.url), tools),
      ask('Something else?', { turn: 'turn-2', ...next, signal: ledger.watch(new AbortController().signal) }),
      next.conversation,
    );
    assert.deepEqual(other.turn.end, { kind: 'completed' });
    assert.deepEqual(shown(other.turn), ['reasoning: Again.', 'answer: Good.']);
  }

  function kindOf(turn: Turn): FailureKind | 'none' {
    return turn.end?.kind === 'failed' ? turn.end.failure.kind : 'none';
  }

  /** It broke in the answer: what came stands and is marked, the usage is unknown, and nothing was sent again. */
  function assertBroken(found: Faulty, kind: FailureKind, parts: readonly string[], where: string): void {
    assert.equal(kindOf(found.turn), kind, where);
    if (found.turn.end?.kind === 'failed' && found.turn.end.failure.kind === 'network') {
      assert.match(found.turn.end.failure.code, /^(ECONNRESET|UND_ERR_SOCKET)$/, where);
      assert.equal(found.turn.end.failure.sent, true, where);
    }
    assert.deepEqual(shown(found.turn), parts, where);
    assert.deepEqual(
      found.turn.broken ?? [],
      found.turn.parts.map(({ id }) => id),
      where,
    );
    assert.deepEqual(usages(found.turn), [null], where);
    assert.equal(found.turn.requests[0]?.unbilled, undefined, where);
    assert.equal(found.sent, 1, where);
    assert.deepEqual(found.waits, [], where);
  }

  /** The fault changed nothing: the answer is whole, its tools ran, and the round after that ended the turn. */
  function assertWhole(found: Faulty, where: string): void {
    assert.deepEqual(found.turn.end, { kind: 'completed' }, where);
    assert.deepEqual(shown(found.turn), [...stream.shownBefore(Infinity), 'answer: Done.'], where);
    assert.equal(found.turn.broken, undefined, where);
    assert.equal(found.sent, 2, where);
  }

  const done = answer(text('Done.'));

  describe('before the head of the answer', () => {
    const error = (type: string, message = 'm') => ({ message, type });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    type Row = readonly [what: string, reply: Reply, kind: FailureKind, requests: number, unbilled: boolean];
    const rows: readonly Row[] = [
      ['400', refuse(400, error('invalid_request_error')), 'refused', 1, true],
      [
        '400, too long',
        refuse(400, error('invalid_request_error', 'context length exceeded')),
        'contextTooLong',
        1,
        true,
      ],
      ['400, filtered', refuse(400, error('content_filter')), 'contentFilter', 1, true],
      ['401', refuse(401, error('invalid_authentication_error')), 'badKey', 1, true],
      ['402', refuseWith(402, 'text/plain', ''), 'outOfQuota', 1, true],
      ['403', refuse(403, error('permission_denied_error')), 'forbidden', 1, true],
      ['404', refuse(404, error('resource_not_found_error')), 'modelUnknown', 1, true],
      ['408', refuseWith(408, 'text/plain', 'slow'), 'serverError', 1, false],
      ['413', refuseWith(413, 'text/plain', ''), 'contextTooLong', 1, true],
      ['429, out of money', refuse(429, error('exceeded_current_quota_error')), 'outOfQuota', 1, true],
      ['429, too fast', refuse(429, error('rate_limit_reached_error')), 'rateLimited', mostAttempts, true],
      ['429, busy', refuse(429, error('engine_overloaded_error')), 'overloaded', mostAttempts, true],
      ['499', refuse(499, error('client_closed_request')), 'serverError', 1, false],
      ['500', refuse(500, error('server_error')), 'serverError', 1, false],
      [
        '502 with a page',
        refuseWith(502, 'text/html', '<html><title>Bad gateway</title>'),
        'serverError',
        1,
        false,
      ],
      ['503', refuse(503, error('server_unavailable')), 'overloaded', mostAttempts, true],
      ['503 with nothing', refuseWith(503, 'text/plain', ''), 'overloaded', mostAttempts, true],
      ['504 with a page', refuseWith(504, 'text/html', '<!doctype html>'), 'serverError', 1, false],
      ['FIN', dropConnection, 'network', 1, false],
      ['RST', resetConnection, 'network', 1, false],
      ['silence', mute, 'silence', 1, false],
    ];
    for (const [what, reply, kind, requests, unbilled] of rows) {
      it(`${what}: ${kind}, sent ${requests === 1 ? 'once' : `${requests} times`}`, async () => {
        const replies = Array.from({ length: requests }, () => reply);
        const next = simulator.requests.length;
        const found = await faulty(replies, async () => {
          if (reply !== mute) return;
          await simulator.request(next);
          await timers.fire();
        });
        assert.equal(kindOf(found.turn), kind);
        assert.deepEqual(shown(found.turn), []);
        assert.equal(found.sent, requests);
        assert.equal(found.waits.length, requests - 1);
        assert.deepEqual(usages(found.turn), [null]);
        assert.equal(found.turn.requests[0]?.unbilled ?? false, unbilled);
        assert.equal(found.turn.retry, undefined);
        // What was sent again was the same, byte for byte.
        const bodies = simulator.requests.slice(next).map(({ bodyText }) => bodyText);
        assert.equal(new Set(bodies).size, 1);
        await goesOn(found);
      });
    }

    for (const [what, retryAfter, least, most] of [
      ['seconds', '7', 7_000, 9_000],
      ['a date', date, 120_000, 120_000],
      ['an absurd number', '99999999', 120_000, 120_000],
      ['a moment that has passed', 'Mon, 01 Jan 2001 00:00:00 GMT', 1, 1_000],
      ['nonsense', 'soon', 1, 1_000],
    ] as const) {
      it(`a wait is as long as Retry-After says in ${what}, within reason`, async () => {
        const found = await faulty([
          refuse(429, error('rate_limit_reached_error'), { 'retry-after': retryAfter }),
          answer(text('Ok.')),
        ]);
        assert.deepEqual(shown(found.turn), ['answer: Ok.']);
        const [wait = 0] = found.waits;
        assert.ok(wait >= least && wait <= most, String(wait));
        const scheduled = found.events.find(({ kind }) => kind === 'retryScheduled');
        assert.ok(scheduled?.kind === 'retryScheduled');
        assert.equal(scheduled.retry.asked !== undefined, least === 120_000);
      });
    }

    it('no server at all: network, tried again, nothing billed', async () => {
      const closed = await rawServer(() => undefined);
      await closed.close();
      model = tapped(closed.url);
      const found = await faulty([]);
      assert.ok(found.turn.end?.kind === 'failed' && found.turn.end.failure.kind === 'network');
      assert.equal(found.turn.end.failure.code, 'ECONNREFUSED');
      assert.equal(found.waits.length, mostAttempts - 1);
      assert.equal(found.turn.requests[0]?.unbilled, true);
      await goesOn(found);
    });

    for (const [what, bytes] of [
      ['garbage', Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 37) % 256))],
      ['a web page without a head', '<!doctype html><html>'],
      ['half a head', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ] as const) {
      it(`${what}: network, not sent again`, async () => {
        let connections = 0;
        const server = await rawServer((socket) => {
          connections += 1;
          socket.end(bytes);
        });
        model = tapped(server.url);
        const found = await faulty([]);
        assert.ok(found.turn.end?.kind === 'failed' && found.turn.end.failure.kind === 'network');
        assert.deepEqual([found.turn.end.failure.sent, connections], [true, 1]);
        assert.deepEqual([usages(found.turn), found.turn.requests[0]?.unbilled], [[null], undefined]);
        await goesOn(found);
        await server.allClosed();
        await server.close();
      });
    }
  });

  /** Where an answer can break, and every place of that kind in it. */
  const phases = [
    ['behind the head, before any byte', () => [0]],
    ['between any two events', () => stream.borders],
    ['inside an event', () => stream.insides],
    ['inside a UTF-8 sequence', () => stream.sequences],
    ['inside a CRLF', () => stream.crlf.lineEnds],
    ['behind the terminal event', () => [stream.bytes.length]],
  ] as const;
  type Phase = (typeof phases)[number][0];

  const streamOf = (phase: Phase): Stream => (phase === 'inside a CRLF' ? stream.crlf : stream);

  const breaks: readonly (readonly [what: string, how: Break, kind: FailureKind])[] = [
    ['a clean end', endEarly, 'brokenStream'],
    ['FIN', cutSocket, 'network'],
    ['RST', resetSocket, 'network'],
    ['silence', silence, 'silence'],
  ];

  for (const [what, how, kind] of breaks) {
    describe(`${what} in the answer`, () => {
      for (const [phase, places] of phases) {
        it(phase, async () => {
          const source = streamOf(phase);
          assert.ok(places().length > 0);
          for (const at of places()) {
            const where = `at byte ${at}`;
            const whole = source.eventsBefore(at) === source.events.length;
            const prefix = source.bytes.subarray(0, at);
            // The socket goes only when all of it was read: what a reset takes away is another matter.
            // What follows the last event's data by a line end or two is waited for, though it changes nothing.
            const over = whole && at === source.bytes.length;
            const pieces: LiteralPiece[] = over ? [prefix, how] : [prefix, gate('fault'), how];
            const consumed = model.expect(new TextDecoder().decode(prefix, { stream: true }).length);
            const found = await faulty([literalStream(pieces, { kind: 'joined' }), done], async () => {
              if (over) return;
              await consumed;
              simulator.open('fault');
              if (how === silence) await timers.fire();
            });
            if (whole) assertWhole(found, where);
            else assertBroken(found, kind, source.shownBefore(at), where);
            simulator.dropReplies();
            await goesOn(found);
          }
        });
      }
    });
  }

  /** What a stream may hold that is no part of it. None has a blank line inside. */
  const junk: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['malformed JSON', Buffer.from('data: {"type":"response.output_text.delta", "delta":oops')],
    ['malformed UTF-8', Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xc0, 0xe4, 0xbd])],
    ['garbage', garbage()],
    ['a web page', Buffer.from('<!doctype html><html><title>502</title><body>Bad gateway</body></html>')],
  ];

  for (const [what, bytes] of junk) {
    describe(`${what} in the answer`, () => {
      for (const [phase, places] of phases) {
        it(`${phase}, which then goes on`, async () => {
          const source = streamOf(phase);
          for (const at of places()) {
            const where = `at byte ${at}`;
            const between = phase === 'between any two events' || at === 0;
            const rest = source.bytes.subarray(at);
            const pieces = [source.bytes.subarray(0, at), bytes, ...(between ? ['\n\n'] : []), rest];
            const found = await faulty([literalStream(pieces, { kind: 'joined' }), done]);
            if (at === 0 && bytes[0] === 0x3c) assertBroken(found, 'brokenStream', [], where);
            else if (between || !source.inTerminalEvent(at)) assertWhole(found, where);
            // Nothing repeats the terminal event: it is lost, or what it says counts.
            else if (source.terminalEventWith(bytes, at))
              assert.deepEqual(found.turn.end, { kind: 'completed' });
            else assertBroken(found, 'brokenStream', source.shownBefore(at - 2), where);
            simulator.dropReplies();
            await goesOn(found);
          }
        });
      }

      it('between any two events, and then nothing more', async () => {
        for (const at of stream.borders) {
          const pieces = [stream.bytes.subarray(0, at), bytes, '\n\n'];
          const found = await faulty([literalStream(pieces, { kind: 'joined' })]);
          assertBroken(found, 'brokenStream', stream.shownBefore(at), `at byte ${at}`);
          await goesOn(found);
        }
      });
    });
  }

  describe('an event larger than any answer', () => {
    for (const phase of ['between two events', 'inside an event'] as const) {
      it(`${phase} is given up, and what came before it kept`, async () => {
        const at = (phase === 'inside an event' ? stream.insides : stream.borders)[20] ?? assert.fail();
        const megabyte = Buffer.alloc(1024 * 1024, 'x');
        const endless = Array.from({ length: maxMessageSize / megabyte.length + 1 }, () => megabyte);
        const head = phase === 'inside an event' ? [] : ['data: "'];
        const found = await faulty([
          literalStream([stream.bytes.subarray(0, at), ...head, ...endless, silence], { kind: 'frames' }),
        ]);
        assertBroken(found, 'brokenStream', stream.shownBefore(at), phase);
        await goesOn(found);
      });
    }
  });

  describe('a stop', () => {
    const g = gate('stop');
    const rows: readonly (readonly [phase: string, reply: Reply, parts: readonly string[]])[] = [
      ['before the head', mute, []],
      ['behind the head, before the first event', literalStream([g]), []],
      ['in the reasoning', answer(reasoning(['half', g, ' of it']), text('T')), ['reasoning: half']],
      ['in the answer', answer(reasoning('R'), text('half', g, ' of it')), ['reasoning: R', 'answer: half']],
      [
        'in the arguments of a call',
        answer(reasoning('R'), applyPatch('*** Begin', g, ' Patch')),
        ['reasoning: R', 'tool apply_patch(*** Begin)'],
      ],
      [
        'before the terminal event',
        answer(reasoning('R'), functionCall('read_file', {}), g),
        ['reasoning: R', 'tool read_file({})'],
      ],
      [
        'in the body of a refusal',
        { kind: 'literal', status: 500, headers: {}, pieces: ['{"error":', g] },
        [],
      ],
    ];
    for (const [phase, reply, parts] of rows) {
      it(`${phase} closes the socket at once; what came is kept`, async () => {
        const abort = new AbortController();
        const next = simulator.requests.length;
        const read = model.expect(0);
        const found = await faulty(
          [reply],
          async () => {
            const request = await simulator.request(next);
            if (reply === mute) {
              abort.abort();
            } else {
              await simulator.reached('stop', (stops += 1));
              await read;
              // One turn of the loop takes in what the socket has.
              await new Promise((resolve) => setImmediate(resolve));
              abort.abort();
            }
            assert.equal(await request.closed, 'clientLeft');
          },
          { signal: abort.signal },
        );
        assert.deepEqual(found.turn.end, { kind: 'stopped' });
        assert.deepEqual(shown(found.turn), parts);
        assert.deepEqual(usages(found.turn), [null]);
        assert.equal(found.sent, 1);
        await goesOn(found);
      });
    }
    let stops = 0;

    it('while a tool runs lets it settle first, and sends nothing more', async () => {
      const abort = new AbortController();
      const waiting: Tool = {
        ...(tools[0] ?? assert.fail()),
        run: async (_call, { signal }) => {
          const told = new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          abort.abort();
          await told;
          return { kind: 'cancelled', text: 'Not done.' };
        },
      };
      const found = await faulty([wholeAnswer], undefined, {
        ports: { tools: [waiting, ...tools.slice(1)] },
        signal: abort.signal,
      });
      assert.deepEqual(found.turn.end, { kind: 'stopped' });
      assert.equal(found.sent, 1);
      // This answer came whole.
      assert.ok(usages(found.turn)[0] !== null);
      await goesOn(found);
    });

    it('during a wait before the next attempt sends nothing more', async () => {
      const abort = new AbortController();
      const found = await faulty([refuse(503, { message: 'm' })], undefined, {
        ports: {
          wait: async () => {
            abort.abort();
          },
        },
        signal: abort.signal,
      });
      assert.deepEqual(found.turn.end, { kind: 'stopped' });
      assert.equal(found.turn.retry, undefined);
      assert.equal(found.turn.requests[0]?.unbilled, true);
      assert.equal(found.sent, 1);
      await goesOn(found);
    });
  });
});

/** One answer as bytes, and the places in it where something can happen. */
class Stream {
  readonly bytes: Buffer;
  readonly events: readonly { readonly start: number; readonly dataEnd: number; readonly data: SentEvent }[];
  readonly #lineEnd: '\n' | '\r\n';

  constructor(source: string, lineEnd: '\n' | '\r\n' = '\n') {
    this.#lineEnd = lineEnd;
    const written = source.replaceAll('\n', lineEnd);
    this.bytes = Buffer.from(written);
    let start = 0;
    const blank = lineEnd + lineEnd;
    this.events = written
      .split(blank)
      .slice(0, -1)
      .map((frame) => {
        const at = start;
        start += Buffer.byteLength(frame) + blank.length;
        const json = frame.slice(frame.indexOf('data: ') + 6);
        return { start: at, dataEnd: at + Buffer.byteLength(frame), data: JSON.parse(json) as SentEvent };
      });
  }

  get crlf(): Stream {
    return new Stream(this.bytes.toString(), '\r\n');
  }

  /** Between each event and the next. */
  get borders(): readonly number[] {
    return this.events.slice(1).map(({ start }) => start);
  }

  /** Just behind the opening brace of each event's data, so that whatever is put there spoils the JSON. */
  get insides(): readonly number[] {
    return this.events.map(({ start }) => this.bytes.indexOf('{', start) + 1);
  }

  /** Behind the first byte of characters of two, three and four bytes, three of each. */
  get sequences(): readonly number[] {
    return [0xc0, 0xe0, 0xf0].flatMap((lead) =>
      [...this.bytes.keys()]
        .filter(
          (at) => ((this.bytes[at] ?? 0) & (lead === 0xc0 ? 0xe0 : lead === 0xe0 ? 0xf0 : 0xf8)) === lead,
        )
        .slice(0, 3)
        .map((at) => at + 1),
    );
  }

  /** Between CR and LF of the three line ends of an event in the middle, and of the last one. */
  get lineEnds(): readonly number[] {
    const all = [...this.bytes.keys()].filter((at) => this.bytes[at] === 0x0a && this.#lineEnd === '\r\n');
    const middle = Math.floor(all.length / 6) * 3;
    return [...all.slice(middle, middle + 3), ...all.slice(-3)];
  }

  /** How many events are there when the bytes end: an event whose data is whole counts. */
  eventsBefore(at: number): number {
    return this.events.filter(({ dataEnd }) => dataEnd <= at).length;
  }

  inTerminalEvent(at: number): boolean {
    const last = this.events.at(-1);
    return last !== undefined && at > last.start && at < last.dataEnd + this.#lineEnd.length;
  }

  /** Whether the terminal event can still be read when something is put into it. */
  terminalEventWith(junk: Buffer, at: number): boolean {
    const { start } = this.events.at(-1) ?? assert.fail();
    const bytes = Buffer.concat([this.bytes.subarray(start, at), junk, this.bytes.subarray(at)]);
    const lines = bytes.toString().split(/\r\n|\r|\n/);
    const data = lines.flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? []).join('\n');
    try {
      JSON.parse(data);
      return true;
    } catch {
      return false;
    }
  }

  /** What a person sees when the bytes end there: a second opinion, written from the documentation of the events. */
  shownBefore(at: number): readonly string[] {
    const parts = new Map<
      string,
      { readonly before: string; readonly texts: string[]; readonly behind: string }
    >();
    for (const { data } of this.events.slice(0, this.eventsBefore(at))) {
      const { item } = data;
      if (data.type === 'response.output_item.added' && item !== undefined) {
        if (item.type === 'reasoning') parts.set(item.id, { before: 'reasoning: ', texts: [], behind: '' });
        else if (item.name !== undefined)
          parts.set(item.id, { before: `tool ${item.name}(`, texts: [], behind: ')' });
      }
      if (data.delta === undefined || data.item_id === undefined) continue;
      const part = parts.get(data.item_id) ?? { before: 'answer: ', texts: [], behind: '' };
      parts.set(data.item_id, part);
      const index = data.summary_index ?? 0;
      part.texts[index] = (part.texts[index] ?? '') + data.delta;
    }
    return [...parts.values()].map(({ before, texts, behind }) => before + texts.join('|') + behind);
  }
}

interface SentEvent {
  readonly type: string;
  readonly item?: { readonly id: string; readonly type: string; readonly name?: string };
  readonly item_id?: string;
  readonly summary_index?: number;
  readonly delta?: string;
}

/** The same on each run; no line of it is a field that the stream knows. */
function garbage(): Buffer {
  const random = seededRandom(4);
  return Buffer.from(
    Array.from({ length: 400 }, () => Math.floor(random() * 256)).filter(
      (byte) => byte !== 10 && byte !== 13,
    ),
  );
}
