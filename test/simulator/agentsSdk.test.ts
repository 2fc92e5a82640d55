/** `@openai/agents` as a client: its own loop over tool calls. */
import assert from 'node:assert/strict';
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import {
  answer,
  endEarly,
  failed,
  functionCall,
  reasoning,
  startSimulator,
  text,
  type Simulator,
} from './main.ts';
import { watchConnections, type LoopbackWatch } from './onlyLoopback.ts';
import * as order from './validate/order.ts';
import { objectOf } from './wire.ts';

describe('the agents SDK', () => {
  let simulator: Simulator;
  let watch: LoopbackWatch;

  // Its traces would go to a service.
  before(() => {
    setTracingDisabled(true);
    watch = watchConnections();
  });
  after(() => {
    watch.stop();
    assert.deepEqual(watch.strangers, []);
  });
  beforeEach(async () => {
    simulator = await startSimulator({ mode: 'lenient', key: 'sk-test', callIds: 'counted' });
  });
  afterEach(() => simulator.close());

  function agent(called: string[] = []): Agent {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${simulator.url}/v1`, maxRetries: 0 });
    const weather = tool({
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      strict: true,
      execute: (input) => {
        const city = String(objectOf(input)['city']);
        called.push(city);
        return `Sunny in ${city}`;
      },
    });
    return new Agent({
      name: 'Tester',
      instructions: 'Be brief',
      model: new OpenAIResponsesModel(client, 'kimi-k3.1-pro'),
      tools: [weather],
    });
  }
  const runner = new Runner({ tracingDisabled: true });

  it('runs the tools of several rounds and answers', async () => {
    simulator.reply(
      answer(
        reasoning('Both cities.'),
        functionCall('get_weather', { city: 'Paris' }),
        functionCall('get_weather', { city: '北京' }),
      ),
      answer(reasoning('One more.'), functionCall('get_weather', { city: 'Seoul' })),
      answer(reasoning('Done.'), text('Sunny everywhere')),
    );
    const called: string[] = [];
    const result = await runner.run(agent(called), 'Weather?', { stream: true });
    for await (const _ of result) {
      // Reading drives the run.
    }
    assert.equal(result.finalOutput, 'Sunny everywhere');
    assert.deepEqual(called, ['Paris', '北京', 'Seoul']);
    for (const { body } of simulator.requests) {
      for (const [name, rule] of Object.entries(order)) assert.deepEqual([...rule(body)], [], name);
    }
    const last = simulator.requests[2]?.body['input'];
    assert.ok(Array.isArray(last));
    assert.deepEqual(
      last.map(objectOf).map(({ type, call_id }) => [type ?? 'message', call_id]),
      [
        ['message', undefined],
        ['reasoning', undefined],
        ['function_call', 'get_weather:0'],
        ['function_call', 'get_weather:1'],
        ['function_call_output', 'get_weather:0'],
        ['function_call_output', 'get_weather:1'],
        ['reasoning', undefined],
        ['function_call', 'get_weather:2'],
        ['function_call_output', 'get_weather:2'],
      ],
    );
  });

  it('works without a stream', async () => {
    simulator.reply(
      answer(reasoning('Hm.'), functionCall('get_weather', { city: 'Rome' })),
      answer(reasoning('Hm.'), text('Sunny')),
    );
    const result = await runner.run(agent(), 'Weather?');
    assert.equal(result.finalOutput, 'Sunny');
  });

  it('fails on a failed answer and on one that ends early', async () => {
    for (const reply of [answer(failed('No')), answer(text('Half', endEarly))]) {
      simulator.reply(reply);
      const result = await runner.run(agent(), 'Hi', { stream: true });
      await assert.rejects(async () => {
        for await (const _ of result) {
          // Reading drives the run.
        }
        await result.completed;
      });
    }
  });
});
