/** Long work piece by piece. */
import assert from 'node:assert/strict';

import { inPieces } from '../../../src/host/inPieces.ts';

describe('long work', () => {
  /** Ends only when something else had its turn. */
  function* untilOther(): Generator<void, string> {
    const others: string[] = [];
    setImmediate(() => others.push('done'));
    for (;;) {
      const [done] = others;
      if (done !== undefined) return done;
      yield;
    }
  }

  it('lets something else be done, and tells what it came to', async () => {
    assert.equal(await inPieces(untilOther(), () => false), 'done');
  });

  it('goes no further when it is called off, and fails as it fails', async () => {
    function* endless(): Generator<void, never> {
      for (;;) yield;
    }
    assert.equal(await inPieces(endless(), () => true), undefined);
    function* failing(): Generator<void, never> {
      yield;
      throw new RangeError('too long');
    }
    await assert.rejects(
      inPieces(failing(), () => false),
      RangeError,
    );
  });
});
