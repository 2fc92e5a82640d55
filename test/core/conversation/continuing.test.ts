/** What follows an answer that ended at a limit. */
import assert from 'node:assert/strict';

import { continuing } from '../../../src/core/conversation/continuing.ts';
import type { Part, Turn, TurnEnd } from '../../../src/core/conversation/conversation.ts';

const part = (kind: 'answer' | 'reasoning', id: string, ...sections: readonly string[]): Part => ({
  kind,
  id,
  sections,
  openedAt: 1,
});
const full: TurnEnd = { kind: 'incomplete', reason: 'max_output_tokens' };

function turn(parts: readonly Part[], room?: number, end: TurnEnd = full): Turn {
  return {
    id: 't',
    question: { text: 'q', attachments: [] },
    model: 'kimi-k3.1-pro',
    effort: 'max',
    startedAt: 1,
    parts,
    requests: [
      {
        round: 0,
        model: 'kimi-k3.1-pro',
        effort: 'max',
        sentAt: 1,
        beginning: { kind: 'first' },
        ...(room !== undefined && { room }),
      },
    ],
    end,
  };
}

describe('conversation/continuing', () => {
  const answered = [part('reasoning', '0.0', 'Hm.'), part('answer', '0.1', 'So far')];

  it('goes on where the answer ended, with twice the room', () => {
    const next = continuing(turn(answered, 2000), undefined);
    assert.equal(next.kind, 'goOn');
    assert.equal(next.room, 4000);
    assert.match(next.message, /where it ended/);
  });

  it('starts from the service’s own limit when none was set, and from a higher one set since', () => {
    const room = (...args: Parameters<typeof continuing>): unknown => {
      const next = continuing(...args);
      return next.kind === 'none' ? undefined : next.room;
    };
    assert.equal(room(turn(answered), undefined), 262_144);
    assert.equal(room(turn(answered, 2000), 50_000), 100_000);
    assert.equal(room(turn(answered, 1_000_000), undefined), 1_048_576);
  });

  it('asks again when all the room went into reasoning', () => {
    for (const parts of [
      [part('reasoning', '0.0', 'Hm.')],
      [part('answer', '0.1', ' ')],
      [],
      [part('answer', '9.0', 'Of another round')],
    ]) {
      assert.deepEqual(continuing(turn(parts, 2000), undefined), { kind: 'again', room: 4000 });
    }
  });

  it('says what became of the rest when something was said in front of what was cut off', () => {
    const call: Part = { kind: 'tool', id: '0.2', name: 'f', input: '{', openedAt: 1 };
    for (const cutOff of [call, part('reasoning', '0.2', 'And')]) {
      const next = continuing(turn([...answered, cutOff], 2000), undefined);
      assert.ok(next.kind === 'again' && next.room === 4000);
      assert.match(next.message ?? '', /has not run\. Go on from there\.$/);
    }
    assert.deepEqual(
      continuing(turn([part('reasoning', '0.0', 'Hm.'), { ...call, id: '0.1' }], 2000), undefined),
      {
        kind: 'again',
        room: 4000,
      },
    );
  });

  it('has nothing to offer for any other end', () => {
    const running = turn(answered);
    const { end: _, ...open } = running;
    for (const each of [
      open,
      turn(answered, 1, { kind: 'completed' }),
      turn(answered, 1, { kind: 'incomplete', reason: 'content_filter' }),
    ]) {
      assert.deepEqual(continuing(each, undefined), { kind: 'none' });
    }
  });

  it('has the model go on from what it said when the service ended that for another reason', () => {
    const early: TurnEnd = { kind: 'incomplete', reason: 'unknown' };
    const next = continuing(turn(answered, 2000, early), undefined);
    assert.ok(next.kind === 'none');
    assert.match(next.message ?? '', /ended your last response early.* Go on from there\.$/);
    assert.deepEqual(continuing(turn([part('reasoning', '0.0', 'Hm.')], 2000, early), undefined), {
      kind: 'none',
    });
  });

  it('counts from the service’s own limit for a turn that has no request on record', () => {
    assert.deepEqual(continuing({ ...turn([]), requests: [] }, undefined), { kind: 'again', room: 262_144 });
  });
});
