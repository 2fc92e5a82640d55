import assert from 'node:assert/strict';

import { readLimits } from '../../../src/core/cost/readLimits.ts';

describe('cost/readLimits', () => {
  it('takes amounts, and nothing for no limit', () => {
    assert.deepEqual(readLimits({ confirmAbove: 0.5, day: 10, conversation: 2 }), {
      limits: { confirmAbove: 0.5, day: 10, conversation: 2 },
      problems: [],
    });
    assert.deepEqual(readLimits({ confirmAbove: 0, day: null, conversation: undefined }), {
      limits: {},
      problems: [],
    });
  });

  it('names what is no amount', () => {
    assert.deepEqual(readLimits({ confirmAbove: '1', day: -1, conversation: Number.NaN }), {
      limits: {},
      problems: ['confirmAbove', 'day', 'conversation'],
    });
    assert.deepEqual(readLimits({ confirmAbove: 1, day: [], conversation: Infinity }), {
      limits: { confirmAbove: 1 },
      problems: ['day', 'conversation'],
    });
  });
});
