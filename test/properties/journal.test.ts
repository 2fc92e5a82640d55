/** A conversation is what its journal tells, wherever that was cut off. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { isShown, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { EventKeeper } from '../../src/core/journal/keepEvents.ts';
import { encodeRecord, type JournalRecord } from '../../src/core/journal/record.ts';
import { JournalReader, readJournal } from '../../src/core/journal/readJournal.ts';
import { beginState, foldRecord, type JournalState } from '../../src/core/journal/state.ts';
import { seed } from '../simulator/arbitraries.ts';
import { answer, startSimulator, text, type Reply, type Simulator } from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { anyStepInOne, play } from './conversations.ts';

const start: JournalRecord = { kind: 'conversation', id: 'c', at: 1 };

/** The events in batches, as they are written every now and then. */
function written(events: readonly TurnEvent[], sizes: readonly number[]): readonly string[] {
  const keeper = new EventKeeper();
  const lines = [encodeRecord(start)];
  for (let at = 0, batch = 0; at < events.length; batch++) {
    const size = sizes[batch % sizes.length] ?? 1;
    lines.push(...keeper.records(events.slice(at, at + size)).map(encodeRecord));
    at += size;
  }
  return lines;
}

describe('property: a journal', () => {
  let simulator: Simulator;
  let replies: Reply[] = [];
  let played: readonly Awaited<ReturnType<typeof play>>[] = [];

  before(async function () {
    this.timeout(60_000);
    console.log(`      seed ${seed}`);
    simulator = await startSimulator({ mind: () => replies.shift() ?? answer(text('Nothing more.')) });
    const all = [];
    for (const steps of fc.sample(fc.array(anyStepInOne, { minLength: 1, maxLength: 4 }), {
      seed,
      numRuns: 25,
    })) {
      const client = clientFor(simulator.url);
      all.push(
        await play(
          client,
          (next) => {
            replies = [...next];
          },
          steps,
        ),
      );
    }
    played = all;
  });
  after(async () => {
    await simulator.close();
  });

  it('tells the conversation, what the model knows of it, and every request exactly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...played),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        ({ events, conversation, history, requests }, sizes) => {
          const read = readJournal(`${written(events, sizes).join('\n')}\n`);
          const { state } = read;
          assert.ok(state !== undefined);
          assert.deepEqual(
            [read.damaged, read.isNewer, read.isTorn, state.inexact],
            [0, false, false, undefined],
          );
          assert.deepEqual(state.conversation, { ...JSON.parse(JSON.stringify(conversation)), id: 'c' });
          assert.deepEqual(state.history, JSON.parse(JSON.stringify(history)));
          assert.deepEqual(state.requests, JSON.parse(JSON.stringify(requests)));
        },
      ),
      { seed, numRuns: 60 },
    );
  });

  it('cut off at any byte tells all that was written before', function () {
    this.timeout(60_000);
    for (const { events } of played.slice(0, 3)) {
      const lines = written(events, [7]).map((line) => Buffer.from(line));
      let before: JournalState | undefined;
      const whole: Buffer[] = [];
      for (const line of lines) {
        const after: JournalState | undefined =
          before === undefined ? beginState(start) : foldRecord(before, recordOf(line.toString('utf8')));
        const reader = new JournalReader();
        for (const one of whole) reader.take(one.toString('utf8'));
        for (let cut = 0; cut < line.length; cut++) {
          const read = reader.end(line.subarray(0, cut).toString('utf8'));
          if (read.state !== before) assert.deepEqual(read.state, before);
          assert.deepEqual([read.damaged, read.isNewer, read.isTorn], [0, false, cut > 0]);
        }
        assert.deepEqual(reader.end(line.toString('utf8')).state, after);
        before = after;
        whole.push(line);
      }
    }
  });

  it('goes on behind lines that are damaged, and never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...played),
        fc.array(fc.tuple(fc.nat(), fc.oneof(fc.string(), fc.json(), anyBroken)), { maxLength: 6 }),
        ({ events }, damages) => {
          const lines: string[] = [...written(events, [5])];
          for (const [at, line] of damages)
            lines.splice(1 + (at % lines.length), 0, line.replaceAll('\n', ' '));
          const { state } = readJournal(`${lines.join('\n')}\n`);
          assert.equal(state?.conversation.id, 'c');
          assert.equal(
            state.conversation.turns.length,
            new Set(events.filter(isShown).map(({ turn }) => turn)).size,
          );
        },
      ),
      { seed, numRuns: 100 },
    );
  });
});

/** Records with something wrong in them. */
const anyBroken = fc.constantFrom(
  '{"v":1,"kind":"event","event":{"kind":"textAdded","turn":"t","part":"0.0","section":-1,"text":"x"}}',
  '{"v":1,"kind":"event","event":{"kind":"turnStarted","turn":"t"}}',
  '{"v":1,"kind":"event"}',
  '{"v":1}',
  '{"v":"1","kind":"pinned","pinned":true}',
  '{"v":1,"kind":"unheard","of":1}',
  '{"v":1,"kind":"conversation","id":"c","at":2}',
);

function recordOf(line: string): JournalRecord {
  const { v: _version, ...record } = JSON.parse(line) as { v: number } & JournalRecord;
  return record;
}
