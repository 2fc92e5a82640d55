/** A conversation that was written to a file and read in again is the same one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { historyItems } from '../../src/core/conversation/history.ts';
import { elsewhereReport } from '../../src/core/conversation/fromElsewhere.ts';
import { decodeRecord, encodeRecord } from '../../src/core/journal/record.ts';
import { beginState, type JournalState } from '../../src/core/journal/state.ts';
import { seed } from '../simulator/arbitraries.ts';
import { answer, startSimulator, text, type Reply, type Simulator } from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { comparable, expected, mustRead, readIn, turnIds, written } from '../support/exporting.ts';
import { anyChangingStep, play } from './conversations.ts';

describe('property: an exported conversation', () => {
  let simulator: Simulator;
  let replies: Reply[] = [];
  let played: readonly JournalState[] = [];

  before(async function () {
    this.timeout(60_000);
    console.log(`      seed ${seed}`);
    simulator = await startSimulator({ mind: () => replies.shift() ?? answer(text('Nothing more.')) });
    const all: JournalState[] = [];
    for (const steps of fc.sample(fc.array(anyChangingStep, { minLength: 1, maxLength: 5 }), {
      seed,
      numRuns: 40,
    })) {
      const { conversation, history, requests } = await play(
        clientFor(simulator.url),
        (next) => {
          replies = [...next];
        },
        steps,
      );
      if (conversation.turns.length === 0) continue;
      const plain = JSON.parse(JSON.stringify({ conversation, history, requests })) as JournalState;
      all.push({ ...plain, removed: [], reports: [], createdAt: 5, begunWith: new Map() });
    }
    played = all;
    assert.ok(played.length > 20);
  });
  after(async () => {
    await simulator.close();
  });

  it('comes back as the same conversation, and the model knows the same', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...played),
        fc.array(fc.record({ text: fc.string(), about: fc.nat(4) }), { maxLength: 3 }),
        fc.option(
          fc.record({ text: fc.string({ unit: 'grapheme' }), by: fc.constantFrom('person', 'model') }),
        ),
        (state, told, title) => {
          const ids = turnIds(state.conversation);
          const before: JournalState = {
            ...state,
            reports: told.map(({ text: report, about }) => ({
              text: report,
              ...(ids[about] !== undefined && { about: ids[about] }),
            })),
            ...(title !== null && { title }),
          };
          const file = mustRead(written(before));
          const [one] = file.conversations;
          assert.ok(one);
          assert.equal(file.conversations.length, 1);
          assert.equal(file.shown, one.id);
          const conversation = one.seed.conversation;
          assert.deepEqual(comparable(one, turnIds(conversation)), expected(before, ids));
          const { model } = state.conversation.turns.at(-1)!;
          assert.deepEqual(historyItems(one.seed.history, model), historyItems(before.history, model));
          // It can be kept, and each request has its number.
          const record = { kind: 'conversation', id: one.id, at: one.createdAt, seed: one.seed } as const;
          const decoded = decodeRecord(encodeRecord(record));
          assert.deepEqual(decoded, { kind: 'record', record });
          const again = beginState(record);
          assert.ok(again !== undefined);
          assert.equal(
            again.requests.requests.length,
            conversation.turns.flatMap((turn) => turn.requests).length,
          );
          // And goes out again as it came in.
          const twice = mustRead(written({ ...again, ...(one.title !== undefined && { title: one.title }) }));
          const second = twice.conversations[0];
          assert.ok(second);
          assert.deepEqual(
            comparable(second, turnIds(second.seed.conversation)),
            comparable(one, turnIds(conversation)),
          );
        },
      ),
      { seed, numRuns: 80 },
    );
  });

  it('with whatever is put in the place of any value is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...played),
        fc.nat(),
        fc.oneof(
          fc.jsonValue(),
          fc.constantFrom<unknown>(1e300, -1, '__proto__', { ['__proto__']: { x: 1 } }, [], {}, null),
        ),
        (state, at, junk) => {
          const file: unknown = JSON.parse(written(state));
          const places = placesIn(file);
          const [holder, name] = places[at % places.length]!;
          holder[name] = junk;
          const read = readIn(JSON.stringify(file));
          if (!read.ok) return;
          for (const { seed: own } of read.value.conversations) {
            assert.ok(own.reports.some((report) => report.text === elsewhereReport.text));
            assert.ok(own.conversation.turns.every((turn) => turn.elsewhere === true));
            assert.ok(own.conversation.turns.every(({ id }) => id.startsWith('new-')));
          }
        },
      ),
      { seed, numRuns: 400 },
    );
    assert.equal(({} as { x?: number }).x, undefined);
  });
});

type Holder = Record<string, unknown>;

/** Every place in which a value stands. */
function placesIn(value: unknown): readonly (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((name) => [[holder, name] as const, ...placesIn(holder[name])]);
}
