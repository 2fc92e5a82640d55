/** Each quirk does what it says, and nothing else changes: without quirks the stream is the documented one. */
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { checkStream } from './checker.ts';
import {
  answer,
  applyPatch,
  functionCall,
  reasoning,
  startSimulator,
  text,
  vary,
  type AnswerOptions,
  type Simulator,
} from './main.ts';
import { ask, call, jsonOf, type RawAnswer } from './rawClient.ts';
import { isJsonObject, objectOf, type JsonObject } from './wire.ts';

type Quirks = NonNullable<AnswerOptions['quirks']>;

describe('quirks', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  after(() => simulator.close());

  const script = answer(
    reasoning('Hm.'),
    text('Hello 你好'),
    applyPatch('*** "Begin"\n'),
    functionCall('lookup', { id: 1 }, 'crm'),
  );

  async function receive(quirks: Quirks, more: AnswerOptions = {}): Promise<RawAnswer> {
    simulator.reply(vary(script, { ...more, quirks }));
    return ask(simulator.url, { model: 'kimi-k3.1-pro', input: 'Hi', stream: true });
  }

  /** Reads frames of any shape. */
  function loose(stream: string): readonly JsonObject[] {
    return stream
      .replace(/^\uFEFF/, '')
      .split(/\r\n\r\n|\n\n|\r\r/)
      .flatMap((frame) => {
        const data = frame
          .split(/\r\n|\n|\r/)
          .filter((line) => line.startsWith('data: '))
          .map((line) => line.slice(6))
          .join('\n');
        return data.startsWith('{') ? [JSON.parse(data) as JsonObject] : [];
      });
  }
  async function events(quirks: Quirks): Promise<readonly JsonObject[]> {
    return loose((await receive(quirks)).text);
  }
  async function ended(quirks: Quirks): Promise<JsonObject> {
    const end = (await events(quirks)).at(-1)?.['response'];
    assert.ok(isJsonObject(end));
    return end;
  }
  function output(response: JsonObject): readonly JsonObject[] {
    return (response['output'] as unknown[]).filter(isJsonObject);
  }
  function types(list: readonly JsonObject[]): readonly unknown[] {
    return list.map(({ type }) => type);
  }

  it('are none unless asked for', async () => {
    assert.deepEqual(checkStream((await receive({})).text), []);
  });

  it('sequenceNumbers: absent', async () => {
    for (const event of await events({ sequenceNumbers: 'absent' }))
      assert.equal(event['sequence_number'], undefined);
  });

  it('eventLines: absent', async () => {
    const { text: stream } = await receive({ eventLines: 'absent' });
    assert.doesNotMatch(stream, /^event:/m);
    assert.equal(loose(stream).at(-1)?.['type'], 'response.completed');
  });

  it('lineEnds', async () => {
    const crlf = (await receive({ lineEnds: 'crlf' })).text;
    assert.equal(crlf.replaceAll('\r\n', '').includes('\n'), false);
    assert.deepEqual(checkStream(crlf.replaceAll('\r\n', '\n')), []);
    const cr = (await receive({ lineEnds: 'cr' })).text;
    assert.equal(cr.includes('\n'), false);
    assert.deepEqual(checkStream(cr.replaceAll('\r', '\n')), []);
  });

  it('byteOrderMark, once', async () => {
    const { text: stream } = await receive({ byteOrderMark: true });
    assert.equal(stream.lastIndexOf('\uFEFF'), 0);
    assert.deepEqual(checkStream(stream.slice(1)), []);
  });

  it('splitData', async () => {
    const { text: stream } = await receive({ splitData: true });
    assert.match(stream, /data: \{\ndata: {2}"type": "response\.created",\n/);
    assert.equal(loose(stream).at(-1)?.['type'], 'response.completed');
  });

  it('lastBlankLine: absent', async () => {
    assert.match((await receive({ lastBlankLine: 'absent' })).text, /[^\n]\n$/);
    assert.match((await receive({ lastBlankLine: 'absent', lineEnds: 'crlf' })).text, /[^\n]\r\n$/);
    assert.match((await receive({ lastBlankLine: 'absent', doneMarker: true })).text, /data: \[DONE\]\n$/);
  });

  it('doneMarker', async () => {
    const { text: stream } = await receive({ doneMarker: true });
    assert.match(stream, /\n\ndata: \[DONE\]\n\n$/);
  });

  it('comments', async () => {
    const { text: stream } = await receive({ comments: true });
    assert.match(stream, /^: keep-alive\n\nevent: /);
    assert.deepEqual(checkStream(stream.replaceAll(': keep-alive\n\n', '')), []);
  });

  it('gzip, readable as it comes and in any cut', async () => {
    simulator.reply(
      vary(script, { quirks: { gzip: true } }),
      vary(script, { quirks: { gzip: true }, cut: { kind: 'bytes', size: 3 } }),
    );
    for (let turn = 0; turn < 2; turn++) {
      const received = await call(simulator.url, { model: 'kimi-k3.1-pro', input: 'Hi', stream: true })
        .answer;
      assert.equal(received.headers['content-encoding'], 'gzip');
      assert.deepEqual(checkStream(gunzipSync(Buffer.concat(received.chunks)).toString()), []);
    }
  });

  it('pings', async () => {
    const list = types(await events({ pings: true }));
    assert.equal(list[list.indexOf('response.output_text.delta') + 1], 'ping');
  });

  it('obfuscation', async () => {
    for (const event of await events({ obfuscation: true })) {
      assert.equal('obfuscation' in event, String(event['type']).endsWith('.delta'));
    }
  });

  it('unknownEvent and unknownItem', async () => {
    const list = await events({ unknownEvent: true, unknownItem: true });
    assert.ok(types(list).includes('response.gateway.note'));
    const end = list.at(-1)?.['response'];
    assert.ok(isJsonObject(end));
    assert.equal(output(end)[0]?.['type'], 'gateway_note');
  });

  it('scaffold: absent', async () => {
    const list = types(await events({ scaffold: 'absent' }));
    assert.deepEqual([...new Set(list)], ['response.output_text.delta', 'response.completed']);
  });

  it('contentParts: absent', async () => {
    const list = types(await events({ contentParts: 'absent' }));
    assert.ok(!list.includes('response.content_part.added') && list.includes('response.output_text.delta'));
  });

  it('itemDone: absent', async () => {
    const list = types(await events({ itemDone: 'absent' }));
    assert.ok(!list.includes('response.output_item.done') && list.includes('response.output_item.added'));
  });

  it('inputDeltas: absent', async () => {
    const list = types(await events({ inputDeltas: 'absent' }));
    assert.ok(!list.includes('response.custom_tool_call_input.delta'));
    assert.ok(!list.includes('response.function_call_arguments.delta'));
    assert.ok(list.includes('response.custom_tool_call_input.done'));
  });

  it('usage', async () => {
    assert.equal((await ended({ usage: 'null' }))['usage'], null);
    assert.equal('usage' in (await ended({ usage: 'absent' })), false);
    const bare = (await ended({ usage: 'bare' }))['usage'];
    assert.ok(isJsonObject(bare));
    assert.deepEqual(Object.keys(bare), ['input_tokens', 'output_tokens', 'total_tokens']);
  });

  it('innerStatus: incomplete', async () => {
    const last = (await events({ innerStatus: 'incomplete' })).at(-1);
    assert.equal(last?.['type'], 'response.completed');
    assert.equal(objectOf(last?.['response'])['status'], 'incomplete');
  });

  it('finalOutput: empty', async () => {
    assert.deepEqual((await ended({ finalOutput: 'empty' }))['output'], []);
  });

  it('terminalResponse: absent', async () => {
    assert.equal('response' in ((await events({ terminalResponse: 'absent' })).at(-1) ?? {}), false);
  });

  it('summary: absent and content: null', async () => {
    const [first] = output(await ended({ summary: 'absent', content: 'null' }));
    assert.equal(first?.['type'], 'reasoning');
    assert.equal('summary' in first, false);
    assert.equal(first['content'], null);
    const added = (await events({ content: 'null' })).find(
      ({ item }) => isJsonObject(item) && item['type'] === 'message',
    );
    assert.equal(objectOf(added?.['item'])['content'], null);
  });

  it('outputIndex', async () => {
    const zero = await events({ outputIndex: 'zero' });
    assert.ok(zero.every((event) => (event['output_index'] ?? 0) === 0));
    const wrong = await events({ outputIndex: 'wrongOnAdded' });
    const added = wrong.filter(({ type }) => type === 'response.output_item.added');
    assert.deepEqual(
      added.map((event) => event['output_index']),
      [0, 0, 0, 0],
    );
    assert.equal(wrong.find(({ type }) => type === 'response.output_text.delta')?.['output_index'], 1);
  });

  for (const inputDeltas of [undefined, 'absent'] as const) {
    it(`customCalls: asFunction, ${inputDeltas === undefined ? 'with' : 'without'} deltas`, async () => {
      const quirks: Quirks = {
        customCalls: 'asFunction',
        ...(inputDeltas === undefined ? {} : { inputDeltas }),
      };
      const list = await events(quirks);
      assert.ok(!types(list).some((type) => String(type).includes('custom')));
      const item = output(objectOf(list.at(-1)?.['response']))[2];
      assert.equal(item?.['type'], 'function_call');
      assert.equal(item['arguments'], '{"input":"*** \\"Begin\\"\\n"}');
      const joined = list
        .filter(
          ({ type, output_index }) => type === 'response.function_call_arguments.delta' && output_index === 2,
        )
        .map(({ delta }) => delta)
        .join('');
      assert.equal(joined, item['arguments']);
    });
  }

  it('namespaces', async () => {
    const absent = output(await ended({ namespaces: 'absent' })).at(-1);
    assert.equal(absent?.['name'], 'lookup');
    assert.equal('namespace' in absent, false);
    const glued = output(await ended({ namespaces: 'glued' })).at(-1);
    assert.equal(glued?.['name'], 'crm__lookup');
  });

  it('phase', async () => {
    assert.equal(output(await ended({ phase: true }))[1]?.['phase'], 'final_answer');
  });

  it('ids: long, the same everywhere', async () => {
    const list = await events({ ids: 'long' });
    const id = output(objectOf(list.at(-1)?.['response']))[1]?.['id'];
    assert.equal(String(id).length, 400);
    assert.equal(list.find(({ type }) => type === 'response.output_text.delta')?.['item_id'], id);
  });

  it('reasoning: asContent', async () => {
    const list = await events({ reasoning: 'asContent' });
    assert.ok(types(list).includes('response.reasoning_text.delta'));
    assert.ok(!types(list).some((type) => String(type).includes('summary')));
    const [first] = output(objectOf(list.at(-1)?.['response']));
    assert.deepEqual(first?.['content'], [{ type: 'reasoning_text', text: 'Hm.' }]);
    assert.deepEqual(first['summary'], []);
  });

  it('doneText: differs', async () => {
    const done = (await events({ doneText: 'differs' })).find(
      ({ type }) => type === 'response.output_text.done',
    );
    assert.equal(done?.['text'], 'Hello 你好 (corrected)');
  });

  it('queued', async () => {
    assert.equal(types(await events({ queued: true }))[2], 'response.queued');
  });

  it('annotations', async () => {
    const list = await events({ annotations: true });
    const at = types(list).indexOf('response.output_text.annotation.added');
    assert.equal(list[at + 1]?.['type'], 'response.output_text.done');
    const message = output(objectOf(list.at(-1)?.['response']))[1];
    const annotations = [list[at]?.['annotation']];
    assert.deepEqual(message?.['content'], [{ type: 'output_text', text: 'Hello 你好', annotations }]);
  });

  it('refusal', async () => {
    const list = await events({ refusal: true });
    assert.ok(!types(list).some((type) => String(type).includes('output_text')));
    const done = list.find(({ type }) => type === 'response.refusal.done');
    assert.equal(done?.['refusal'], 'Hello 你好');
    const message = output(objectOf(list.at(-1)?.['response']))[1];
    assert.deepEqual(message?.['content'], [{ type: 'refusal', refusal: 'Hello 你好' }]);
  });

  it('afterEnd', async () => {
    const list = await events({ afterEnd: true });
    assert.equal(list.at(-1)?.['type'], 'response.output_text.delta');
    assert.equal(list.at(-2)?.['type'], 'response.completed');
  });

  it('body: json', async () => {
    const received = await receive({ body: 'json' });
    assert.match(received.headers['content-type'] ?? '', /json/);
    assert.equal(jsonOf(received)['status'], 'completed');
  });
});
