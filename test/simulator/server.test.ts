/** The simulator as a server: paths, keys, JSON, faults, what it tells a test. */
import assert from 'node:assert/strict';
import {
  answer,
  completed,
  cutSocket,
  dropConnection,
  endEarly,
  errorEvent,
  failed,
  gate,
  incomplete,
  literalStream,
  mute,
  rawFrame,
  reasoning,
  refuse,
  refuseWith,
  resetConnection,
  resetSocket,
  silence,
  startSimulator,
  text,
  vary,
  type Simulator,
} from './main.ts';
import { checkStream } from './checker.ts';
import { ask, call, eventsOf, jsonOf, responseOf } from './rawClient.ts';
import type { JsonObject } from './wire.ts';

const plain = { model: 'kimi-k3.1-pro', input: 'Hello' };
const streaming = { ...plain, stream: true };
const hello = answer(reasoning('Hm.'), text('Hello'));

function errorOf(body: JsonObject): JsonObject {
  return body['error'] as JsonObject;
}

describe('the simulator’s door', () => {
  let simulator: Simulator;
  afterEach(() => simulator.close());

  it('lets nobody in without the key where one is required', async () => {
    simulator = await startSimulator({ key: 'sk-right', script: [hello] });
    const missing = await ask(simulator.url, plain, { headers: { authorization: undefined } });
    assert.equal(missing.status, 401);
    assert.deepEqual(errorOf(jsonOf(missing)), {
      message: 'Authorization: header is missing',
      type: 'invalid_authentication_error',
      code: 'invalid_authentication',
    });
    const wrong = await ask(simulator.url, plain, { headers: { authorization: 'Bearer sk-wrong' } });
    assert.equal(wrong.status, 401);
    assert.equal(errorOf(jsonOf(wrong))['type'], 'incorrect_api_key_error');
    const right = await ask(simulator.url, plain, { headers: { authorization: 'Bearer sk-right' } });
    assert.equal(right.status, 200);
  });

  it('asks for its own key when nothing is said about keys', async () => {
    simulator = await startSimulator({ script: [hello] });
    const missing = await ask(simulator.url, plain, { headers: { authorization: undefined } });
    assert.equal(missing.status, 401);
    const right = { authorization: `Bearer ${simulator.key}` };
    assert.equal((await ask(simulator.url, plain, { headers: right })).status, 200);
  });

  it('takes any key or none where it is optional, but no other scheme', async () => {
    simulator = await startSimulator({ auth: 'optional', script: [hello, hello] });
    const none = await ask(simulator.url, plain, { headers: { authorization: undefined } });
    assert.equal(none.status, 200);
    assert.equal((await ask(simulator.url, plain, { headers: { authorization: 'Bearer x' } })).status, 200);
    assert.equal((await ask(simulator.url, plain, { headers: { authorization: 'Basic eA==' } })).status, 401);
  });

  it('knows one path and one method', async () => {
    simulator = await startSimulator();
    assert.equal((await ask(simulator.url, plain, { path: '/v1/chat/completions' })).status, 404);
    const wrong = await ask(simulator.url, '', { method: 'GET' });
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.allow, 'POST');
    assert.equal(typeof errorOf(jsonOf(wrong))['message'], 'string');
  });

  it('refuses what is not a JSON object', async () => {
    simulator = await startSimulator();
    const bodies: readonly (readonly [string, string])[] = [
      ['{', 'The body is not valid JSON'],
      ['[]', 'The body must be a JSON object'],
      ['', 'The body is not valid JSON'],
    ];
    for (const [body, message] of bodies) {
      const refused = await ask(simulator.url, body);
      assert.equal(refused.status, 400);
      assert.equal(errorOf(jsonOf(refused))['message'], message);
    }
    const typed = await ask(simulator.url, plain, { headers: { 'content-type': 'text/plain' } });
    assert.equal(errorOf(jsonOf(typed))['message'], 'Content-Type: must be application/json');
  });

  it('listens on loopback only, at the port it was given', async () => {
    simulator = await startSimulator();
    const { port, hostname } = new URL(simulator.url);
    assert.equal(hostname, '127.0.0.1');
    await assert.rejects(startSimulator({ port: Number(port) }), { code: 'EADDRINUSE' });
  });

  it('serves other clients in the lenient mode', async () => {
    simulator = await startSimulator({ mode: 'lenient', script: [hello] });
    const foreign = {
      model: 'some-other-model',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'local_shell' }],
      input: [
        { role: 'system', content: 'Be brief' },
        { type: 'reasoning', id: 'rs_x', summary: [], content: null, encrypted_content: null },
        { role: 'user', content: 'Hi' },
      ],
    };
    const received = await ask(simulator.url, foreign);
    assert.equal(received.status, 200);
    assert.deepEqual(checkStream(received.text), []);
    assert.equal(responseOf(received)['model'], 'some-other-model');
  });
});

