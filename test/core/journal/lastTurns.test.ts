import assert from 'node:assert/strict';

import { lastTurns } from '../../../src/core/journal/lastTurns.ts';
import { encodeRecord, type KeptEvent } from '../../../src/core/journal/record.ts';

function lines(...events: readonly KeptEvent[]): readonly string[] {
  return events.map((event) => encodeRecord({ kind: 'event', event }));
}

function asked(turn: string): KeptEvent {
  const question = { text: `About ${turn}`, attachments: [] };
  return { kind: 'turnStarted', turn, question, model: 'kimi-k3', effort: 'max', at: 1 };
}

const end = { kind: 'completed' } as const;

describe('the last turns of a conversation', () => {
  it('are those that began in the last lines, and what is told of others or can’t be read changes nothing', () => {
    const found = lastTurns(
      [
        ...lines(
          { kind: 'textAdded', turn: 'a', part: '0.0', section: 0, text: 'of one before' },
          { kind: 'turnEnded', turn: 'a', end, at: 2 },
          asked('b'),
          { kind: 'turnEnded', turn: 'b', end, at: 3 },
        ),
        'half a line"}',
        '{"v":2,"kind":"hologram"}',
      ],
      'c',
      9,
    );
    assert.equal(found.id, 'c');
    assert.deepEqual(
      found.turns.map(({ id, endedAt }) => [id, endedAt]),
      [['b', 3]],
    );
  });

  it('run no longer', () => {
    const found = lastTurns(
      lines(asked('a'), { kind: 'partOpened', turn: 'a', part: '0.0', what: 'answer', at: 2 }),
      'c',
      9,
    );
    assert.deepEqual(found.turns[0]?.end, { kind: 'stopped', by: 'reload' });
    assert.equal(found.turns[0].parts[0]?.closedAt, 9);
  });

  it('are none where none began', () => {
    assert.deepEqual(lastTurns([], 'c', 9), { id: 'c', turns: [] });
  });
});
