/** Whatever the script, the stream keeps to the documentation; whatever the cut, the bytes are the same. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyAnswer, anyCut, seed } from './arbitraries.ts';
import { checkStream } from './checker.ts';
import { Cutter } from './cutter.ts';
import {
  answer,
  applyPatch,
  errorEvent,
  event,
  failed,
  functionCall,
  gate,
  incomplete,
  parallel,
  reasoning,
  startSimulator,
  text,
  vary,
  webSearch,
  type Simulator,
} from './main.ts';
import { ask, call, eventsOf } from './rawClient.ts';
import { documentedEvents } from './wire.ts';

describe('the simulated stream', () => {
  let simulator: Simulator;
  const body = { model: 'kimi-k3.1-pro', input: 'Hello', stream: true };

  before(async () => {
    console.log(`      seed ${seed}`);
    // A fixed clock, so that two runs of one script differ in their ids only.
    simulator = await startSimulator({ now: () => 1_790_000_000_000 });
  });
  after(() => simulator.close());

  it('keeps to the documentation for any script', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyCut, async (script, cut) => {
        simulator.reply(vary(script, { cut }));
        const { text: stream } = await ask(simulator.url, body);
        assert.deepEqual(checkStream(stream), []);
      }),
      { seed, numRuns: 150 },
    );
  });

  it('keeps to the documentation when the budget ends anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, fc.integer({ min: 1, max: 60 }), async (script, budget) => {
        simulator.reply(script);
        const received = await ask(simulator.url, { ...body, max_output_tokens: budget });
        assert.deepEqual(checkStream(received.text), []);
        const end = eventsOf(received).at(-1);
        const usage = (end?.['response'] as { usage?: { output_tokens: number } } | undefined)?.usage;
        // Names of calls cost too, and are not cut.
        if (end?.type === 'response.incomplete') assert.ok((usage?.output_tokens ?? 0) <= budget + 20);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('sends the same bytes however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyCut, async (script, cut) => {
        simulator.reply(script, vary(script, { cut }));
        const whole = await ask(simulator.url, body);
        const pieces = await ask(simulator.url, body);
        assert.equal(withoutIds(pieces.text), withoutIds(whole.text));
      }),
      { seed, numRuns: 60 },
    );
  });

  it('cuts bytes as told and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 8 }), anyCut, (frames, cut) => {
        const cutter = new Cutter(cut);
        const buffers = frames.map((frame) => Buffer.from(frame));
        const writes = [...buffers.flatMap((frame) => cutter.take(frame)), ...cutter.rest()];
        assert.deepEqual(Buffer.concat(writes), Buffer.concat(buffers));
        if (cut.kind === 'bytes') {
          for (const write of writes.slice(0, -1))
            assert.equal(write.length, Math.min(cut.size, write.length));
          for (const write of writes) assert.ok(write.length <= cut.size);
        }
        if (cut.kind === 'random') for (const write of writes) assert.ok(write.length <= cut.max);
      }),
      { seed },
    );
  });

  it('reaches the client in single bytes, inside characters and line ends', async () => {
    simulator.reply(
      vary(answer(reasoning('想'), text('你好 😀')), {
        cut: { kind: 'bytes', size: 1 },
        quirks: { lineEnds: 'crlf' },
      }),
    );
    const { chunks, text: stream } = await ask(simulator.url, body);
    assert.ok(chunks.every((chunk) => chunk.length === 1));
    assert.match(stream, /你好 😀/);
    assert.match(stream, /\r\n\r\n/);
  });

  it('uses all 23 documented events', async () => {
    const seen = new Set<string>();
    const scripts = [
      answer(
        webSearch('tax rates', [{ url: 'https://example.test/tax', title: 'Tax' }]),
        reasoning('Thinking.'),
        text('Answer.'),
        functionCall('read_file', { path: 'a' }),
        applyPatch('*** Begin Patch\n*** End Patch'),
      ),
      answer(text('Half'), incomplete()),
      answer(failed('No')),
      answer(errorEvent('flat', 'No')),
    ];
    for (const script of scripts) {
      simulator.reply(script);
      for (const { type } of eventsOf(await ask(simulator.url, body))) seen.add(type);
    }
    assert.equal(documentedEvents.length, 23);
    assert.deepEqual([...seen].toSorted(), [...documentedEvents].toSorted());
  });

  it('stops at a gate and has sent everything before it', async () => {
    simulator.reply(answer(reasoning('Hm.'), text('Hel', gate('half'), 'lo')));
    const asked = call(simulator.url, body);
    const message = await asked.begun;
    let received = '';
    message.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await simulator.reached('half');
    const request = simulator.requests.at(-1);
    const last = request?.events.at(-1);
    assert.equal(last?.type, 'response.output_text.delta');
    assert.equal(last?.['delta'], 'Hel');
    while (!received.includes('"delta":"Hel"')) await new Promise((resolve) => message.once('data', resolve));
    assert.ok(!received.includes('"delta":"lo"'));
    simulator.open('half');
    const { text: stream } = await asked.answer;
    assert.deepEqual(checkStream(stream), []);
    assert.equal(await request?.closed, 'answered');
  });

  it('mixes the events of parallel calls and keeps their inputs apart', async () => {
    simulator.reply(
      vary(
        answer(
          parallel(functionCall('first', '{"a":"one two three"}'), functionCall('second', '{"b":"four"}')),
        ),
        {
          deltas: 1,
        },
      ),
    );
    const events = eventsOf(await ask(simulator.url, body));
    const order = events.filter(({ type }) => type.endsWith('.delta')).map((each) => each['output_index']);
    assert.deepEqual(order.slice(0, 4), [0, 1, 0, 1]);
    const done = events
      .filter(({ type }) => type === 'response.output_item.done')
      .map((each) => each['item']);
    assert.deepEqual(
      done.map((item) => (item as { call_id: string }).call_id),
      ['first:0', 'second:1'],
    );
  });

  it('repeats call ids from response to response, and no other id', async () => {
    const ids: string[][] = [];
    for (let turn = 0; turn < 2; turn++) {
      simulator.reply(answer(reasoning(), applyPatch('x')));
      const end = eventsOf(await ask(simulator.url, body)).at(-1);
      const response = end?.['response'] as { id: string; output: { id: string; call_id?: string }[] };
      assert.equal(response.output[1]?.call_id, 'apply_patch:0');
      ids.push([response.id, ...response.output.map(({ id }) => id)]);
      assert.match(response.id, /^resp_[0-9a-f]{24}$/);
      assert.match(response.output[0]?.id ?? '', /^rs_[0-9a-f]{24}$/);
      assert.match(response.output[1]?.id ?? '', /^ctc_[0-9a-f]{24}$/);
    }
    assert.equal(new Set(ids.flat()).size, 6);
  });

  it('puts events of the script into the numbering', async () => {
    simulator.reply(answer(event({ type: 'ping' }), text('Hi')));
    const events = eventsOf(await ask(simulator.url, body));
    assert.deepEqual(
      events.map((each) => each['sequence_number']),
      events.map((_, index) => index),
    );
    assert.equal(events[2]?.type, 'ping');
  });
});

/** Ids are counted on from answer to answer; everything else has to be equal. */
function withoutIds(stream: string): string {
  return stream
    .replaceAll(/"(resp|rs|msg|fc|ctc|ws)_[0-9a-f]{24}"/g, '"$1"')
    .replaceAll(/"encrypted_content":"[^"]*"/g, '"encrypted_content":"sealed"');
}