describe('the simulator’s answers', () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  it('come as one JSON body when no stream is asked for', async () => {
    simulator.reply(hello);
    const received = await ask(simulator.url, { ...plain, instructions: 'Be brief', max_output_tokens: 100 });
    assert.match(received.headers['content-type'] ?? '', /^application\/json/);
    const response = jsonOf(received);
    assert.equal(response['status'], 'completed');
    assert.equal(response['instructions'], 'Be brief');
    assert.equal(response['max_output_tokens'], 100);
    assert.equal(response['store'], false);
    assert.deepEqual(
      (response['output'] as JsonObject[]).map(({ type }) => type),
      ['reasoning', 'message'],
    );
  });

  it('end as told, with and without a stream', async () => {
    const endings = [
      [incomplete('content_filter'), 'response.incomplete', 200],
      [failed('Too long', 'context_length_exceeded'), 'response.failed', 200],
      [errorEvent('flat', 'Overloaded'), 'error', 500],
      [errorEvent('nested', 'Overloaded'), 'error', 500],
      [completed, 'response.completed', 200],
    ] as const;
    for (const [ending, type, status] of endings) {
      simulator.reply(answer(text('Half'), ending), answer(text('Half'), ending));
      assert.equal(eventsOf(await ask(simulator.url, streaming)).at(-1)?.type, type);
      const body = await ask(simulator.url, plain);
      assert.equal(body.status, status);
      if (type !== 'error') assert.equal(`response.${String(jsonOf(body)['status'])}`, type);
      else assert.equal(errorOf(jsonOf(body))['message'], 'Overloaded');
    }
  });

  it('carry the error event flat or nested', async () => {
    simulator.reply(answer(errorEvent('flat', 'No', 'c')), answer(errorEvent('nested', 'No', 'c')));
    const flat = eventsOf(await ask(simulator.url, streaming)).at(-1);
    assert.equal(flat?.['message'], 'No');
    assert.equal(flat?.['code'], 'c');
    const nested = eventsOf(await ask(simulator.url, streaming)).at(-1);
    assert.deepEqual(nested?.['error'], { type: 'server_error', code: 'c', message: 'No', param: null });
  });

  it('may be HTTP errors with any body and headers', async () => {
    simulator.reply(
      refuse(
        429,
        { message: 'Slow down', type: 'rate_limit_reached_error', code: 'rpm' },
        { 'retry-after': '7' },
      ),
      refuseWith(504, 'text/html', '<html>Gateway Time-out</html>'),
      refuseWith(502, 'text/plain', ''),
    );
    const limited = await ask(simulator.url, streaming);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers['retry-after'], '7');
    assert.equal(errorOf(jsonOf(limited))['type'], 'rate_limit_reached_error');
    assert.equal((await ask(simulator.url, streaming)).text, '<html>Gateway Time-out</html>');
    assert.equal((await ask(simulator.url, streaming)).text, '');
  });

  it('may end early as if complete, without a terminal event', async () => {
    simulator.reply(answer(text('Half', endEarly, ' lost')));
    const received = await ask(simulator.url, streaming);
    assert.equal(received.broken, undefined);
    assert.equal(eventsOf(received).at(-1)?.type, 'response.output_text.delta');
    assert.equal(await simulator.requests[0]?.closed, 'broken');
  });

  it('may cut the socket in the middle, by end or reset, and behind the end', async () => {
    simulator.reply(
      answer(text('Half', cutSocket)),
      answer(text('Half', resetSocket)),
      answer(text('Whole'), completed, resetSocket),
    );
    assert.equal((await ask(simulator.url, streaming)).broken, 'ECONNRESET');
    assert.equal((await ask(simulator.url, streaming)).broken, 'ECONNRESET');
    const whole = await ask(simulator.url, streaming);
    assert.match(whole.text, /response\.completed/);
    assert.equal(simulator.requests.at(-1)?.abortedByClient, false);
  });

  it('may be no answer at all', async () => {
    simulator.reply(dropConnection, resetConnection);
    await assert.rejects(ask(simulator.url, streaming), { code: 'ECONNRESET' });
    await assert.rejects(ask(simulator.url, streaming), { code: 'ECONNRESET' });
  });

  it('may fall silent, before the headers or behind some text', async () => {
    simulator.reply(mute, answer(text('Half', gate('then'), silence)));
    const first = call(simulator.url, streaming);
    const quiet = await simulator.nextRequest();
    first.leave();
    assert.equal(await quiet.closed, 'clientLeft');
    const second = call(simulator.url, streaming);
    await second.begun;
    await simulator.reached('then');
    simulator.open('then');
    second.leave();
    assert.equal(await (await simulator.nextRequest()).closed, 'clientLeft');
    assert.equal(simulator.requests[1]?.abortedByClient, true);
  });

  it('may hold data that is malformed', async () => {
    simulator.reply(answer(rawFrame('data: {"type":\n\n'), rawFrame(': comment\n\n'), text('Hi')));
    const { text: stream } = await ask(simulator.url, streaming);
    assert.match(stream, /\n\ndata: \{"type":\n\n: comment\n\nevent: /);
  });

  it('may be any bytes', async () => {
    simulator.reply(
      literalStream(['data: {"type":"ping"}\n\n', gate('x'), Buffer.from('\uFEFFdata: [DONE]'), endEarly]),
      literalStream([]),
    );
    const asked = call(simulator.url, streaming);
    await simulator.reached('x');
    simulator.open('x');
    assert.equal((await asked.answer).text, 'data: {"type":"ping"}\n\n\uFEFFdata: [DONE]');
    assert.equal((await ask(simulator.url, streaming)).text, '');
  });

  it('come from a function of the request when the script has one', async () => {
    simulator.reply(({ body }) => answer(text(`You said ${String(body['input'])}`)));
    assert.match((await ask(simulator.url, streaming)).text, /You said/);
  });

  it('say so when the script has none left', async () => {
    const refused = await ask(simulator.url, streaming);
    assert.equal(refused.status, 500);
    assert.match(String(errorOf(jsonOf(refused))['message']), /no reply left/);
  });

  it('are paced when told', async () => {
    simulator.reply(
      vary(answer(text('one two three four')), { pace: { tokensPerSecond: 1000, thinkFor: 1 } }),
    );
    const received = await ask(simulator.url, streaming);
    assert.deepEqual(checkStream(received.text), []);
  });
});

