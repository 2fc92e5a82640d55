/** A panel that comes late gets a snapshot and what happens afterwards, and then shows what the host holds. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { isShown, type ShownEvent, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { joinEvents } from '../../src/core/conversation/joinEvents.ts';
import { seed } from '../simulator/arbitraries.ts';
import { answer, startSimulator, text, type Reply, type Simulator } from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { anyStepInOne, play } from './conversations.ts';

/** As it crosses to the panel. */
function posted<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

describe('property: the panel mirrors the host', () => {
  let simulator: Simulator;
  let replies: Reply[] = [];
  let samples: readonly { readonly events: readonly ShownEvent[]; readonly host: Conversation }[] = [];
  let all: readonly (readonly TurnEvent[])[] = [];

  before(async function () {
    this.timeout(60_000);
    console.log(`      seed ${seed}`);
    simulator = await startSimulator({ mind: () => replies.shift() ?? answer(text('Nothing more.')) });
    const played = [];
    for (const steps of fc.sample(fc.array(anyStepInOne, { minLength: 1, maxLength: 4 }), {
      seed,
      numRuns: 30,
    })) {
      played.push(
        await play(
          clientFor(simulator.url),
          (next) => {
            replies = [...next];
          },
          steps,
        ),
      );
    }
    all = played.map(({ events }) => events);
    samples = played.map(({ events, conversation }) => ({
      events: events.filter(isShown),
      host: conversation,
    }));
  });
  after(async () => {
    await simulator.close();
  });

  it('from any moment on', () => {
    for (const { events, host } of samples) {
      let snapshot = emptyConversation('c');
      for (let at = 0; at <= events.length; at++) {
        const mirror = posted(events.slice(at)).reduce(reduce, posted(snapshot));
        assert.deepEqual(mirror, posted(host));
        const event = events[at];
        if (event !== undefined) snapshot = reduce(snapshot, event);
      }
      assert.deepEqual(snapshot, host);
    }
  });

  it('however the events are put into batches', () => {
    fc.assert(
      fc.property(
        fc.nat(samples.length - 1),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 50 }),
        (which, sizes) => {
          const { events, host } = samples[which] ?? assert.fail();
          let mirror = emptyConversation('c');
          let at = 0;
          for (const size of [...sizes, events.length]) {
            mirror = joinEvents(posted(events.slice(at, at + size))).reduce(reduce, mirror);
            at += size;
          }
          assert.deepEqual(mirror, posted(host));
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  it('and the events keep their order', () => {
    for (const events of all) {
      let running: string | undefined;
      const opened = new Map<string, { readonly tool: boolean; asked: boolean; closed: boolean }>();
      for (const event of events) {
        if (event.kind === 'turnStarted' || event.kind === 'turnResumed') {
          assert.equal(running, undefined);
          running = event.turn;
          if (event.kind === 'turnResumed')
            for (const part of event.drop) opened.delete(`${running} ${part}`);
          continue;
        }
        if (event.kind === 'contextCut' || event.kind === 'turnRemoved' || event.kind === 'turnRestored') {
          assert.equal(running, undefined);
          continue;
        }
        assert.equal(event.turn, running);
        if (event.kind === 'turnEnded') {
          for (const part of opened.values()) assert.ok(part.closed);
          running = undefined;
          continue;
        }
        if (!('part' in event)) continue;
        const key = `${event.turn} ${event.part}`;
        const part = opened.get(key);
        switch (event.kind) {
          case 'partOpened':
          case 'toolOpened':
            assert.equal(part, undefined);
            opened.set(key, { tool: event.kind === 'toolOpened', asked: false, closed: false });
            break;
          case 'textAdded':
          case 'textReplaced':
          case 'partClosed':
            assert.ok(part?.tool === false && !part.closed);
            if (event.kind === 'partClosed') part.closed = true;
            break;
          case 'searchTold':
          case 'citationsAdded':
            assert.ok(part?.tool === false);
            break;
          case 'toolInputAdded':
          case 'toolProgressed':
            assert.ok(part?.tool === true && !part.asked && !part.closed);
            break;
          case 'toolAsked':
            assert.ok(part?.tool === true && !part.asked && !part.closed);
            part.asked = true;
            break;
          case 'toolReviewed':
          case 'approvalAsked':
          case 'approvalAnswered':
            assert.ok(part?.tool === true && part.asked && !part.closed);
            break;
          case 'toolSettled':
            assert.ok(part?.tool === true && !part.closed);
            part.closed = true;
            break;
        }
      }
      assert.equal(running, undefined);
    }
  });
});
