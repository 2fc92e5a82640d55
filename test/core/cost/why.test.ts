import assert from 'node:assert/strict';

import { cacheLife, wholeSteps } from '../../../src/core/cost/cacheLife.ts';
import { cacheReason, turnStory } from '../../../src/core/cost/why.ts';
import { minute, record, running, turn, usage } from './records.ts';

const first = record({ usage: usage(2000), beginning: { kind: 'first' } });

describe('cost/cacheLife', () => {
  it('reads the service’s own words, and takes its default where there are none', () => {
    assert.deepEqual(
      ['5m', '1h', '90s', undefined, '', 'long', '0m', '-5m', '1.5h'].map(cacheLife),
      [5, 60, 1.5, 5, 5, 5, 5, 5, 5].map((minutes) => minutes * minute),
    );
  });

  it('counts whole steps', () => {
    assert.deepEqual([-1, 0, 255, 256, 511, 2000].map(wholeSteps), [0, 0, 0, 256, 256, 1792]);
  });
});

describe('cost/why', () => {
  it('says nothing of a request that runs, was not billed or was not counted', () => {
    assert.deepEqual(cacheReason(running(), [first]), { kind: 'running' });
    assert.deepEqual(cacheReason(record({ usage: null, unbilled: true }), [first]), { kind: 'unbilled' });
    assert.deepEqual(cacheReason(record({ usage: null }), [first]), { kind: 'untold' });
  });

  it('knows the first request, also behind ones that nobody worked on', () => {
    assert.deepEqual(cacheReason(first, []), { kind: 'first' });
    const refused = record({ usage: null, unbilled: true, beginning: { kind: 'first' } });
    assert.deepEqual(cacheReason(record({ usage: usage(2000) }), [refused]), { kind: 'first' });
  });

  it('knows a continuation of which all was found, but for the step at its end', () => {
    for (const cached of [1792, 1536, 2000]) {
      const next = record({ sentAt: 2000, usage: usage(2300, { cached }) });
      assert.deepEqual(cacheReason(next, [first]), { kind: 'found' });
    }
  });

  it('tells when only a part was found', () => {
    const next = record({ sentAt: 2000, usage: usage(2300, { cached: 1280 }) });
    assert.deepEqual(cacheReason(next, [first]), { kind: 'partly', expected: 1792 });
  });

  it('takes what is found as all there was when nobody counted what went before', () => {
    const untold = record({ usage: null, beginning: { kind: 'changed', by: 'model', same: 0, of: 1 } });
    const next = record({ sentAt: 2000, usage: usage(2300, { cached: 256 }) });
    assert.deepEqual(cacheReason(next, [first, untold]), { kind: 'found' });
    assert.deepEqual(cacheReason(next, [record({ usage: null })]), { kind: 'found' });
    // Behind one without a count that went on from a counted one, at least that one's tokens can be found.
    assert.equal(cacheReason(next, [first, record({ usage: null })]).kind, 'partly');
  });

  it('names what broke the beginning', () => {
    const beginning = { kind: 'changed', by: 'input', same: 3, of: 7 } as const;
    const next = record({ sentAt: 2000, usage: usage(2300, { cached: 512 }), beginning });
    assert.deepEqual(cacheReason(next, [first]), { kind: 'changed', by: 'input', same: 3, of: 7 });
  });

  it('does not blame anybody for a beginning that is too short to be cached', () => {
    const short = record({ usage: usage(255), beginning: { kind: 'first' } });
    assert.deepEqual(cacheReason(record({ sentAt: 2000, usage: usage(300) }), [short]), { kind: 'short' });
  });

  describe('where nothing was found', () => {
    const at = (sentAt: number) => record({ sentAt, usage: usage(2300) });
    const life = 5 * minute;

    it('says that the time had run out, by what the service said of it', () => {
      assert.deepEqual(cacheReason(at(6 * minute), [first]), {
        kind: 'expired',
        idle: 6 * minute - 1000,
        life,
      });
      const hour = { ...first, cacheTtl: '1h' };
      assert.equal(cacheReason(at(6 * minute), [hour]).kind, 'missed');
      assert.equal(cacheReason(at(62 * minute), [hour]).kind, 'expired');
      // The one that was cut off said nothing; the one before it did.
      const cutOff = record({ sentAt: minute, usage: null });
      assert.equal(cacheReason(at(30 * minute), [hour, cutOff]).kind, 'missed');
    });

    it('says that it may have, where the answer before took longer than the time', () => {
      const long = { ...first, endedAt: 10 * minute };
      assert.deepEqual(cacheReason(at(11 * minute), [long]), { kind: 'mayHaveExpired', idle: minute, life });
    });

    it('says that the service did not find what it should still have', () => {
      assert.deepEqual(cacheReason(at(minute), [first]), { kind: 'missed', idle: minute - 1000, life });
    });

    it('never counts an idle time below zero, and takes the start of a request whose end is not known', () => {
      const { endedAt: _, ...endless } = first;
      assert.deepEqual(cacheReason(at(0), [first]), { kind: 'missed', idle: 0, life });
      assert.deepEqual(cacheReason(at(minute), [endless]), { kind: 'missed', idle: minute, life });
    });
  });

  describe('of a turn', () => {
    const found = record({ sentAt: 2000, usage: usage(2300, { cached: 1792 }) });

    it('sums over its requests and gives the first reason that is not simply a continuation', () => {
      const changed = record({
        sentAt: 3000,
        usage: usage(700),
        beginning: { kind: 'changed', by: 'model', same: 0, of: 3 },
      });
      assert.deepEqual(turnStory(turn([found, changed]), [first]), {
        input: 3000,
        cached: 1792,
        reason: { kind: 'changed', by: 'model', same: 0, of: 3 },
      });
    });

    it('is a continuation when all are, whatever runs or was not told beside them', () => {
      const all = [found, record({ usage: null }), record({ usage: null, unbilled: true }), running()];
      assert.deepEqual(turnStory(turn(all), [first])?.reason, { kind: 'found' });
    });

    it('is none while nothing was counted', () => {
      assert.equal(turnStory(turn([record({ usage: null }), running()]), [first]), undefined);
    });
  });
});
