/** How long a question waits for what is being attached. */
import assert from 'node:assert/strict';

import { AttachingNow } from '../../../src/host/composer/attachingNow.ts';

describe('what is being attached', () => {
  it('is waited for, whatever becomes of it, and nothing else', async () => {
    const attaching = new AttachingNow();
    assert.equal(attaching.settled(), undefined);
    assert.equal(attaching.watch(undefined), undefined);
    assert.equal(attaching.settled(), undefined);
    const one = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    assert.equal(attaching.watch(one.promise), one.promise);
    void attaching.watch(other.promise).catch(() => undefined);
    const order: string[] = [];
    const settled = attaching.settled()?.then((all) => order.push(`settled: ${all}`));
    one.resolve();
    await one.promise;
    order.push('one');
    other.reject(new Error('It is gone.'));
    await settled;
    assert.deepEqual(order, ['one', 'settled: true']);
    assert.equal(attaching.settled(), undefined);
  });

  it('is not waited for endlessly', async () => {
    const attaching = new AttachingNow(1);
    void attaching.watch(new Promise(() => undefined));
    assert.equal(await attaching.settled(), false);
  });
});
