/** The strict rules: each one refuses what it is for and says where; every legal shape passes. */
import assert from 'node:assert/strict';
import {
  answer,
  applyPatch,
  functionCall,
  gate,
  reasoning,
  startSimulator,
  text,
  vary,
  type Simulator,
} from './main.ts';
import { ask, call, jsonOf, outputOf } from './rawClient.ts';
import { Memory } from './validate/memory.ts';
import { lenientRules, rules, validate } from './validate/validate.ts';
import {
  legalCases,
  patchCall,
  patchOutput,
  patchTool,
  plain,
  readCall,
  said,
  thought,
  user,
  violationCases,
} from './validate/violations.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

describe('the rules for requests', () => {
  const memory = new Memory();

  for (const { rule, body, message, status } of violationCases) {
    it(`${rule}: ${message}`, () => {
      const violation = validate(body, 'strict', memory);
      assert.equal(violation?.message, message);
      assert.equal(violation.rule, rule);
      assert.equal(violation.status, status ?? 400);
      assert.equal(violation.message.startsWith(violation.param), true);
    });
  }

  it('are each shown to refuse something', () => {
    const shown = new Set<string>(violationCases.map(({ rule }) => rule));
    assert.deepEqual(
      Object.keys(rules).filter((name) => !shown.has(name)),
      [],
    );
  });

  for (const [name, body] of Object.entries(legalCases)) {
    it(`allow ${name}`, () => {
      assert.equal(validate(body, 'strict', memory), undefined);
    });
  }

  it('are few in the lenient mode', () => {
    for (const { rule, body } of violationCases) {
      const violation = validate(body, 'lenient', memory);
      // What is broken beyond the named rule may be one of the few that stay.
      if (violation !== undefined) assert.ok(lenientRules.has(violation.rule), `${rule} → ${violation.rule}`);
      if (lenientRules.has(rule)) assert.notEqual(violation, undefined);
    }
  });

  it('survive a body in which nothing is as it should be', () => {
    const odd = [null, 7, 'x', [], {}, [null], [{}], [[]], { type: 'function' }];
    for (const field of ['input', 'tools', 'reasoning', 'text', 'include', 'prompt_cache_options']) {
      for (const value of odd) validate({ ...plain, [field]: value }, 'strict', memory);
    }
    for (const type of [
      'message',
      'reasoning',
      'function_call',
      'custom_tool_call_output',
      'web_search_call',
    ]) {
      for (const value of odd) {
        const item = { type, role: value, content: value, summary: value, call_id: value, action: value };
        assert.notEqual(validate({ ...plain, input: [item] }, 'strict', memory), undefined);
      }
    }
  });
});

describe('the simulator as a server of rules', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  after(() => simulator.close());

  it('answers a violation with the documented error body and uses up no reply', async () => {
    simulator.reply(answer(text('Hi')));
    const refused = await ask(simulator.url, { ...plain, input: [user, thought, patchCall] });
    assert.equal(refused.status, 400);
    assert.deepEqual(jsonOf(refused), {
      error: {
        message:
          'input[2].call_id: no output for "apply_patch:0" follows directly after the calls of its turn',
        type: 'invalid_request_error',
        code: 'invalid_request',
      },
    });
    assert.equal(simulator.requests.at(-1)?.violation?.rule, 'callsHaveOutputs');
    assert.equal(simulator.repliesLeft, 1);
    assert.equal((await ask(simulator.url, plain)).status, 200);
  });

  it('answers an unknown model with 404', async () => {
    const refused = await ask(simulator.url, { ...plain, model: 'kimi-k9' });
    assert.equal(refused.status, 404);
    assert.equal((jsonOf(refused)['error'] as JsonObject)['type'], 'resource_not_found_error');
  });

  it('refuses what does not fit into the context window', async () => {
    const refused = await ask(simulator.url, { ...plain, input: '1 '.repeat(600_000) });
    assert.equal(refused.status, 400);
    assert.equal((jsonOf(refused)['error'] as JsonObject)['code'], 'context_length_exceeded');
  });
});

