/**
 * What went wrong between clients and servers of this protocol elsewhere, one test each: the fact, and the public report of it. All
 * over sockets, against the strict service. Further down: each thing that the client has to put up with, and each difference of the
 * models.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Client } from 'undici';

import type { Conversation, ContextCut, Turn } from '../../src/core/conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History } from '../../src/core/conversation/history.ts';
import { emptyConversation } from '../../src/core/conversation/reduce.ts';
import { buildRequest } from '../../src/core/conversation/request.ts';
import { emptyRequestLog } from '../../src/core/conversation/requestLog.ts';
import type { TurnSpec } from '../../src/core/conversation/turn.ts';
import { tokensOf } from '../../src/core/cost/bill.ts';
import { defaultOutputTokens, models, mostOutputTokens } from '../../src/core/responses/models.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import {
  answer,
  applyPatch,
  cutSocket,
  endEarly,
  errorEvent,
  failed,
  functionCall,
  gate,
  incomplete,
  literalStream,
  parallel,
  reasoning,
  refuse,
  refuseWith,
  resetSocket,
  startSimulator,
  text,
  vary,
  webSearch,
  type Answer,
  type Reply,
  type Simulator,
  type Step,
} from '../simulator/main.ts';
import type { Quirks } from '../simulator/quirks.ts';
import * as raw from '../simulator/rawClient.ts';
import { clientFor, rawServer, streamHead } from '../support/client.ts';
import { ask, fixture, ports, run, shown, usages, userMessage, type Outcome } from '../support/turns.ts';

const patch = '*** Begin Patch\n*** Add File: 文.txt\n+hi 你好 😀\n*** End Patch';

const called: string[] = [];
const functionTool = (name: string): Tool => ({
  declaration: { type: 'function', name, description: 'd', parameters: { type: 'object' }, strict: false },
  run: async ({ input }) => {
    called.push(`${name}(${input})`);
    return { kind: 'done', text: `read ${input}` };
  },
});
const patchTool: Tool = {
  declaration: {
    type: 'custom',
    name: 'apply_patch',
    description: 'd',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  },
  run: async ({ input }) => {
    called.push(`apply_patch(${input})`);
    return { kind: 'done', text: 'applied' };
  },
};
const tools = [functionTool('read_file'), functionTool('lookup'), patchTool];

/** An item as it went over the wire. */
interface Sent {
  readonly type: string;
  readonly role?: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly summary?: readonly { readonly text: string }[];
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly encrypted_content?: string;
  readonly arguments?: string;
  readonly output?: string;
}

const good = answer(text('Good.'));

/** What the strict service says to a request that it knows nothing before of. */
async function status(request: object): Promise<number> {
  const other = await startSimulator({ mind: () => good });
  try {
    return (await raw.ask(other.url, request as Parameters<typeof raw.ask>[1])).status;
  } finally {
    await other.close();
  }
}

