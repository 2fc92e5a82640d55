/** Many turns with faults of all kinds over real sockets, by a seed, and the count of what they leave behind. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { historyItems } from '../../src/core/conversation/history.ts';
import { requestBody } from '../../src/core/conversation/requestLog.ts';
import { anyStep, goodEnd, play, type Step } from '../properties/conversations.ts';
import {
  answer,
  literalStream,
  mute,
  reasoning,
  refuse,
  refuseWith,
  resetSocket,
  silence,
  startSimulator,
  text,
  type Reply,
} from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { Ledger } from './faultStage.ts';

/** Beside those of the property: what gateways do, and silence. */
const fault = fc.constantFrom<Reply>(
  mute,
  answer(reasoning(['part', silence])),
  answer(reasoning('R'), text('part', silence)),
  refuse(503, { message: 'm' }),
  refuse(429, { message: 'm', type: 'exceeded_current_quota_error' }),
  refuseWith(502, 'text/html', '<html><title>Bad gateway</title>'),
  literalStream(['<!doctype html>']),
  literalStream(['data: {"type":"response.output_text.delta","delta":"half']),
  literalStream([Buffer.from([0xff, 0x00, 0xfe, 0x0a, 0x0a]), resetSocket]),
);

const anySoakStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: anyStep },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyStep, fault)
      .map(([step, first]) => ({ ...step, replies: [first, ...step.replies] })),
  },
);

/** Attempts of one conversation, the good turn at its end included. */
const conversationLength = 20;

export interface Soaked {
  readonly requests: number;
  /** How many turns ended how. */
  readonly ends: ReadonlyMap<string, number>;
}

/**
 * Each conversation ends well, with every request on record once, and with no socket, timer or listener left.
 * `afterEach` is called between conversations, when nothing but counts is kept of the ones before.
 */
export async function soak(
  attempts: number,
  seed: number,
  afterEach: (attemptsSoFar: number) => void = () => undefined,
): Promise<Soaked> {
  const steps = fc.sample(anySoakStep, { numRuns: attempts, seed });
  const ends = new Map<string, number>();
  let requests = 0;
  for (let at = 0; at < attempts; at += conversationLength) {
    const batch = steps.slice(at, at + Math.min(conversationLength, attempts - at) - 1);
    requests += await converse([...batch, goodEnd], ends);
    afterEach(Math.min(attempts, at + conversationLength));
  }
  return { requests, ends };
}

async function converse(steps: readonly Step[], ends: Map<string, number>): Promise<number> {
  const ledger = await Ledger.open();
  let replies: Reply[] = [];
  let patience = 0;
  const simulator = await startSimulator({ mind: () => replies.shift() ?? answer(text('Nothing more.')) });
  const client = clientFor(simulator.url, { silenceSeconds: () => patience });
  const queue = (next: readonly Reply[]): void => {
    replies = [...next];
    // Where a slow machine is taken for a silent one, that is one more fault; the end must be good.
    patience = next === goodEnd.replies ? 60 : 0.05;
  };
  const played = await play(client, queue, steps, (signal) => void ledger.watch(signal));
  const { conversation, history, requests } = played;

  assert.deepEqual(simulator.violations, []);
  assert.deepEqual(conversation.turns.at(-1)?.end, { kind: 'completed' });
  // The record grows by one entry a request, whatever became of it, and the history is what the last one sent and was answered.
  const records = conversation.turns.flatMap((turn) => turn.requests);
  assert.equal(requests.requests.length, records.length);
  const last = simulator.requests.at(-1);
  assert.equal(JSON.stringify(requestBody(requests, records.length - 1)), last?.bodyText);
  const input = last?.body['input'];
  assert.ok(Array.isArray(input));
  assert.equal(historyItems(history, goodEnd.model).length, input.length + 1);
  for (const { end } of conversation.turns) {
    const kind = end?.kind === 'failed' ? end.failure.kind : (end?.kind ?? 'none');
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
  }

  await simulator.allSocketsClosed();
  await simulator.close();
  await ledger.allGivenBack();
  return simulator.requests.length;
}
