/** What was sent can be had again, byte for byte, and beginnings are compared. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import {
  beginningOf,
  emptyRequestLog,
  lostRequest,
  reduceRequests,
  requestBody,
  requestsOfTurns,
  type RequestLog,
} from '../../../src/core/conversation/requestLog.ts';
import type { HistoryItem, RequestBody } from '../../../src/core/responses/wire.ts';
import { userMessage } from '../../support/turns.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

function body(texts: readonly string[], more: Partial<RequestBody> = {}): RequestBody {
  return {
    model: 'kimi-k3.1-pro',
    stream: true,
    instructions: 'i',
    reasoning: { effort: 'max' },
    ...more,
    input: texts.map(userMessage),
  };
}

function logOf(...bodies: readonly RequestBody[]): RequestLog {
  return bodies.reduce<RequestLog>(
    (log, each) => reduceRequests(log, { kind: 'requestMade', turn: 't', body: each }),
    emptyRequestLog(),
  );
}

describe('conversation/requestLog', () => {
  it('gives back every request exactly, however much of the one before it kept', () => {
    console.log(`      seed ${seed}`);
    const lists = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(lists, (inputs) => {
        const bodies = inputs.map((texts) => body(texts));
        const log = logOf(...bodies);
        for (const [index, each] of bodies.entries()) {
          assert.equal(JSON.stringify(requestBody(log, index)), JSON.stringify(each));
        }
        assert.equal(requestBody(log, bodies.length), undefined);
      }),
      { seed },
    );
  });

  it('keeps an item once, though every later request repeats it', () => {
    const all = Array.from({ length: 200 }, (_, n) => `${n}`);
    const log = logOf(...all.map((_, n) => body(all.slice(0, n + 1))));
    assert.equal(
      log.requests.reduce((sum, { added }) => sum + added.length, 0),
      200,
    );
  });

  it('keeps where a request went', () => {
    const log = reduceRequests(emptyRequestLog(), {
      kind: 'requestMade',
      turn: 't',
      body: body([]),
      origin: 'https://one.test',
    });
    assert.equal(log.requests[0]?.origin, 'https://one.test');
  });

  it('is not touched by events that send nothing', () => {
    const log = logOf(body(['a']));
    assert.equal(reduceRequests(log, { kind: 'partClosed', turn: 't', part: '0.0', at: 1 }), log);
  });

  it('tells a first request, and one that only grew', () => {
    assert.deepEqual(beginningOf(emptyRequestLog(), body(['a'])), { kind: 'first' });
    const log = logOf(body(['a']));
    assert.deepEqual(beginningOf(log, body(['a'])), { kind: 'grown' });
    assert.deepEqual(beginningOf(log, body(['a', 'b'])), { kind: 'grown' });
  });

  it('names the first thing that differs', () => {
    const log = logOf(body(['a', 'b']));
    const tools: RequestBody['tools'] = [
      { type: 'function', name: 'f', description: '', parameters: {}, strict: true },
    ];
    const changed = (more: Partial<RequestBody>, texts = ['a', 'b', 'c']): unknown =>
      beginningOf(log, body(texts, more));
    const by = (what: string, same = 0): object => ({ kind: 'changed', by: what, same, of: 2 });
    assert.deepEqual(changed({ model: 'kimi-k3' }), by('model'));
    assert.deepEqual(changed({ instructions: 'j' }), by('instructions'));
    assert.deepEqual(changed({ reasoning: { effort: 'low' } }), by('effort'));
    assert.deepEqual(changed({ tools }), by('tools'));
    assert.deepEqual(changed({}, ['a', 'x', 'c']), by('input', 1));
    assert.deepEqual(changed({}, ['a']), by('input', 1));
    assert.deepEqual(changed({ max_output_tokens: 5 }), { kind: 'grown' });
  });

  it('compares what is sent, whoever made it', () => {
    const item: HistoryItem = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] };
    const log = logOf({ ...body([]), input: [item] });
    assert.deepEqual(beginningOf(log, { ...body([]), input: [structuredClone(item)] }), { kind: 'grown' });
  });

  it('keeps the number of a request that is not known, and goes on behind it', () => {
    const lost: RequestLog = { requests: [lostRequest('t', 'kimi-k3')], last: [] };
    assert.equal(requestBody(lost, 0), undefined);
    assert.deepEqual(beginningOf(lost, body(['a'])), { kind: 'first' });
    const log = reduceRequests(lost, { kind: 'requestMade', turn: 'u', body: body(['a', 'b']) });
    assert.deepEqual(requestBody(log, 1), body(['a', 'b']));
    assert.deepEqual(beginningOf(log, body(['a', 'b', 'c'])), { kind: 'grown' });
    assert.equal(requestBody(log, 0), undefined);
  });

  it('of the first turns ends where the next one was asked', () => {
    const made: readonly (readonly [string, RequestBody])[] = [
      ['t', body(['a'])],
      ['t', body(['a', 'b'])],
      ['u', body(['a', 'c', 'd'])],
    ];
    const log = made.reduce<RequestLog>(
      (before, [turn, each]) => reduceRequests(before, { kind: 'requestMade', turn, body: each }),
      emptyRequestLog(),
    );
    const first = requestsOfTurns(log, new Set(['t']));
    assert.deepEqual(first, { requests: log.requests.slice(0, 2), last: made[1]?.[1].input });
    assert.equal(requestsOfTurns(log, new Set(['t', 'u', 'v'])), log);
    assert.deepEqual(requestsOfTurns(log, new Set()), emptyRequestLog());
  });
});
