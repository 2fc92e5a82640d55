import assert from 'node:assert/strict';

import type { FileProgressed } from '../../../src/core/conversation/conversation.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import { joinEvents } from '../../../src/core/conversation/joinEvents.ts';

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
const progress = (part: string, ...files: readonly FileProgressed[]): ShownEvent => ({
  kind: 'toolProgressed',
  turn: 't',
  part,
  files,
});
const first = { index: 0, path: 'a', change: 'update', added: 0, removed: 0 } as const;

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

  it('joins the input of a call around its progress, and keeps the newest of each file and nothing of the others', () => {
    assert.deepEqual(
      joinEvents([
        input('p', 'a'),
        progress('p', first),
        input('p', 'b'),
        progress('p', { index: 0, added: 2, change: 'move' }),
        input('p', 'c'),
        progress('p', { index: 0, removed: 1 }, { index: 1, added: 1 }),
      ]),
      [
        input('p', 'abc'),
        progress('p', { ...first, added: 2, change: 'move', removed: 1 }, { index: 1, added: 1 }),
      ],
    );
    assert.deepEqual(joinEvents([progress('p', first), progress('p', { index: 0, added: 7 })]), [
      progress('p', { ...first, added: 7 }),
    ]);
  });

  it('keeps calls apart', () => {
    const events = [input('p', 'a'), input('q', 'b'), progress('p', first), progress('q', first)];
    assert.deepEqual(joinEvents(events), events);
  });

  it('gives back nothing for nothing', () => {
    assert.deepEqual(joinEvents([]), []);
  });
});