describe('wire: what went wrong elsewhere', function () {
  this.timeout(30_000);
  let simulator: Simulator;
  let talk: Talk;

  /** A conversation, one turn after another. */
  class Talk {
    history: History = emptyHistory();
    #conversation: Conversation = emptyConversation('c');
    #requests = emptyRequestLog();
    #turns = 0;

    async ask(
      replies: readonly Reply[],
      more: Partial<TurnSpec> = {},
      own: readonly Tool[] = tools,
    ): Promise<Turn> {
      return await this.#run(
        replies,
        { ...ask(`question ${(this.#turns += 1)}`), turn: `turn-${this.#turns}` },
        more,
        own,
      );
    }

    async resume(shownTurn: Turn, replies: readonly Reply[], more: Partial<TurnSpec> = {}): Promise<Turn> {
      const start = { kind: 'resume', shown: shownTurn } as const;
      return await this.#run(replies, { ...ask(''), turn: shownTurn.id, start }, more, tools);
    }

    cut(turn: Turn, cut: ContextCut): void {
      this.history = reduceHistory(this.history, { kind: 'contextCut', turn: turn.id, cut });
    }

    /** As if the window had been closed and opened again. */
    reload(): void {
      this.history = JSON.parse(JSON.stringify(this.history)) as History;
    }

    async #run(
      replies: readonly Reply[],
      spec: TurnSpec,
      more: Partial<TurnSpec>,
      own: readonly Tool[],
    ): Promise<Turn> {
      simulator.reply(...replies);
      const turnPorts = ports(clientFor(simulator.url), own);
      const whole = { ...spec, history: this.history, requests: this.#requests, ...more };
      const outcome: Outcome = await run(turnPorts, whole, this.#conversation);
      this.history = outcome.history;
      this.#requests = outcome.requests;
      this.#conversation = outcome.conversation;
      return outcome.turn;
    }
  }

  beforeEach(async () => {
    called.length = 0;
    simulator = await startSimulator({ auth: 'optional' });
    talk = new Talk();
  });
  afterEach(async () => {
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that nobody asked for');
    await simulator.allSocketsClosed();
    await simulator.close();
  });

  /** The input of a request; the last one's by default. */
  function sent(index = -1): readonly Sent[] {
    return simulator.requests.at(index)?.body['input'] as readonly Sent[];
  }
  const types = (items: readonly Sent[]): readonly string[] =>
    items.map(({ type, role }) => (type === 'message' ? String(role) : type));

  function failure(turn: Turn): string {
    return turn.end?.kind === 'failed' ? turn.end.failure.kind : (turn.end?.kind ?? 'none');
  }
  const bend = (quirks: Quirks, ...steps: readonly Step[]): Answer => vary(answer(...steps), { quirks });
  const readsFile = answer(reasoning('Read it.'), functionCall('read_file', { path: 'a' }));

  type Row = readonly [fact: string, reports: string, test: () => Promise<void>];

  const history: readonly Row[] = [
    [
      'an answer goes back directly behind its reasoning',
      'openai/openai-node#1567',
      async () => {
        await talk.ask([answer(reasoning('R'), text('T'))]);
        await talk.ask([good]);
        assert.deepEqual(types(sent()), ['user', 'reasoning', 'assistant', 'user']);
      },
    ],
    [
      'a call goes back directly behind its reasoning, with its id',
      'vercel/ai#7099',
      async () => {
        await talk.ask([readsFile, good]);
        assert.deepEqual(types(sent()), ['user', 'reasoning', 'function_call', 'function_call_output']);
        assert.match(sent()[2]?.id ?? '', /^fc_/);
      },
    ],
    [
      'reasoning with an empty summary outlives saving and loading',
      'vercel/ai#8031',
      async () => {
        await talk.ask([answer(reasoning(), functionCall('read_file', {})), good]);
        talk.reload();
        await talk.ask([good]);
        assert.deepEqual(sent()[1]?.summary, []);
      },
    ],
    [
      'searches that the service did are no hindrance to the third turn',
      'vercel/ai#8379',
      async () => {
        for (let turn = 0; turn < 3; turn++) {
          const { end } = await talk.ask([answer(webSearch('x'), reasoning('R'), text('T'))]);
          assert.deepEqual(end, { kind: 'completed' });
        }
        const turn = ['user', 'web_search_call', 'reasoning', 'assistant'];
        assert.deepEqual(types(sent()), [...turn, ...turn, 'user']);
      },
    ],
    [
      'reasoning that was stopped before anything followed does not go back',
      'continuedev/continue#8933, continuedev/continue#10428',
      async () => {
        const abort = new AbortController();
        const stopping = talk.ask([answer(reasoning('R'), gate('g'), text('T'))], { signal: abort.signal });
        await simulator.reached('g');
        abort.abort();
        await stopping;
        await talk.ask([good]);
        assert.deepEqual(types(sent()), ['user', 'user']);
      },
    ],
    [
      'what is left out takes calls and their reasoning together',
      'continuedev/continue#10018, continuedev/continue#10880, cline/cline#12242, mastra-ai/mastra#8738',
      async () => {
        const first = await talk.ask([readsFile, answer(reasoning('R'), text('T'))]);
        talk.cut(first, { whole: true });
        await talk.ask([good]);
        assert.deepEqual(types(sent()), ['user']);
        talk.cut(first, { toolOutputs: true });
        await talk.ask([good]);
        assert.deepEqual(types(sent()).slice(0, 4), [
          'user',
          'reasoning',
          'function_call',
          'function_call_output',
        ]);
      },
    ],
    [
      'what is left out takes answers and their reasoning together',
      'continuedev/continue#12620',
      async () => {
        const first = await talk.ask([answer(reasoning('R'), text('T'))]);
        await talk.ask([answer(reasoning('S'), text('U'))]);
        talk.cut(first, { whole: true });
        await talk.ask([good]);
        assert.deepEqual(types(sent()), ['user', 'reasoning', 'assistant', 'user']);
        assert.equal(sent()[1]?.summary?.[0]?.text, 'S');
      },
    ],
    [
      'an answer that got no further than reasoning can be gone on from',
      'openai/openai-agents-python#1611',
      async () => {
        const first = await talk.ask([answer(reasoning('R', ['all the room', incomplete()]))]);
        assert.equal(failure(first), 'incomplete');
        assert.deepEqual((await talk.ask([good])).end, { kind: 'completed' });
        assert.deepEqual(types(sent()), ['user', 'user']);
      },
    ],
    [
      'an empty summary is sent as an empty list, not left out',
      'newo-ether/Agora#141',
      async () => {
        await talk.ask([answer(reasoning(), text('T'))]);
        await talk.ask([good]);
        assert.match(simulator.requests.at(-1)?.bodyText ?? '', /"type":"reasoning",.*"summary":\[\]/);
      },
    ],
    [
      'nothing goes back as a mere reference: the service stores nothing',
      'anomalyco/opencode#7724, anomalyco/opencode#8987, can1357/oh-my-pi#41, vercel/ai#7543',
      async () => {
        await talk.ask([
          answer(reasoning('R'), text('T'), functionCall('read_file', {}), applyPatch(patch)),
          good,
        ]);
        const substance: Readonly<Record<string, keyof Sent | 'input'>> = {
          message: 'content',
          reasoning: 'summary',
          function_call: 'arguments',
          custom_tool_call: 'input',
          function_call_output: 'output',
          custom_tool_call_output: 'output',
        };
        for (const item of sent()) assert.ok((substance[item.type] ?? 'no such type') in item, item.type);
        for (const field of ['store', 'previous_response_id', 'conversation'])
          assert.ok(!(field in (simulator.requests.at(-1)?.body ?? {})));
      },
    ],
    [
      'ids of 400 characters do not go back',
      'can1357/oh-my-pi#284',
      async () => {
        const { end } = await talk.ask([
          bend({ ids: 'long' }, reasoning('R'), functionCall('read_file', {}), applyPatch(patch)),
          good,
        ]);
        assert.deepEqual(end, { kind: 'completed' });
        for (const { id = '' } of sent()) assert.ok(id.length <= 64);
      },
    ],
    [
      'a call and its output have the same id, however long, and the next request is taken',
      'decolua/9router#393, V1ki/dsh-plugin-subscriptions#29, AnswerDotAI/fastllm#45',
      async () => {
        const id = `call_${'x'.repeat(200)}`;
        const stream = fixture('apply-patch').replaceAll(/"call_id":"[^"]*"/g, `"call_id":"${id}"`);
        const requests: string[] = [];
        const server = await rawServer((socket, request) => {
          requests.push(request.slice(request.indexOf('\r\n\r\n')));
          socket.end(streamHead + (requests.length === 1 ? stream : fixture('answer')));
        });
        const { turn } = await run(ports(clientFor(server.url), tools), ask('q'));
        await server.close();
        assert.deepEqual(turn.end, { kind: 'completed' });
        const next = JSON.parse(requests[1] ?? '') as { readonly input: readonly Sent[] };
        const ids = next.input.flatMap(({ call_id }) => call_id ?? []);
        assert.equal(ids.length, 2);
        assert.equal(ids[0], ids[1]);
        assert.equal(await status(next), 200);
      },
    ],
    [
      'no output goes back without its call',
      'james-6-23/codex2api#414',
      async () => {
        const first = await talk.ask([readsFile, readsFile, good]);
        for (const cut of [{ toolOutputs: true }, { whole: true }, { attachments: true }] as const) {
          talk.cut(first, cut);
          await talk.ask([good]);
          const calls = sent().filter(({ type }) => type === 'function_call').length;
          assert.equal(sent().filter(({ type }) => type === 'function_call_output').length, calls);
          assert.equal(calls, 'whole' in cut ? 0 : 2);
        }
      },
    ],
    [
      'nothing stands between a call and its output, not even what was said while the tool ran',
      'lidge-jun/opencodex#4726, MoonshotAI/kimi-cli#1977, MoonshotAI/kimi-cli#2405',
      async () => {
        const abort = new AbortController();
        const stops: Tool = {
          ...functionTool('read_file'),
          run: async () => {
            abort.abort();
            return { kind: 'cancelled', text: 'Not done.' };
          },
        };
        const calls = answer(
          reasoning('R'),
          parallel(functionCall('read_file', {}), functionCall('lookup', {})),
        );
        await talk.ask([calls], { signal: abort.signal }, [stops, ...tools.slice(1)]);
        const start = {
          kind: 'ask',
          question: { text: 'q', attachments: [] },
          message: userMessage('q'),
          note: userMessage('What became of the first call: …'),
        } as const;
        await talk.ask([good], { start });
        assert.deepEqual(types(sent()), [
          'user',
          'reasoning',
          ...['function_call', 'function_call'],
          ...['function_call_output', 'function_call_output'],
          ...['user', 'user'],
        ]);
      },
    ],
    [
      'a call without its reasoning is refused, and none is ever sent',
      'maximhq/bifrost#3802, continuedev/continue#11711, Kilo-Org/kilocode#10986, MoonshotAI/Kimi-K2.5#13',
      async () => {
        await talk.ask([readsFile, good]);
        const body = simulator.requests.at(-1)?.body ?? {};
        const without = { ...body, input: sent().filter(({ type }) => type !== 'reasoning') };
        const other = await startSimulator({ script: [good] });
        assert.equal((await raw.ask(other.url, without)).status, 400);
        assert.equal((await raw.ask(other.url, body)).status, 200);
        await other.close();
      },
    ],
    [
      'what the model said goes back as output_text',
      'jeremychone/rust-genai#119, BerriAI/litellm#17507',
      async () => {
        await talk.ask([answer(text('T'))]);
        await talk.ask([good]);
        const message = sent().find(({ role }) => role === 'assistant');
        assert.deepEqual(message?.content, [{ type: 'output_text', text: 'T' }]);
      },
    ],
    [
      'messages without content and refusals can go back',
      'vllm-project/vllm#49130',
      async () => {
        await talk.ask([bend({ refusal: true }, text('I must not.'))]);
        await talk.ask([
          bend({ content: 'null' }, reasoning('R'), text(''), functionCall('read_file', {})),
          good,
        ]);
        const said = sent().filter(({ role }) => role === 'assistant');
        assert.deepEqual(said[0]?.content, [{ type: 'output_text', text: 'I must not.' }]);
        await talk.ask([good]);
      },
    ],
    [
      'the model alone chooses the tool',
      'simstudioai/sim#5716',
      async () => {
        await talk.ask([readsFile, good]);
        await talk.ask([good], {}, []);
        assert.deepEqual(
          simulator.requests.map(({ body }) => body['tool_choice']),
          ['auto', 'auto', undefined],
        );
      },
    ],
    [
      'only tools of the types that the service knows are declared',
      'router-for-me/CLIProxyAPI#5656',
      async () => {
        await talk.ask([good]);
        const declared = simulator.requests[0]?.body['tools'] as readonly { readonly type: string }[];
        assert.deepEqual(
          declared.map(({ type }) => type),
          ['function', 'function', 'custom'],
        );
      },
    ],
  ];

  const shapes: readonly Row[] = [
    [
      'text shows though only its pieces, a ping and the end come',
      'anomalyco/opencode#40325',
      async () => {
        const turn = await talk.ask([bend({ scaffold: 'absent', pings: true }, text('All ', 'of it.'))]);
        assert.deepEqual(shown(turn), ['answer: All of it.']);
      },
    ],
    [
      'text shows though its part was never announced',
      'Wei-Shaw/sub2api#2875',
      async () => {
        assert.deepEqual(shown(await talk.ask([bend({ contentParts: 'absent' }, text('T'))])), ['answer: T']);
      },
    ],
    [
      'parallel calls keep their own arguments though all have the index 0',
      'BerriAI/litellm#21331, BerriAI/litellm#21337, mcowger/plexus#691',
      async () => {
        const calls = parallel(
          functionCall('read_file', { path: 'one' }),
          functionCall('lookup', { id: 'two' }),
        );
        await talk.ask([bend({ outputIndex: 'zero' }, reasoning('R'), calls), good]);
        assert.deepEqual(called.toSorted(), ['lookup({"id":"two"})', 'read_file({"path":"one"})']);
      },
    ],
    [
      'calls keep their own arguments in whatever order pieces and ends come',
      'can1357/oh-my-pi#1880, can1357/oh-my-pi#1882',
      async () => {
        await talk.ask([literalStream([fixture('parallel-calls-by-index-in-mixed-order')]), good]);
        assert.equal(called.length, 2);
        assert.equal(new Set(called).size, 2);
        const kept = sent().flatMap((item) => item.arguments ?? []);
        assert.deepEqual(called.toSorted(), kept.map((json) => `read_file(${json})`).toSorted());
      },
    ],
    [
      'a tool without arguments gets an empty object',
      'openai/openai-agents-js#664, teamchong/pxpipe#131, brave/brave-browser#56601',
      async () => {
        await talk.ask([answer(reasoning('R'), functionCall('read_file', '')), good]);
        assert.deepEqual(called, ['read_file({})']);
      },
    ],
    [
      'text shows once, though it is told in pieces and again at each end',
      'databricks/databricks-ai-bridge#464',
      async () => {
        assert.deepEqual(shown(await talk.ask([answer(text('Once', ' only.'))])), ['answer: Once only.']);
      },
    ],
    [
      'a call runs though the final output is empty',
      'NousResearch/hermes-agent#5741, mnfst/llm-gateway#1816',
      async () => {
        const call = [reasoning('R'), functionCall('read_file', { path: 'a' })];
        await talk.ask([bend({ finalOutput: 'empty' }, ...call), good]);
        assert.deepEqual(called, ['read_file({"path":"a"})']);
        assert.deepEqual(types(sent()), ['user', 'reasoning', 'function_call', 'function_call_output']);
      },
    ],
    [
      'summary and ciphertext of reasoning reach the screen and the history',
      'JetBrains/koog#1264',
      async () => {
        const turn = await talk.ask([
          vary(answer(reasoning('One.', 'Two.'), text('T')), { encryptReasoning: true }),
        ]);
        assert.deepEqual(shown(turn), ['reasoning: One.|Two.', 'answer: T']);
        await talk.ask([good]);
        assert.ok((sent()[1]?.encrypted_content ?? '') !== '');
      },
    ],
    [
      'events that nobody declared are passed over',
      'openai/openai-openapi#444',
      async () => {
        const turn = await talk.ask([
          bend({ unknownEvent: true, unknownItem: true, obfuscation: true }, text('T')),
        ]);
        assert.deepEqual(turn.end, { kind: 'completed' });
        assert.deepEqual(shown(turn), ['answer: T']);
      },
    ],
    [
      'a patch that comes as a function call is applied, and answered as a function call',
      'antirez/ds4#745, MetaFARS/codex-relay#37, ardeyouxipianyi/workbuddy2api-intl#12',
      async () => {
        await talk.ask([bend({ customCalls: 'asFunction' }, reasoning('R'), applyPatch(patch)), good]);
        assert.deepEqual(called, [`apply_patch(${patch})`]);
        assert.deepEqual(types(sent()), ['user', 'reasoning', 'function_call', 'function_call_output']);
      },
    ],
    [
      'a call from a namespace that was lost or glued to the name is no call of something else',
      'vllm-project/vllm#46737, jundot/omlx#3371, router-for-me/CLIProxyAPI#4255, openai/codex#23186',
      async () => {
        for (const quirks of [{}, { namespaces: 'glued' }] as const) {
          const turn = await talk.ask([
            bend(quirks, reasoning('R'), functionCall('lookup', {}, 'crm')),
            good,
          ]);
          assert.deepEqual(turn.end, { kind: 'completed' });
          assert.ok(turn.parts.some((part) => part.kind === 'tool' && part.outcome?.kind === 'failed'));
        }
        assert.deepEqual(called, []);
        // Without a trace of the namespace the name stands alone, and there is one tool of that name.
        await talk.ask([
          bend({ namespaces: 'absent' }, reasoning('R'), functionCall('lookup', {}, 'crm')),
          good,
        ]);
        assert.deepEqual(called, ['lookup({})']);
      },
    ],
    [
      'a name equal to its namespace is not glued to it',
      'Wei-Shaw/sub2api#4707',
      async () => {
        const own = [functionTool('exec'), functionTool('execexec')];
        await talk.ask([answer(reasoning('R'), functionCall('exec', {}, 'exec')), good], {}, own);
        assert.deepEqual(called, []);
        const { name, namespace } = sent().find(({ type }) => type === 'function_call') ?? assert.fail();
        assert.deepEqual([name, namespace], ['exec', 'exec']);
      },
    ],
  ];

  const endings: readonly Row[] = [
    [
      'a stream that ends without a terminal event is a failure that keeps the text, and can be tried again',
      'router-for-me/CLIProxyAPI#4904, router-for-me/CLIProxyAPI#4905, openai/codex#22472, ding113/claude-code-hub#938',
      async () => {
        const turn = await talk.ask([answer(reasoning('R'), text('half', endEarly))]);
        assert.equal(failure(turn), 'brokenStream');
        assert.deepEqual(shown(turn), ['reasoning: R', 'answer: half']);
        assert.deepEqual(shown(await talk.resume(turn, [good])), ['answer: Good.']);
      },
    ],
    [
      'an incomplete response is an ending, and its answer stands',
      'ndycode/codex-multi-auth#618',
      async () => {
        const turn = await talk.ask([answer(text('As far as', incomplete()))]);
        assert.deepEqual(turn.end, { kind: 'incomplete', reason: 'max_output_tokens' });
        assert.equal(turn.broken, undefined);
        await talk.ask([good]);
        assert.deepEqual(types(sent()), ['user', 'assistant', 'user']);
      },
    ],
    [
      'a failed response is a failure, though its answer looks whole',
      'langchain-ai/langchain#39039, langchain-ai/langchain#39041',
      async () => {
        const turn = await talk.ask([answer(text('It looks whole.'), failed('The model is gone'))]);
        assert.equal(failure(turn), 'serverError');
        assert.equal(turn.broken?.length, 1);
      },
    ],
    [
      'an error event and a failed response end in the same way',
      'vercel/ai#6534, vercel/ai#12937',
      async () => {
        const code = 'rate_limit_exceeded';
        for (const end of [
          failed('slow', code),
          errorEvent('flat', 'slow', code),
          errorEvent('nested', 'slow', code),
        ]) {
          const turn = await talk.ask([answer(text('T'), end)]);
          assert.deepEqual(turn.end, { kind: 'failed', failure: { kind: 'rateLimited', message: 'slow' } });
        }
      },
    ],
    [
      'a context that is too long is the same failure inside a stream as before it',
      'BerriAI/litellm#29223',
      async () => {
        const [type, code] = ['invalid_request_error', 'context_length_exceeded'];
        assert.equal(failure(await talk.ask([answer(failed('too long', code))])), 'contextTooLong');
        assert.equal(
          failure(await talk.ask([refuse(400, { message: 'too long', type, code })])),
          'contextTooLong',
        );
      },
    ],
    [
      'an error event is read flat and nested',
      'openai/openai-python#2487, openai/openai-dotnet#881, openai/openai-node#2021',
      async () => {
        for (const shape of ['flat', 'nested'] as const) {
          const turn = await talk.ask([answer(errorEvent(shape, 'the reason'))]);
          assert.ok(turn.end?.kind === 'failed' && 'message' in turn.end.failure);
          assert.equal(turn.end.failure.message, 'the reason');
        }
      },
    ],
    [
      'a stream without an event, and JSON that is no response, are failures that show what came',
      'sourcegraph/cody#3479, rexxars/eventsource-client#9',
      async () => {
        for (const [bytes, detail] of [
          ['', /empty/],
          [': nothing\n\n', /^/],
          ['{"ok":true}', /not a response/],
          ['Service is starting', /starting/],
        ] as const) {
          const turn = await talk.ask([literalStream([bytes])]);
          assert.ok(turn.end?.kind === 'failed' && turn.end.failure.kind === 'brokenStream', bytes);
          assert.match(turn.end.failure.detail, detail);
        }
      },
    ],
    [
      'null as an event and [DONE] without an end are an early end',
      'decolua/9router#1648',
      async () => {
        assert.equal(
          failure(await talk.ask([literalStream(['data: null\n\ndata: [DONE]\n\n'])])),
          'brokenStream',
        );
      },
    ],
  ];

  const transport: readonly Row[] = [
    [
      'silence of an hour is not cut off by the HTTP library',
      'earendil-works/pi#3715, earendil-works/pi#3711, QwenLM/qwen-code#4604, QwenLM/qwen-code#4711, caozhiyuan/copilot-api#169',
      async () => {
        const clock = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
          tick(ms: number): void;
        };
        const quiet = answer(reasoning(['Hm', gate('quiet'), '.']), text('T'));
        // The library as it comes would have given up.
        simulator.reply(quiet);
        const impatient = new Client(simulator.url);
        const { body } = await impatient.request({
          method: 'POST',
          path: '/v1/responses',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'kimi-k3', input: 'q', stream: true }),
        });
        await simulator.reached('quiet');
        const reading = body.text();
        clock.tick(1_000);
        clock.tick(3_600_000);
        await assert.rejects(reading, { code: 'UND_ERR_BODY_TIMEOUT' });
        await impatient.destroy();

        const asking = talk.ask([quiet]);
        await simulator.reached('quiet', 2);
        clock.tick(1_000);
        clock.tick(3_600_000);
        simulator.open('quiet');
        assert.equal(failure(await asking), 'completed');
      },
    ],
    [
      'a connection that was cut says so by its code',
      'OpenRouterTeam/ai-sdk-provider#412',
      async () => {
        const turn = await talk.ask([answer(text('half', cutSocket))]);
        assert.ok(turn.end?.kind === 'failed' && turn.end.failure.kind === 'network');
        assert.match(turn.end.failure.code, /^(UND_ERR_SOCKET|ECONNRESET)$/);
      },
    ],
    [
      'a reset right behind the terminal event changes nothing',
      'earendil-works/pi#1524',
      async () => {
        const turn = await talk.ask([literalStream([fixture('answer'), resetSocket])]);
        assert.deepEqual(turn.end, { kind: 'completed' });
        assert.equal(simulator.requests.length, 1);
      },
    ],
    [
      'characters that are cut into bytes arrive whole',
      'ollama/ollama-js#255, musistudio/claude-code-router#1672, braintrustdata/braintrust-sdk-javascript#2091',
      async () => {
        const all = '你好 👩‍👩‍👧‍👦 é ‱ 𝒳';
        const turn = await talk.ask([
          vary(answer(reasoning(all), text(all)), { cut: { kind: 'bytes', size: 1 } }),
        ]);
        assert.deepEqual(shown(turn), [`reasoning: ${all}`, `answer: ${all}`]);
      },
    ],
    [
      'the host’s own fetch and its dispatcher are neither used nor changed by a request',
      'cline/cline#12362, cline/cline#12699',
      async () => {
        const [{ fetch }, slots] = [globalThis, ['undici.globalDispatcher.1', 'undici.globalDispatcher.2']];
        const dispatchers = slots.map((name) => Reflect.get(globalThis, Symbol.for(name)));
        globalThis.fetch = () => assert.fail('fetch was used');
        try {
          await talk.ask([good]);
        } finally {
          globalThis.fetch = fetch;
        }
        for (const [index, name] of slots.entries())
          assert.equal(Reflect.get(globalThis, Symbol.for(name)), dispatchers[index]);
      },
    ],
    [
      'requests need nothing of what the editor replaces, and speak HTTP/1.1',
      'microsoft/vscode#236423, microsoft/vscode#310124',
      async () => {
        let head = '';
        const server = await rawServer((socket, request) => {
          head = request;
          socket.end(streamHead + fixture('answer'));
        });
        const { turn } = await run(ports(clientFor(server.url)), ask('q'));
        assert.deepEqual(turn.end, { kind: 'completed' });
        assert.match(head, /^POST \/v1\/responses HTTP\/1\.1\r\n/);
        await server.close();
      },
    ],
  ];

  for (const [title, rows] of [
    ['history and replay', history],
    ['the shape of a stream', shapes],
    ['endings and errors', endings],
    ['transport', transport],
  ] as const) {
    describe(title, () => {
      for (const [fact, reports, test] of rows) it(`${fact} (${reports})`, test);
    });
  }

  it('all of it is here', () => {
    assert.deepEqual(
      [history, shapes, endings, transport].map(({ length }) => length),
      [19, 12, 8, 6],
    );
  });

  describe('what the client puts up with', () => {
    const whole = [reasoning('想.'), text('你好 ', '😀'), functionCall('read_file', { path: 'a' })];
    const parts = ['reasoning: 想.', 'answer: 你好 😀', 'tool read_file({"path":"a"})', 'answer: Good.'];
    const cases: readonly (readonly [what: string, reply: Reply, usage?: null])[] = [
      ['no sequence_number', bend({ sequenceNumbers: 'absent' }, ...whole)],
      ['no event: line', bend({ eventLines: 'absent' }, ...whole)],
      ['an unknown event', bend({ unknownEvent: true }, ...whole)],
      ['an item of an unknown type', bend({ unknownItem: true }, ...whole)],
      ['no usage', bend({ usage: 'absent' }, ...whole), null],
      ['usage that is null', bend({ usage: 'null' }, ...whole), null],
      ['usage without details', bend({ usage: 'bare' }, ...whole)],
      ['content that is null', bend({ content: 'null' }, ...whole)],
      ['CRLF', bend({ lineEnds: 'crlf' }, ...whole)],
      ['lone CR', bend({ lineEnds: 'cr' }, ...whole)],
      ['a byte order mark', bend({ byteOrderMark: true }, ...whole)],
      [
        'UTF-8 sequences and events cut anywhere',
        vary(answer(...whole), { cut: { kind: 'bytes', size: 1 } }),
      ],
      ['many events in one chunk', vary(answer(...whole), { cut: { kind: 'joined' } })],
      ['data over several lines', bend({ splitData: true }, ...whole)],
      ['a last event without its blank line', bend({ lastBlankLine: 'absent' }, ...whole)],
      ['JSON in place of a stream', bend({ body: 'json' }, ...whole)],
    ];
    for (const [what, reply, usage] of cases) {
      it(what, async () => {
        const turn = await talk.ask([reply, good]);
        assert.deepEqual(turn.end, { kind: 'completed' });
        assert.deepEqual(shown(turn), parts);
        assert.equal(usages(turn)[0] === null, usage === null);
      });
    }

    it('a missing summary', async () => {
      const turn = await talk.ask([bend({ summary: 'absent' }, reasoning(), text('T'))]);
      assert.deepEqual(turn.end, { kind: 'completed' });
      await talk.ask([good]);
      assert.deepEqual(sent()[1]?.summary, []);
    });

    it('an incomplete response that is called completed: what is inside counts', async () => {
      assert.equal(failure(await talk.ask([bend({ innerStatus: 'incomplete' }, text('T'))])), 'incomplete');
    });

    it('a stream without an event, and a web page, which are failures', async () => {
      assert.equal(failure(await talk.ask([literalStream([': only a comment\n\n'])])), 'brokenStream');
      assert.equal(failure(await talk.ask([literalStream(['<!doctype html><html>'])])), 'brokenStream');
      assert.equal(failure(await talk.ask([refuseWith(502, 'text/html', '<html>')])), 'serverError');
    });
  });

  describe('the models', () => {
    const body = (model: string, more: object = {}) => ({ model, input: 'q', stream: true, ...more });
    const documented = {
      'kimi-k3.1-pro': { efforts: ['low', 'high', 'max'], k31: true },
      'kimi-k3.1-pro-highspeed': { efforts: ['low', 'high', 'max'], k31: true },
      'kimi-k3': { efforts: ['max'], k31: false },
    } as const;

    it('are these three', () => {
      assert.deepEqual(
        models.map(({ id }) => id),
        Object.keys(documented),
      );
    });

    for (const row of models) {
      const { efforts, k31 } = documented[row.id];
      const request = (more: object = {}) =>
        buildRequest({
          model: row,
          effort: 'max',
          instructions: 'i',
          tools: [],
          history: { groups: [{ turn: 't', model: row.id, items: [userMessage('q')], partial: false }] },
          ...more,
        });
      describe(row.id, () => {
        it('has a window of 1,048,576 tokens', () => {
          assert.equal(row.contextWindow, 1_048_576);
        });
        it('puts out 1,048,576 tokens at most, and 131,072 when nothing is said', async () => {
          assert.deepEqual([mostOutputTokens, defaultOutputTokens], [1_048_576, 131_072]);
          assert.equal(request().max_output_tokens, undefined);
          assert.equal(request({ maxOutputTokens: 9e9 }).max_output_tokens, 1_048_576);
          assert.equal(await status(request({ maxOutputTokens: 9e9 })), 200);
          assert.equal(await status(body(row.id, { max_output_tokens: 1_048_577 })), 400);
        });
        it(`takes the efforts ${efforts.join(', ')}`, async () => {
          assert.deepEqual(row.efforts, efforts);
          for (const effort of ['low', 'high', 'max', 'medium']) {
            const taken = (efforts as readonly string[]).includes(effort);
            assert.equal(await status(body(row.id, { reasoning: { effort } })), taken ? 200 : 400, effort);
            assert.equal(await status(request({ effort })), 200);
          }
        });
        it(`${k31 ? 'takes' : 'does not take'} text.format, which is never sent`, async () => {
          assert.equal(row.structuredOutput, k31);
          const format = { type: 'json_schema', schema: { type: 'object' } };
          assert.equal(await status(body(row.id, { text: { format } })), k31 ? 200 : 400);
          assert.ok(!('text' in request()));
        });
        it(`${k31 ? 'takes' : 'does not take'} prompt_cache_options`, async () => {
          assert.equal(row.cacheOptions, k31);
          const prompt_cache_options = { mode: 'implicit', ttl: '1h' };
          assert.equal(await status(body(row.id, { prompt_cache_options })), k31 ? 200 : 400);
          assert.deepEqual(
            request({ cacheTtl: '1h' }).prompt_cache_options,
            k31 ? prompt_cache_options : undefined,
          );
          assert.equal(await status(request({ cacheTtl: '1h' })), 200);
        });
        it('is not sent temperature and top_p, which it fixes', () => {
          for (const field of ['temperature', 'top_p']) assert.ok(!(field in request()));
        });
        it(`counts regular input as input less cached${k31 ? ' less cache-write' : ''}`, () => {
          const usage = { input: 1000, cached: 512, cacheWrite: 256, output: 10, reasoning: 4 };
          assert.equal(tokensOf(row.id, usage).regular, k31 ? 232 : 488);
        });
      });
    }
  });
});
