import assert from 'node:assert/strict';

import { EventQueue } from '../../../src/core/conversation/eventQueue.ts';

async function readAll<T>(queue: EventQueue<T>): Promise<readonly T[]> {
  const values: T[] = [];
  for await (const value of queue.read()) values.push(value);
  return values;
}

describe('conversation/eventQueue', () => {
  it('gives what was pushed before and while it is read, until closed', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    const read = readAll(queue);
    await Promise.resolve();
    queue.push(2);
    queue.push(3);
    await new Promise(setImmediate);
    queue.push(4);
    queue.close();
    queue.push(5);
    assert.deepEqual(await read, [1, 2, 3, 4]);
  });

  it('gives what is pushed by its reader', async () => {
    const queue = new EventQueue<number>();
    queue.push(0);
    const seen: number[] = [];
    for await (const value of queue.read()) {
      seen.push(value);
      if (value < 3) queue.push(value + 1);
      else queue.close();
    }
    assert.deepEqual(seen, [0, 1, 2, 3]);
  });

  it('ends at once when it is closed and empty', async () => {
    const queue = new EventQueue<number>();
    queue.close();
    assert.deepEqual(await readAll(queue), []);
  });
});
