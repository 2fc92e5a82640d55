import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { mock } from 'node:test';

import { Watchdog } from '../../src/host/watchdog.ts';

describe('wire: the watchdog', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('notices silence, once', async () => {
    let silences = 0;
    const waiting = Promise.withResolvers<number>();
    const watchdog = new Watchdog(100, () => {
      silences += 1;
      waiting.resolve(1);
    });
    const over = watchdog.over(waiting.promise);
    mock.timers.tick(99);
    assert.equal(watchdog.fired, false);
    mock.timers.tick(1000);
    assert.equal(await over, 1);
    assert.deepEqual([silences, watchdog.fired], [1, true]);
  });

  it('starts anew with each wait, and does not count the time between', async () => {
    const watchdog = new Watchdog(100, () => assert.fail('there was no silence'));
    for (let n = 0; n < 3; n++) {
      const waiting = Promise.withResolvers<void>();
      const over = watchdog.over(waiting.promise);
      mock.timers.tick(99);
      waiting.resolve();
      await over;
      mock.timers.tick(1000);
    }
    const failing = watchdog.over(Promise.reject(new Error('x')));
    await assert.rejects(failing, /x/);
    mock.timers.tick(1000);
    assert.equal(watchdog.fired, false);
  });

  it('waits for ever when it is switched off', async () => {
    const watchdog = new Watchdog(0, () => assert.fail('it is off'));
    const waiting = Promise.withResolvers<void>();
    const over = watchdog.over(waiting.promise);
    mock.timers.tick(1e9);
    waiting.resolve();
    await over;
  });

  it('does not take a pause of its own process, or of the machine, for silence of the other side', async () => {
    mock.timers.reset();
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const [[theirs], ours] = await Promise.all([
      once(server, 'connection') as Promise<[net.Socket]>,
      new Promise<net.Socket>((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
      }),
    ]);
    try {
      let fired = 0;
      const watchdog = new Watchdog(20, () => {
        fired += 1;
      });
      const waiting = watchdog.over(once(ours, 'data'));
      theirs.write('x');
      // The time runs out, and what came meanwhile has not been read.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      await waiting;
      assert.deepEqual([fired, watchdog.fired], [0, false]);
    } finally {
      theirs.destroy();
      ours.destroy();
      server.close();
    }
  });
});
