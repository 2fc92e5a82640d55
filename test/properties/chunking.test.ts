/** However the bytes of an answer are cut on their way, the turn is the same. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import type { ModelChunk } from '../../src/core/conversation/modelPort.ts';
import type { TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { anyAnswer, seed } from '../simulator/arbitraries.ts';
import { answer, startSimulator, text, vary, type Answer, type Simulator } from '../simulator/main.ts';
import type { Quirks } from '../simulator/quirks.ts';
import { clientFor, collect, textOf } from '../support/client.ts';
import { ask, fixtureBytes, fixtureNames, ports, response, run, scriptedModel } from '../support/turns.ts';

const tools: readonly Tool[] = ['read_file', 'list', 'list_open_files', 'no_arguments'].map((name) => ({
  declaration: { type: 'function', name, description: '', parameters: {}, strict: false },
  run: async ({ input }) => ({ kind: 'done', text: input }),
}));

/** Bytes as they come off a socket: one decoder for all of them, and pieces that are empty after decoding too. */
function decoded(pieces: readonly Uint8Array[]): readonly ModelChunk[] {
  const decoder = new TextDecoder();
  const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
  return [...texts, decoder.decode()].map((chunk) => ({ kind: 'text', text: chunk }));
}

function cut(bytes: Uint8Array, at: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set(at)].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

/** Neighbouring pieces of one text as one event, which is the one thing that cutting may change. */
function joined(events: readonly TurnEvent[]): readonly TurnEvent[] {
  const result: TurnEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (
      last?.kind === event.kind &&
      ((event.kind === 'textAdded' &&
        last.kind === 'textAdded' &&
        last.part === event.part &&
        last.section === event.section) ||
        (event.kind === 'toolInputAdded' && last.kind === 'toolInputAdded' && last.part === event.part))
    ) {
      result[result.length - 1] = { ...event, text: last.text + event.text };
    } else {
      result.push(event);
    }
  }
  return result;
}

async function eventsOf(chunks: readonly ModelChunk[]): Promise<readonly TurnEvent[]> {
  const { events } = await run(ports(scriptedModel(chunks, response([])), tools), ask('q'));
  return joined(events);
}

describe('property: any cutting of the bytes gives the same events', function () {
  this.timeout(60_000);
  before(() => {
    console.log(`      seed ${seed}`);
  });

  for (const name of fixtureNames) {
    it(name, async () => {
      const bytes = fixtureBytes(name);
      const expected = await eventsOf(decoded([bytes]));
      const each = Array.from(bytes, (byte) => Uint8Array.of(byte));
      assert.deepEqual(await eventsOf(decoded(each)), expected);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 30 }), async (at) => {
          assert.deepEqual(await eventsOf(decoded(cut(bytes, at))), expected);
        }),
        { seed, numRuns: 20 },
      );
    });
  }

  describe('of whatever the service could answer', () => {
    let simulator: Simulator;
    before(async () => {
      simulator = await startSimulator({ mode: 'lenient' });
    });
    after(async () => {
      await simulator.close();
    });

    async function bytesOf(reply: Answer): Promise<Uint8Array> {
      simulator.reply(reply);
      return new TextEncoder().encode(textOf(await collect(clientFor(simulator.url))));
    }

    const frames: fc.Arbitrary<Quirks> = fc.constantFrom<Quirks>(
      {},
      { lineEnds: 'crlf' },
      { lineEnds: 'cr' },
      { splitData: true },
      { comments: true, doneMarker: true },
      { eventLines: 'absent', lastBlankLine: 'absent' },
    );

    it('and with whatever line ends', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyAnswer,
          frames,
          fc.array(fc.nat(), { maxLength: 40 }),
          async (reply, quirks, at) => {
            const bytes = await bytesOf(vary(reply, { quirks, cut: { kind: 'joined' } }));
            assert.deepEqual(await eventsOf(decoded(cut(bytes, at))), await eventsOf(decoded([bytes])));
          },
        ),
        { seed, numRuns: 150 },
      );
    });

    it('and the pieces that arrive are those that were said', async () => {
      const prose = fc.string({ unit: 'grapheme', minLength: 1 });
      await fc.assert(
        fc.asyncProperty(prose, fc.array(fc.nat(), { maxLength: 40 }), async (said, at) => {
          const bytes = await bytesOf(answer(text(said)));
          const events = await eventsOf(decoded(cut(bytes, at)));
          assert.deepEqual(
            events.flatMap((event) => (event.kind === 'textAdded' ? event.text : [])),
            [said],
          );
        }),
        { seed, numRuns: 50 },
      );
    });
  });
});
