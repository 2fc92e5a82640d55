/** The `openai` package as a client: it rebuilds the response from the events and raises on whatever does not fit together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { anyAnswer, anyCut, seed } from './arbitraries.ts';
import {
  answer,
  applyPatch,
  errorEvent,
  failed,
  functionCall,
  incomplete,
  parallel,
  reasoning,
  refuse,
  startSimulator,
  text,
  vary,
  webSearch,
  type Simulator,
} from './main.ts';
import { watchConnections, type LoopbackWatch } from './onlyLoopback.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

describe('the openai package', () => {
  let simulator: Simulator;
  let watch: LoopbackWatch;
  let client: OpenAI;
  const model = 'kimi-k3.1-pro';

  before(async () => {
    watch = watchConnections();
    simulator = await startSimulator({ key: 'sk-test' });
    client = clientWith('sk-test');
    console.log(`      seed ${seed}`);
  });
  after(async () => {
    await simulator.close();
    watch.stop();
    assert.deepEqual(watch.strangers, []);
  });

  function clientWith(apiKey: string): OpenAI {
    return new OpenAI({
      apiKey,
      baseURL: `${simulator.url}/v1`,
      maxRetries: 0,
      organization: null,
      project: null,
    });
  }

  /** Fields the package adds for its own parsing are taken out again. */
  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (!isJsonObject(value)) return value;
    const own = ['parsed', 'parsed_arguments', 'output_parsed', 'output_text'];
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !own.includes(name))
        .map(([name, each]) => [name, plain(each)]),
    );
  }

  async function lastSent(): Promise<JsonObject> {
    const request = simulator.requests.at(-1);
    assert.equal(await request?.closed, 'answered');
    const response = request?.events.at(-1)?.['response'];
    assert.ok(isJsonObject(response));
    return response;
  }

  it('builds the response that was sent, from every kind of item', async () => {
    simulator.reply(
      answer(
        webSearch('tax rates'),
        reasoning('First.', 'Then 想.'),
        text('Hello ', 'there 😀'),
        applyPatch('*** Begin Patch\n*** Add File: a\n+1\n*** End Patch'),
        parallel(functionCall('lookup', { id: 1 }, 'crm'), functionCall('lookup', { id: 2 }, 'erp')),
      ),
    );
    const stream = client.responses.stream({ model, input: 'Hi' });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    const final = await stream.finalResponse();
    assert.equal(final.output_text, 'Hello there 😀');
    assert.deepEqual(plain(final), plain(await lastSent()));
    assert.deepEqual(
      types,
      simulator.requests.at(-1)?.events.map(({ type }) => type),
    );
  });

  it('takes any script in any cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyCut, async (script, cut) => {
        simulator.reply(vary(script, { cut }));
        const stream = client.responses.stream({ model, input: 'Hi' });
        const raised = await stream.finalResponse().then(
          (response) => response,
          (error: unknown) => error,
        );
        const sent = simulator.requests.at(-1)?.events.at(-1);
        if (sent?.type === 'error') assert.ok(raised instanceof APIError);
        else assert.deepEqual(plain(raised), plain(sent?.['response']));
      }),
      { seed, numRuns: 60 },
    );
  });

  it('reads one JSON body when it asks for no stream', async () => {
    simulator.reply(answer(reasoning('Hm.'), text('Hello')));
    const response = await client.responses.create({ model, input: 'Hi', instructions: 'Be brief' });
    assert.equal(response.output_text, 'Hello');
    assert.equal(response.usage?.output_tokens_details.reasoning_tokens, 2);
  });

  it('sees the end of an answer that is incomplete or failed', async () => {
    simulator.reply(
      answer(text('Half', incomplete())),
      answer(failed('Too long', 'context_length_exceeded')),
    );
    const cut = await client.responses.stream({ model, input: 'Hi' }).finalResponse();
    assert.equal(cut.status, 'incomplete');
    assert.equal(cut.incomplete_details?.reason, 'max_output_tokens');
    const broken = await client.responses.stream({ model, input: 'Hi' }).finalResponse();
    assert.equal(broken.status, 'failed');
    assert.equal(broken.error?.message, 'Too long');
  });

  it('raises on both shapes of the error event', async () => {
    for (const shape of ['flat', 'nested'] as const) {
      simulator.reply(answer(text('Half'), errorEvent(shape, 'Overloaded')));
      await assert.rejects(client.responses.stream({ model, input: 'Hi' }).finalResponse(), /Overloaded/);
    }
  });

  it('knows the HTTP errors by their status', async () => {
    simulator.reply(
      refuse(
        429,
        { message: 'Slow down', type: 'rate_limit_reached_error', code: 'rpm' },
        { 'retry-after': '7' },
      ),
    );
    await assert.rejects(client.responses.create({ model, input: 'Hi' }), (error: unknown) => {
      assert.ok(error instanceof RateLimitError);
      assert.equal(error.type, 'rate_limit_reached_error');
      assert.equal(error.headers.get('retry-after'), '7');
      return true;
    });
    await assert.rejects(
      clientWith('sk-wrong').responses.create({ model, input: 'Hi' }),
      AuthenticationError,
    );
    await assert.rejects(client.responses.create({ model: 'gpt-5.5', input: 'Hi' }), NotFoundError);
    await assert.rejects(client.responses.create({ model, input: 'Hi', store: true }), (error: unknown) => {
      assert.ok(error instanceof BadRequestError);
      assert.match(error.message, /store: is not supported/);
      return true;
    });
  });

  it('can go on with a tool result', async () => {
    simulator.reply(answer(reasoning('Hm.'), functionCall('now', {})));
    const first = await client.responses.stream({ model, input: 'What time is it?' }).finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    assert.equal(call?.call_id, 'now:0');
    simulator.reply(answer(reasoning('Noon.'), text('It is noon.')));
    const replayed = plain(first.output) as OpenAI.Responses.ResponseInputItem[];
    const thought = replayed[0];
    assert.equal(thought?.type, 'reasoning');
    const { encrypted_content, ...clear } = thought;
    assert.equal(encrypted_content, null);
    const second = await client.responses
      .stream({
        model,
        input: [
          { role: 'user', content: 'What time is it?' },
          clear,
          ...replayed.slice(1),
          { type: 'function_call_output', call_id: call.call_id, output: '12:00' },
        ],
      })
      .finalResponse();
    assert.equal(second.output_text, 'It is noon.');
  });
});
