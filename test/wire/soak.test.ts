/** Long use leaves nothing behind. The same with more turns, and with figures of the memory, is `npm run bench -- soak`. */
import assert from 'node:assert/strict';

import { seed } from '../simulator/arbitraries.ts';
import { soak } from './soak.ts';

describe('wire: many turns with faults of all kinds', function () {
  this.timeout(120_000);

  it('leave no socket, timer or listener, and a record and a history of the size that they should have', async () => {
    console.log(`      seed ${seed}`);
    const { ends, requests } = await soak(300, seed);
    assert.ok(requests > 200);
    // It was a soak with faults: else this would show nothing.
    for (const kind of ['completed', 'stopped', 'network', 'brokenStream']) assert.ok(ends.has(kind), kind);
  });
});
