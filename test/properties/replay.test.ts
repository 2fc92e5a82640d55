/** Whatever has happened in a conversation, the service takes the next request, and it begins as the one before it ended. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { historyItems } from '../../src/core/conversation/history.ts';
import { requestBody } from '../../src/core/conversation/requestLog.ts';
import type { RequestBody } from '../../src/core/responses/wire.ts';
import { seed } from '../simulator/arbitraries.ts';
import { answer, startSimulator, text, type Reply, type Simulator } from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { anyChangingStep, anyStep, anyStepInOne, goodEnd, play, type Step } from './conversations.ts';

describe('property: the next request is always good', () => {
  let simulator: Simulator;
  let replies: Reply[] = [];

  before(async () => {
    console.log(`      seed ${seed}`);
    simulator = await startSimulator({ mind: () => replies.shift() ?? answer(text('Nothing more.')) });
  });
  after(async () => {
    await simulator.allSocketsClosed();
    await simulator.close();
  });

  const queue = (next: readonly Reply[]): void => {
    replies = [...next];
  };

  it('after any turns, calls, stops, failures, resumed turns, cuts, deleted turns, branches and changes of model and limits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyChangingStep, { minLength: 1, maxLength: 6 }), async (steps) => {
        const before = simulator.requests.length;
        const { conversation } = await play(clientFor(simulator.url), queue, [...steps, goodEnd]);
        const violations = simulator.requests.slice(before).flatMap(({ violation }) => violation ?? []);
        assert.deepEqual(violations, []);
        assert.deepEqual(conversation.turns.at(-1)?.end, { kind: 'completed' });
        for (const turn of conversation.turns) {
          assert.ok(turn.end !== undefined);
          for (const part of turn.parts) {
            assert.ok(part.closedAt !== undefined);
            if (part.kind === 'tool') assert.ok(part.outcome !== undefined);
          }
        }
      }),
      { seed, numRuns: 80 },
    );
  }).timeout(60_000);

  it('is on record exactly as it arrived, and is told of from its sending to its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStepInOne, { minLength: 1, maxLength: 6 }), async (steps) => {
        const before = simulator.requests.length;
        const { conversation, requests, events } = await play(clientFor(simulator.url), queue, steps);
        const logged = requests.requests.map((_, index) => JSON.stringify(requestBody(requests, index)));
        const records = conversation.turns.flatMap((turn) => turn.requests);
        assert.equal(logged.length, records.length);
        let at = 0;
        for (const { bodyText } of simulator.requests.slice(before)) {
          // One that is sent again is on record once; one that was stopped may never have arrived.
          while (logged[at] !== bodyText && at < logged.length) at += 1;
          assert.ok(at < logged.length, 'a request arrived that is not on record');
        }
        assert.ok(records.every(({ endedAt, usage }) => endedAt !== undefined && usage !== undefined));
        let open = false;
        for (const { kind } of events) {
          if (kind === 'requestSent' || kind === 'requestEnded') {
            assert.equal(open, kind === 'requestEnded');
            open = !open;
          }
        }
        assert.equal(open, false);
      }),
      { seed, numRuns: 60 },
    );
  }).timeout(60_000);

  it('says truly whether and where it begins otherwise than the one before it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyChangingStep, { minLength: 2, maxLength: 6 }), async (steps) => {
        const { conversation, requests } = await play(clientFor(simulator.url), queue, steps);
        const records = conversation.turns.flatMap((turn) => turn.requests);
        const bodies = requests.requests.map((_, index) => requestBody(requests, index) as RequestBody);
        for (const [index, { beginning }] of records.entries()) {
          const [body, before] = [bodies[index], bodies[index - 1]];
          assert.ok(body !== undefined);
          if (before === undefined) {
            assert.deepEqual(beginning, { kind: 'first' });
            continue;
          }
          const changed = changedField(before, body);
          const items = commonItems(before, body);
          if (changed === undefined && items === before.input.length) {
            assert.deepEqual(beginning, { kind: 'grown' });
          } else {
            const same = changed === undefined ? items : 0;
            assert.deepEqual(beginning, {
              kind: 'changed',
              by: changed ?? 'input',
              same,
              of: before.input.length,
            });
          }
        }
      }),
      { seed, numRuns: 60 },
    );
  }).timeout(60_000);

  it('and only grows, as long as nothing broke and the model stays', async () => {
    const steady = anyStep.map((step): Step => ({
      ...step,
      resume: false,
      model: 'kimi-k3',
      stopAfter: undefined,
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(steady, { minLength: 2, maxLength: 4 }), async (steps) => {
        const before = simulator.requests.length;
        const { history } = await play(clientFor(simulator.url), queue, [
          ...steps,
          { ...goodEnd, model: 'kimi-k3' },
        ]);
        const inputs = simulator.requests
          .slice(before)
          .map(({ body }) => JSON.stringify(body['input']).slice(0, -1));
        for (const [index, input] of inputs.slice(1).entries())
          assert.ok(input.startsWith(inputs[index] ?? ''));
        assert.ok(JSON.stringify(historyItems(history, 'kimi-k3')).startsWith(inputs.at(-1) ?? ''));
      }),
      { seed, numRuns: 40 },
    );
  }).timeout(60_000);
});

/** The first field in front of the input that the model reads and that differs. */
function changedField(before: RequestBody, after: RequestBody): string | undefined {
  const fields = [
    ['model', 'model'],
    ['instructions', 'instructions'],
    ['reasoning', 'effort'],
    ['tools', 'tools'],
  ] as const;
  return fields.find(([field]) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))?.[1];
}

/** How many items of the input are the same from the start. */
function commonItems(before: RequestBody, after: RequestBody): number {
  const differs = before.input.findIndex(
    (item, at) => JSON.stringify(item) !== JSON.stringify(after.input[at]),
  );
  return differs === -1 ? before.input.length : differs;
}
