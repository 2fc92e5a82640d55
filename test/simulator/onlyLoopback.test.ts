/** The watch sees what it is there for. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startSimulator } from './main.ts';
import { watchConnections } from './onlyLoopback.ts';
import { ask } from './rawClient.ts';

describe('the watch over connections', () => {
  it('notes a name of another machine, and nothing of loopback', async () => {
    const simulator = await startSimulator();
    const watch = watchConnections();
    await ask(simulator.url, '{}');
    assert.deepEqual(watch.strangers, []);
    const socket = connect({
      host: 'stranger.invalid',
      port: Number(new URL(simulator.url).port),
      // Answers in the place of the name service, so that nothing leaves this machine.
      lookup: (_name, _options, tell) => tell(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await once(socket, 'connect');
    assert.deepEqual(watch.strangers, ['stranger.invalid']);
    socket.destroy();
    watch.stop();
    await simulator.close();
  });
});
