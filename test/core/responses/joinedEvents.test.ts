import assert from 'node:assert/strict';

import type { ResponseEvent } from '../../../src/core/responses/events.ts';
import { JoinedEvents } from '../../../src/core/responses/joinedEvents.ts';

const piece = (text: string, more: object = {}): ResponseEvent => ({
  kind: 'textDelta',
  channel: 'message',
  section: 0,
  itemId: 'msg_1',
  outputIndex: 0,
  text,
  ...more,
});
const input = (text: string, more: object = {}): ResponseEvent => ({
  kind: 'inputDelta',
  type: 'function_call',
  itemId: 'msg_1',
  outputIndex: 0,
  text,
  ...more,
});
function joinDeltas(events: readonly ResponseEvent[]): readonly ResponseEvent[] {
  const joined = new JoinedEvents();
  for (const event of events) joined.add(event);
  return joined.all();
}
const ping: ResponseEvent = { kind: 'ignored', type: 'ping', known: false };
const broken: ResponseEvent = { kind: 'malformed', detail: 'd' };

describe('responses/joinedEvents', () => {
  it('joins pieces of one text, whatever says nothing between them', () => {
    assert.deepEqual(joinDeltas([piece('a'), ping, piece('b'), piece('c')]), [piece('abc')]);
    assert.deepEqual(joinDeltas([input('a'), input('b'), ping]), [input('ab')]);
    assert.deepEqual(joinDeltas([ping]), []);
  });

  it('joins nothing over another event', () => {
    const events = [piece('a'), broken, piece('b'), piece('c', { kind: 'textDone' }), piece('d'), broken];
    assert.deepEqual(joinDeltas(events), events);
  });

  it('joins no pieces of different texts', () => {
    for (const other of [
      piece('b', { section: 1 }),
      piece('b', { channel: 'summary' }),
      piece('b', { itemId: undefined }),
      piece('b', { outputIndex: 1 }),
      input('b'),
    ]) {
      assert.deepEqual(joinDeltas([piece('a'), other, piece('c')]), [piece('a'), other, piece('c')]);
    }
    const custom = input('b', { type: 'custom_tool_call' });
    assert.deepEqual(joinDeltas([input('a'), custom, piece('c')]), [input('a'), custom, piece('c')]);
  });
});