describe('an answer sent back', () => {
  let simulator: Simulator;
  let output: readonly JsonObject[];

  beforeEach(async () => {
    simulator = await startSimulator();
    simulator.reply(
      vary(answer(reasoning('First', 'then'), text('I will.'), functionCall('read_file', { path: 'a' })), {
        encryptReasoning: true,
      }),
    );
    output = outputOf(await ask(simulator.url, { ...plain, stream: true }));
  });
  afterEach(() => simulator.close());

  /** As a client should send it. */
  function replay(): JsonObject[] {
    const [first, second, third] = output;
    const { id, summary, encrypted_content } = first as JsonObject;
    return [
      user,
      { type: 'reasoning', id, summary, encrypted_content },
      { ...said, content: [{ type: 'output_text', text: partText(second) }] },
      third as JsonObject,
      { type: 'function_call_output', call_id: third?.['call_id'], output: 'text' },
    ];
  }

  async function send(input: readonly JsonObject[], more: JsonObject = {}): Promise<string | undefined> {
    simulator.reply(answer(reasoning('Hm.'), text('Done.')));
    await ask(simulator.url, { ...plain, tools: [patchTool], ...more, input });
    return simulator.requests.at(-1)?.violation?.message;
  }

  it('is taken when it is whole and unaltered', async () => {
    assert.equal(await send(replay()), undefined);
  });

  it('is refused when arguments were written anew', async () => {
    const items = replay();
    items[3] = { ...items[3], arguments: '{ "path": "a" }' };
    assert.equal(
      await send(items),
      `input[3].arguments: differs from what was sent as ${String(output[2]?.['id'])}`,
    );
  });

  it('is refused when the summary was cut', async () => {
    const items = replay();
    items[1] = { ...items[1], summary: [] };
    assert.equal(
      await send(items),
      `input[1].summary: differs from what was sent as ${String(output[0]?.['id'])}`,
    );
  });

  it('is refused when an item is missing from its middle', async () => {
    const items = replay().filter(({ role }) => role !== 'assistant');
    assert.equal(await send(items), 'input[1]: the message that followed it in the answer does not follow');
  });

  it('is refused when the message has another text', async () => {
    const items = replay();
    items[2] = { ...said };
    assert.equal(await send(items), 'input[1]: the message that followed it in the answer does not follow');
  });

  it('is refused with ciphertext for another model, and taken without', async () => {
    const message = await send(replay(), { model: 'kimi-k3' });
    assert.equal(
      message,
      'input[1].encrypted_content: was made by kimi-k3.1-pro; leave it out for another model',
    );
    const items = replay();
    const { encrypted_content, ...clear } = items[1] as JsonObject;
    assert.equal(typeof encrypted_content, 'string');
    items[1] = clear;
    assert.equal(await send(items, { model: 'kimi-k3' }), undefined);
  });

  it('may end earlier, as when the person stopped it', async () => {
    const items = replay();
    const half = { ...said, content: [{ type: 'output_text', text: 'I w' }] };
    assert.equal(await send([...items.slice(0, 2), half, user]), undefined);
    assert.equal(await send([...items.slice(0, 3), user]), undefined);
  });

  it('may be cut short when the client had left', async () => {
    simulator.reply(answer(reasoning('Hm.'), text('Half ', gate('left'), 'and half'), applyPatch('x')));
    const asked = call(simulator.url, { ...plain, stream: true });
    await simulator.reached('left');
    const request = simulator.requests.at(-1);
    asked.leave();
    assert.equal(await request?.closed, 'clientLeft');
    const done = request?.events.find(({ type }) => type === 'response.output_item.done');
    assert.ok(isJsonObject(done?.['item']));
    const { id, summary } = done['item'];
    const half = { ...said, content: [{ type: 'output_text', text: 'Half ' }] };
    assert.equal(await send([user, { type: 'reasoning', id, summary }, half, user]), undefined);
  });

  it('may lack the reasoning the script never gave', async () => {
    simulator.reply(answer(applyPatch('x')));
    const [sent] = outputOf(await ask(simulator.url, { ...plain, stream: true }));
    assert.equal(await send([user, sent as JsonObject, patchOutput]), undefined);
    assert.match((await send([user, readCall, { ...patchOutput, ...readAnswer }])) ?? '', /reasoning/);
  });
});

const readAnswer = { type: 'function_call_output', call_id: readCall.call_id };

function partText(item: JsonObject | undefined): string {
  const content = item?.['content'];
  const part: unknown = Array.isArray(content) ? content[0] : undefined;
  return isJsonObject(part) ? String(part['text']) : '';
}
