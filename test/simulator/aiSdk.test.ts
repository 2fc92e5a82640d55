/** `@ai-sdk/openai` with `ai` as a client: how it splits the usage, and a tool loop. */
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { isStepCount, jsonSchema, streamText, tool, type LanguageModelUsage } from 'ai';
import {
  answer,
  errorEvent,
  functionCall,
  incomplete,
  reasoning,
  startSimulator,
  text,
  type Simulator,
} from './main.ts';
import { watchConnections, type LoopbackWatch } from './onlyLoopback.ts';
import * as order from './validate/order.ts';
import { objectOf } from './wire.ts';

describe('the AI SDK', () => {
  let simulator: Simulator;
  let watch: LoopbackWatch;

  before(() => {
    watch = watchConnections();
  });
  after(() => {
    watch.stop();
    assert.deepEqual(watch.strangers, []);
  });
  beforeEach(async () => {
    simulator = await startSimulator({ mode: 'lenient', key: 'sk-test' });
  });
  afterEach(() => simulator.close());

  function model() {
    return createOpenAI({ apiKey: 'sk-test', baseURL: `${simulator.url}/v1` }).responses('kimi-k3.1-pro');
  }
  const quiet = { maxRetries: 0, telemetry: { isEnabled: false }, onError: () => undefined };

  async function usageOf(system: string, prompt: string): Promise<LanguageModelUsage> {
    simulator.reply(answer(reasoning('Let me see.'), text('Fine.')));
    const result = streamText({ model: model(), instructions: system, prompt, ...quiet });
    assert.equal(await result.text, 'Fine.');
    return result.usage;
  }

  /** What the simulator said, so that both sides are compared. */
  function sentUsage(): {
    input: number;
    cached: number;
    written: number;
    output: number;
    reasoning: number;
  } {
    const response = objectOf(simulator.requests.at(-1)?.events.at(-1)?.['response']);
    const usage = objectOf(response['usage']);
    const details = objectOf(usage['input_tokens_details']);
    return {
      input: Number(usage['input_tokens']),
      cached: Number(details['cached_tokens']),
      written: Number(details['cache_write_tokens']),
      output: Number(usage['output_tokens']),
      reasoning: Number(objectOf(usage['output_tokens_details'])['reasoning_tokens']),
    };
  }

  it('splits the input into regular, read and written tokens, as the K3.1 series is billed', async () => {
    const system = 'Be correct, concrete and short. '.repeat(100);
    for (const [turn, prompt] of ['Hello', 'Hello again, and a longer question'].entries()) {
      const usage = await usageOf(system, prompt);
      const sent = sentUsage();
      assert.equal(sent.cached > 0, turn === 1);
      assert.equal(usage.inputTokens, sent.input);
      assert.equal(usage.inputTokenDetails.cacheReadTokens, sent.cached);
      assert.equal(usage.inputTokenDetails.cacheWriteTokens, sent.written);
      assert.equal(usage.inputTokenDetails.noCacheTokens, sent.input - sent.cached - sent.written);
      assert.equal(usage.outputTokens, sent.output);
      assert.equal(usage.outputTokenDetails.reasoningTokens, sent.reasoning);
      assert.equal(usage.outputTokenDetails.textTokens, sent.output - sent.reasoning);
    }
  });

  it('shows the reasoning apart from the text', async () => {
    simulator.reply(answer(reasoning('First.', 'Then.'), text('Fine ', '你好')));
    const result = streamText({ model: model(), prompt: 'Hi', ...quiet });
    const kinds: string[] = [];
    for await (const part of result.stream) kinds.push(part.type);
    assert.equal(await result.text, 'Fine 你好');
    assert.match((await result.finalStep).reasoningText ?? '', /First\.[\s\S]*Then\./);
    assert.ok(kinds.indexOf('reasoning-start') < kinds.indexOf('text-start'));
  });

  it('runs a tool and sends its result back in order', async () => {
    simulator.reply(
      answer(
        reasoning('Two at once.'),
        functionCall('add', { a: 1, b: 2 }),
        functionCall('add', { a: 3, b: 4 }),
      ),
      answer(reasoning('Both there.'), text('3 and 7')),
    );
    const add = tool({
      description: 'Adds',
      inputSchema: jsonSchema<{ a: number; b: number }>({
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      }),
      execute: ({ a, b }) => Promise.resolve(a + b),
    });
    const result = streamText({
      model: model(),
      prompt: 'Add',
      tools: { add },
      stopWhen: isStepCount(3),
      ...quiet,
    });
    assert.equal(await result.text, '3 and 7');
    const body = simulator.requests[1]?.body ?? {};
    for (const [name, rule] of Object.entries(order)) {
      // It names reasoning by its id alone, which needs a service that stores answers.
      if (name !== 'reasoningBeforeCalls') assert.deepEqual([...rule(body)], [], name);
    }
    const input = body['input'];
    assert.ok(Array.isArray(input));
    const outputs = input.map(objectOf).filter(({ type }) => type === 'function_call_output');
    assert.deepEqual(
      outputs.map(({ call_id, output }) => [call_id, output]),
      [
        ['add:0', '3'],
        ['add:1', '7'],
      ],
    );
  });

  it('takes an incomplete answer as ended by its length, and an error as one', async () => {
    simulator.reply(
      answer(text('Half', incomplete())),
      answer(text('Half', errorEvent('flat', 'Overloaded'))),
    );
    const short = streamText({ model: model(), prompt: 'Hi', ...quiet });
    assert.equal(await short.finishReason, 'length');
    const broken = streamText({ model: model(), prompt: 'Hi', ...quiet });
    const kinds: string[] = [];
    for await (const part of broken.stream) kinds.push(part.type);
    assert.ok(kinds.includes('error'));
  });
});
