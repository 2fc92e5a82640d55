import assert from 'node:assert/strict';

import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import { joinEvents } from '../../src/protocol/batch.ts';

const text = (part: string, section: number, added: string): ShownEvent => ({
  kind: 'textAdded',
  turn: 't',
  part,
  section,
  text: added,
});
const input = (part: string, added: string): ShownEvent => ({
  kind: 'toolInputAdded',
  turn: 't',
  part,
  text: added,
});
const progress = (part: string, added: number): ShownEvent => ({
  kind: 'toolProgressed',
  turn: 't',
  part,
  progress: { files: [{ path: 'a', change: 'update', added, removed: 0 }] },
});

describe('joinEvents', () => {
  it('joins neighbouring text of one section', () => {
    assert.deepEqual(joinEvents([text('p', 0, 'a'), text('p', 0, 'b'), text('p', 0, 'c')]), [
      text('p', 0, 'abc'),
    ]);
  });

  it('does not join across sections, parts or other events', () => {
    const events: ShownEvent[] = [
      text('p', 0, 'a'),
      text('p', 1, 'b'),
      text('q', 1, 'c'),
      { kind: 'partClosed', turn: 't', part: 'q', at: 1 },
      text('q', 1, 'd'),
      { kind: 'textAdded', turn: 'other', part: 'q', section: 1, text: 'e' },
    ];
    assert.deepEqual(joinEvents(events), events);
  });

  it('joins the input of a call around its progress and keeps the last progress', () => {
    assert.deepEqual(
      joinEvents([input('p', 'a'), progress('p', 1), input('p', 'b'), progress('p', 2), input('p', 'c')]),
      [input('p', 'abc'), progress('p', 2)],
    );
  });

  it('keeps calls apart', () => {
    const events = [input('p', 'a'), input('q', 'b'), progress('p', 1), progress('q', 1)];
    assert.deepEqual(joinEvents(events), events);
  });

  it('gives back nothing for nothing', () => {
    assert.deepEqual(joinEvents([]), []);
  });
});
