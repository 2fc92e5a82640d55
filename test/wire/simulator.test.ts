import assert from 'node:assert/strict';

import { historyItems } from '../../src/core/conversation/history.ts';
import { mostAttempts } from '../../src/core/conversation/retry.ts';
import type { TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { models } from '../../src/core/responses/models.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import {
  answer,
  applyPatch,
  cutSocket,
  dropConnection,
  endEarly,
  errorEvent,
  failed,
  functionCall,
  gate,
  incomplete,
  parallel,
  reasoning,
  refuse,
  resetSocket,
  silence,
  startSimulator,
  text,
  vary,
  webSearch,
  type Simulator,
  type SimulatorOptions,
} from '../simulator/main.ts';
import type { Quirks } from '../simulator/quirks.ts';
import { clientFor } from '../support/client.ts';
import { ask, ports, run, shown, usages, userMessage, type Outcome } from '../support/turns.ts';

const patchText = '*** Begin Patch\n*** Add File: a.txt\n+hi 你好\n*** End Patch';

const patchTool: Tool = {
  declaration: {
    type: 'custom',
    name: 'apply_patch',
    description: 'd',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  },
  run: async ({ input }) => ({ kind: 'done', text: `applied ${input.length}` }),
};

const readFile: Tool = {
  declaration: {
    type: 'function',
    name: 'read_file',
    description: 'd',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    strict: false,
  },
  run: async ({ input }) => ({ kind: 'done', text: `read ${input}` }),
};

