/** One line of why for each reason. */
import assert from 'node:assert/strict';
import type { CacheReason } from '../../src/core/cost/why.ts';
import { cacheText } from '../../src/webview/cacheText.ts';

const minute = 60_000;

describe('why a turn was cached or not', () => {
  const cases: readonly (readonly [reason: CacheReason, cached: number, text: string])[] = [
    [{ kind: 'first' }, 0, 'First question: nothing was cached.'],
    [{ kind: 'first' }, 500, 'First question: 50% of it was cached already.'],
    [{ kind: 'found' }, 900, 'The beginning was found in the cache.'],
    [
      { kind: 'partly', expected: 12_288 },
      256,
      'Of about 12,288 tokens that were cached, only a part was found.',
    ],
    [{ kind: 'changed', by: 'model', same: 0, of: 4 }, 0, 'New model: nothing was cached.'],
    [{ kind: 'changed', by: 'model', same: 0, of: 4 }, 250, 'New model: 25% was cached all the same.'],
    [{ kind: 'changed', by: 'effort', same: 0, of: 4 }, 0, 'New effort: nothing was cached.'],
    [{ kind: 'changed', by: 'instructions', same: 0, of: 4 }, 0, 'New instructions: nothing was cached.'],
    [{ kind: 'changed', by: 'tools', same: 0, of: 4 }, 0, 'Other tools: nothing was cached.'],
    [
      { kind: 'changed', by: 'input', same: 3, of: 1200 },
      100,
      'The conversation was changed behind 3 of 1,200 items: what follows was read anew.',
    ],
    [{ kind: 'short' }, 0, 'What was sent before is too short to be cached.'],
    [
      { kind: 'expired', idle: 12 * minute, life: 5 * minute },
      0,
      'The cache had expired: 12\u00a0min since the last request, kept for 5\u00a0min.',
    ],
    [
      { kind: 'mayHaveExpired', idle: 4 * minute, life: 5 * minute },
      0,
      'The cache had probably expired: 4\u00a0min since the last request, kept for 5\u00a0min.',
    ],
    [
      { kind: 'missed', idle: 20_000, life: 60 * minute },
      0,
      'Nothing was found in the cache, only 20\u00a0s after the last request. It should be kept for 1\u00a0h.',
    ],
  ];
  for (const [reason, cached, text] of cases) {
    it(`says: ${text}`, () => assert.equal(cacheText({ input: 1000, cached, reason }), text));
  }
});