describe('what the simulator tells a test', () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  it('keeps each request with its headers and bytes', async () => {
    simulator.reply(hello);
    const coming = simulator.nextRequest();
    const body = '{ "model": "kimi-k3.1-pro",  "input": "你好" }';
    await ask(simulator.url, body, { headers: { 'x-test': 'yes' } });
    const request = await coming;
    assert.equal(request.bodyText, body);
    assert.equal(request.body['input'], '你好');
    assert.equal(request.headers['x-test'], 'yes');
    assert.equal(request.path, '/v1/responses');
    assert.equal(request.status, 200);
    assert.equal(await request.closed, 'answered');
    assert.equal(await simulator.request(0), request);
  });

  it('gives requests in order, each once', async () => {
    const both = [simulator.nextRequest(), simulator.nextRequest()];
    await ask(simulator.url, { ...plain, input: 'first', store: true });
    await ask(simulator.url, { ...plain, input: 'second', store: true });
    assert.deepEqual(
      (await Promise.all(both)).map(({ body, violation }) => [body['input'], violation?.rule]),
      [
        ['first', 'fieldsKnown'],
        ['second', 'fieldsKnown'],
      ],
    );
  });

  it('opens a gate for one answer at a time, before or after it comes', async () => {
    simulator.reply(answer(text(gate('g'), 'one')), answer(text(gate('g'), 'two')));
    simulator.open('g');
    assert.match((await ask(simulator.url, streaming)).text, /one/);
    const second = call(simulator.url, streaming);
    await simulator.reached('g', 2);
    assert.equal(simulator.requests[1]?.events.at(-1)?.type, 'response.content_part.added');
    simulator.open('g');
    assert.match((await second.answer).text, /two/);
  });

  it('notices a client that leaves at a gate', async () => {
    simulator.reply(answer(text('Half', gate('g'), 'whole')));
    const asked = call(simulator.url, streaming);
    await simulator.reached('g');
    asked.leave();
    const request = await simulator.request(0);
    assert.equal(await request.closed, 'clientLeft');
    await simulator.allSocketsClosed();
    assert.equal(simulator.openSockets, 0);
  });

  it('counts sockets and ends them all when it closes', async () => {
    simulator.reply(answer(text('Half', gate('never'))));
    const asked = call(simulator.url, streaming);
    await simulator.reached('never');
    assert.equal(simulator.openSockets, 1);
    await simulator.close();
    assert.equal((await asked.answer).broken, 'ECONNRESET');
    assert.equal(simulator.openSockets, 0);
    assert.equal(await simulator.requests[0]?.closed, 'broken');
  });

  it('ends connections kept alive when told', async () => {
    simulator.reply(hello);
    const { Agent } = await import('node:http');
    const agent = new Agent({ keepAlive: true });
    const { request } = await import('node:http');
    const ended = new Promise<void>((resolve, reject) => {
      const sending = request(`${simulator.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        agent,
      });
      sending.once('error', reject);
      sending.once('response', (message) => message.resume().once('end', resolve));
      sending.end(JSON.stringify(plain));
    });
    await ended;
    assert.equal(simulator.openSockets, 1);
    simulator.closeIdleSockets();
    await simulator.allSocketsClosed();
    agent.destroy();
  });
});