describe('wire: the client and the simulated service', function () {
  this.timeout(30_000);
  let simulator: Simulator;

  async function start(options: SimulatorOptions = {}): Promise<void> {
    simulator = await startSimulator(options);
  }

  afterEach(async () => {
    assert.deepEqual(simulator.violations, []);
    await simulator.allSocketsClosed();
    await simulator.close();
  });

  const turnPorts = (silenceSeconds = 60): ReturnType<typeof ports> =>
    ports(clientFor(simulator.url, { silenceSeconds: () => silenceSeconds }), [patchTool, readFile]);

  async function play(
    more: Parameters<typeof ask>[1] = {},
    onEvent?: (event: TurnEvent) => void,
  ): Promise<Outcome> {
    return await run(turnPorts(), ask('q', more), undefined, onEvent);
  }

  it('shows reasoning and answer, and tells the model what came of a patch', async () => {
    await start({
      script: [
        answer(reasoning('First.', 'Second.'), text('I will ', 'add a file.'), applyPatch(patchText)),
        answer(reasoning('Now tell.'), text('Done 你好.')),
      ],
    });
    const outcome = await play();
    assert.deepEqual(shown(outcome.turn), [
      'reasoning: First.|Second.',
      'answer: I will add a file.',
      `tool apply_patch(${patchText})`,
      'reasoning: Now tell.',
      'answer: Done 你好.',
    ]);
    const input = simulator.requests[1]?.body['input'] as readonly {
      readonly type: string;
      readonly output?: string;
    }[];
    assert.deepEqual(
      input.map(({ type }) => type),
      ['message', 'reasoning', 'message', 'custom_tool_call', 'custom_tool_call_output'],
    );
    assert.equal(input[4]?.output, `applied ${patchText.length}`);
  });

  it('goes on after a call of a tool that was not offered', async () => {
    await start({ script: [answer(reasoning('R'), applyPatch(patchText)), answer(text('I see.'))] });
    const { turn } = await run(ports(clientFor(simulator.url), [readFile]), ask('q'));
    assert.deepEqual(turn.end, { kind: 'completed' });
    const input = simulator.requests[1]?.body['input'] as readonly {
      readonly arguments?: string;
      readonly output?: string;
    }[];
    assert.equal(input[2]?.arguments, JSON.stringify({ input: patchText }));
    assert.match(input[3]?.output ?? '', /There is no tool "apply_patch"/);
  });

  it('comes to the same however the bytes are cut', async () => {
    const script = (): ReturnType<typeof answer> =>
      answer(
        reasoning('想 👩‍👩‍👧‍👦'),
        text('é\r\n', '你'),
        parallel(functionCall('read_file', { path: '一' }), functionCall('read_file', { path: '二' })),
      );
    await start();
    const cuts = [
      { kind: 'frames' },
      { kind: 'joined' },
      { kind: 'bytes', size: 1 },
      { kind: 'random', seed: 7, max: 30 },
    ] as const;
    const seen: (readonly string[])[] = [];
    for (const cut of cuts) {
      simulator.reply(vary(script(), { cut }), answer(text('Ok.')));
      seen.push(shown((await play()).turn));
    }
    for (const each of seen) assert.deepEqual(each, seen[0]);
  });

  describe('the cache', () => {
    const long = 'A long question about a long file. '.repeat(200);

    it('knows the whole of the last request again, in the next round and in the next turn', async () => {
      await start({
        script: [
          answer(reasoning('Read it.'), functionCall('read_file', { path: 'a' })),
          answer(reasoning('Patch it.'), applyPatch(patchText)),
          answer(text('Done.')),
          answer(reasoning('Again.'), text('Yes.')),
        ],
      });
      const first = await run(turnPorts(), ask(long));
      const second = await run(
        turnPorts(),
        ask('And now?', { turn: 'turn-2', history: first.history }),
        first.conversation,
      );
      const usage = [...usages(first.turn), ...usages(second.turn)];
      assert.equal(usage.length, 4);
      for (const [index, each] of usage.entries()) {
        const before = usage[index - 1];
        assert.ok(each !== null && each !== undefined);
        // The cache works in steps of 256 tokens.
        if (before !== undefined && before !== null)
          assert.ok(each.cached >= Math.floor(before.input / 256) * 256, String(index));
        else assert.equal(each.cached, 0);
      }
      assert.ok((usage[1]?.cached ?? 0) > 1000);
    });

    it('knows it again after an answer that broke off was asked for again', async () => {
      await start({
        script: [
          answer(reasoning('Read it.'), functionCall('read_file', { path: 'a' })),
          answer(reasoning('Hm.'), text('Half'), endEarly),
          answer(reasoning('Hm.'), text('Whole.')),
        ],
      });
      const first = await run(turnPorts(), ask(long));
      assert.equal(first.turn.end?.kind, 'failed');
      const spec = ask('', { start: { kind: 'resume', shown: first.turn }, history: first.history });
      const second = await run(turnPorts(), spec, first.conversation);
      assert.deepEqual(second.turn.end, { kind: 'completed' });
      assert.equal(simulator.requests[2]?.bodyText, simulator.requests[1]?.bodyText);
      assert.ok((usages(second.turn).at(-1)?.cached ?? 0) > 1000);
    });
  });

  for (const { id, efforts } of models) {
    it(`takes every request that can be made for ${id}`, async () => {
      await start();
      for (const effort of efforts) {
        for (const maxOutputTokens of [undefined, 5000, 2_000_000]) {
          simulator.reply(
            vary(answer(reasoning('R'), applyPatch(patchText)), { encryptReasoning: true }),
            answer(text('T')),
          );
          const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
          const { turn } = await run(turnPorts(), ask('q', { model: id, effort, ...limit }));
          assert.deepEqual(turn.end, { kind: 'completed' });
        }
      }
    });
  }

  it('takes a history that other models have written', async () => {
    await start();
    let before: Outcome | undefined;
    for (const [index, { id }] of [...models, ...models].entries()) {
      simulator.reply(
        vary(answer(reasoning('R'), functionCall('read_file', { path: 'a' })), { encryptReasoning: true }),
        vary(answer(reasoning('S'), text('T')), { encryptReasoning: true }),
      );
      const history = before === undefined ? {} : { history: before.history };
      before = await run(
        turnPorts(),
        ask('q', { turn: `turn-${index}`, model: id, ...history }),
        before?.conversation,
      );
      assert.deepEqual(before.turn.end, { kind: 'completed' });
    }
  });

  describe('failures', () => {
    it('are told from one another, and the next request is good', async () => {
      await start();
      const busy = { message: 'm', type: 'engine_overloaded_error', code: null };
      const cases = [
        [refuse(401, { message: 'm', type: 'incorrect_api_key_error' }), 'badKey'],
        [refuse(403, { message: 'm', type: 'permission_denied_error' }), 'forbidden'],
        [refuse(404, { message: 'm', type: 'resource_not_found_error' }), 'modelUnknown'],
        [refuse(429, { message: 'm', type: 'exceeded_current_quota_error' }), 'outOfQuota'],
        [
          refuse(429, { message: 'm', type: 'rate_limit_reached_error' }, { 'retry-after': '3' }),
          'rateLimited',
        ],
        [refuse(429, busy), 'overloaded'],
        [refuse(400, { message: 'm', type: 'content_filter' }), 'contentFilter'],
        [refuse(500, { message: 'm', type: 'server_error' }), 'serverError'],
        [answer(reasoning('R'), text('half', endEarly)), 'brokenStream'],
        [answer(reasoning('R'), text('half', cutSocket)), 'network'],
        [answer(reasoning('R'), text('half', resetSocket)), 'network'],
        [dropConnection, 'network'],
        [answer(reasoning('R'), text('half', failed('m', 'context_length_exceeded'))), 'contextTooLong'],
        [answer(reasoning('R'), text('half', errorEvent('flat', 'm'))), 'serverError'],
        [
          answer(reasoning('R'), text('half', errorEvent('nested', 'm', 'rate_limit_reached_error'))),
          'rateLimited',
        ],
      ] as const;
      let before: Outcome | undefined;
      for (const [index, [reply, kind]] of cases.entries()) {
        // What is sent again by itself fails each time.
        const attempts = index === 4 || index === 5 ? mostAttempts : 1;
        simulator.reply(...Array.from({ length: attempts }, () => reply));
        const history = before === undefined ? {} : { history: before.history };
        before = await run(
          turnPorts(),
          ask('q', { turn: `turn-${index}`, ...history }),
          before?.conversation,
        );
        assert.ok(before.turn.end?.kind === 'failed');
        assert.equal(before.turn.end.failure.kind, kind, `case ${index}`);
      }
      simulator.reply(answer(text('Ok.')));
      assert.ok(before !== undefined);
      const last = await run(
        turnPorts(),
        ask('q', { turn: 'last', history: before.history }),
        before.conversation,
      );
      assert.deepEqual(last.turn.end, { kind: 'completed' });
    });

    it('are a wrong key where one is needed', async () => {
      await start({ key: 'sk-right', script: [] });
      const { turn } = await play();
      assert.ok(turn.end?.kind === 'failed' && turn.end.failure.kind === 'badKey');
    });

    it('are silence when no byte comes', async () => {
      await start({ script: [answer(reasoning('R', ['more', silence]))] });
      const { turn } = await run(turnPorts(0.05), ask('q'));
      assert.deepEqual(turn.end, { kind: 'failed', failure: { kind: 'silence', seconds: 0.05 } });
      assert.deepEqual(shown(turn), ['reasoning: R|more']);
    });

    it('are none when the server stops at a limit', async () => {
      await start({
        script: [answer(reasoning('R'), text('as far as', incomplete())), answer(text(' this.'))],
      });
      const first = await play();
      assert.deepEqual(first.turn.end, { kind: 'incomplete', reason: 'max_output_tokens' });
      const spec = ask('', {
        start: { kind: 'resume', shown: first.turn, message: userMessage('Go on.') },
        history: first.history,
      });
      assert.deepEqual(shown((await run(turnPorts(), spec, first.conversation)).turn), [
        'reasoning: R',
        'answer: as far as',
        'answer:  this.',
      ]);
    });
  });

  describe('stopping', () => {
    const phases: readonly (readonly [string, ReturnType<typeof answer>])[] = [
      ['before the first event', answer(gate('g'), reasoning('R'))],
      ['in the reasoning', answer(reasoning('R', ['part', gate('g'), ' of it']), text('T'))],
      ['between reasoning and answer', answer(reasoning('R'), gate('g'), text('T'))],
      ['in the answer', answer(reasoning('R'), text('part', gate('g'), ' of it'))],
      ['in the input of a call', answer(reasoning('R'), applyPatch('*** Begin', gate('g'), ' Patch'))],
      [
        'in one of several calls',
        answer(
          reasoning('R'),
          functionCall('read_file', { path: 'a' }),
          applyPatch('*** Begin', gate('g'), ' Patch'),
        ),
      ],
      ['before the terminal event', answer(reasoning('R'), functionCall('read_file', {}), gate('g'))],
    ];

    for (const [phase, reply] of phases) {
      it(`${phase} closes the connection, and the next request is good`, async () => {
        await start({ script: [reply, answer(text('Ok.'))] });
        const abort = new AbortController();
        const stopping = play({ signal: abort.signal });
        await simulator.reached('g');
        abort.abort();
        const stopped = await stopping;
        assert.deepEqual(stopped.turn.end, { kind: 'stopped' });
        const request = await simulator.request(0);
        assert.equal(await request.closed, 'clientLeft');
        assert.ok(stopped.turn.parts.every(({ closedAt }) => closedAt !== undefined));
        const next = await run(
          turnPorts(),
          ask('q', { turn: 'turn-2', history: stopped.history }),
          stopped.conversation,
        );
        assert.deepEqual(next.turn.end, { kind: 'completed' });
      });
    }

    it('while a tool runs answers its call, and the next request is good', async () => {
      await start({
        script: [
          answer(reasoning('R'), functionCall('wait', {}), functionCall('read_file', {})),
          answer(text('Ok.')),
        ],
      });
      const abort = new AbortController();
      const wait: Tool = {
        declaration: { ...readFile.declaration, name: 'wait' } as Tool['declaration'],
        run: async (_call, { signal }) => {
          abort.abort();
          assert.ok(signal.aborted);
          return { kind: 'cancelled', text: 'Not done.' };
        },
      };
      const withWait = { ...turnPorts(), tools: [wait, readFile] };
      const stopped = await run(withWait, ask('q', { signal: abort.signal }));
      assert.deepEqual(stopped.turn.end, { kind: 'stopped' });
      assert.equal(historyItems(stopped.history).length, 6);
      const next = await run(
        withWait,
        ask('q', { turn: 'turn-2', history: stopped.history }),
        stopped.conversation,
      );
      assert.deepEqual(next.turn.end, { kind: 'completed' });
    });
  });

  describe('what gateways do to a stream', () => {
    const quirks: readonly Quirks[] = [
      { sequenceNumbers: 'absent', eventLines: 'absent' },
      { lineEnds: 'crlf' },
      { lineEnds: 'cr' },
      { byteOrderMark: true },
      { splitData: true },
      { lastBlankLine: 'absent' },
      { doneMarker: true, comments: true },
      { gzip: true },
      { pings: true, obfuscation: true },
      { unknownEvent: true, unknownItem: true },
      { contentParts: 'absent' },
      { itemDone: 'absent' },
      { itemDone: 'absent', finalOutput: 'empty' },
      { inputDeltas: 'absent' },
      { usage: 'null' },
      { usage: 'absent' },
      { usage: 'bare' },
      { finalOutput: 'empty' },
      { outputIndex: 'zero' },
      { outputIndex: 'wrongOnAdded' },
      { outputIndex: 'zero', finalOutput: 'empty' },
      { outputIndex: 'wrongOnAdded', finalOutput: 'empty' },
      { customCalls: 'asFunction' },
      { phase: true, annotations: true },
      { ids: 'long' },
      { reasoning: 'asContent' },
      { queued: true },
      { refusal: true },
      { afterEnd: true },
      { terminalResponse: 'absent' },
      { body: 'json' },
    ];

    for (const quirk of quirks) {
      it(`changes nothing: ${JSON.stringify(quirk)}`, async () => {
        // Servers of this kind are other people's: their items are not held against the strict rules of replay.
        await start({ mode: 'lenient' });
        const script = [
          answer(
            reasoning('One.', 'Two 二.'),
            text('Text ', '文'),
            functionCall('read_file', { path: 'a' }),
            applyPatch(patchText),
          ),
          answer(text('Done.')),
        ];
        simulator.reply(...script.map((each) => vary(each, { quirks: quirk })));
        const bent = await play();
        assert.deepEqual(bent.turn.end, { kind: 'completed' });
        assert.deepEqual(shown(bent.turn), [
          'reasoning: One.|Two 二.',
          'answer: Text 文',
          'tool read_file({"path":"a"})',
          `tool apply_patch(${patchText})`,
          'answer: Done.',
        ]);
        assert.ok(bent.turn.parts.every((part) => part.kind !== 'tool' || part.outcome?.kind === 'done'));
      });
    }

    it('may leave only text and an end', async () => {
      await start({
        script: [vary(answer(text('All there is.')), { quirks: { scaffold: 'absent', pings: true } })],
      });
      assert.deepEqual(shown((await play()).turn), ['answer: All there is.']);
    });

    it('may leave summaries and contents out', async () => {
      await start({
        mode: 'lenient',
        script: [vary(answer(reasoning(), text('T')), { quirks: { summary: 'absent', content: 'null' } })],
      });
      const outcome = await play();
      assert.deepEqual(shown(outcome.turn), ['reasoning: ', 'answer: T']);
      const [, item] = historyItems(outcome.history);
      assert.ok(item?.type === 'reasoning');
      assert.deepEqual(item.summary, []);
    });

    it('may call an incomplete response completed', async () => {
      await start({ script: [vary(answer(text('T')), { quirks: { innerStatus: 'incomplete' } })] });
      assert.equal((await play()).turn.end?.kind, 'incomplete');
    });

    it('may end a text with more than was streamed', async () => {
      await start({ script: [vary(answer(text('Hello')), { quirks: { doneText: 'differs' } })] });
      const { turn } = await play();
      assert.match(shown(turn)[0] ?? '', /^answer: Hello/);
      assert.deepEqual(turn.end, { kind: 'completed' });
    });

    it('may lose or glue a namespace, which is then an unknown tool', async () => {
      for (const namespaces of ['absent', 'glued', undefined] as const) {
        await start({ mode: 'lenient' });
        const call = answer(reasoning('R'), functionCall('lookup', {}, 'crm'));
        simulator.reply(
          vary(call, { quirks: namespaces === undefined ? {} : { namespaces } }),
          answer(text('T')),
        );
        const { turn } = await play();
        assert.deepEqual(turn.end, { kind: 'completed' });
        assert.ok(turn.parts.some((part) => part.kind === 'tool' && part.outcome?.kind === 'failed'));
        if (namespaces !== undefined) await simulator.close();
      }
    });
  });

  it('keeps what a search by the server led to, over three turns', async () => {
    await start();
    let before: Outcome | undefined;
    for (let turn = 0; turn < 3; turn++) {
      simulator.reply(answer(webSearch('x'), reasoning('R'), text('T')));
      const history = before === undefined ? {} : { history: before.history };
      before = await run(turnPorts(), ask('q', { turn: `turn-${turn}`, ...history }), before?.conversation);
      assert.deepEqual(before.turn.end, { kind: 'completed' });
    }
  });
});
